import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("HTTP servers with faults")
struct HTTPFaultTests {
    private let request = LoadRequest(feed: "h", kind: .refresh, page: 1, offset: 0, size: 20)

    /// Returns the failure for an answer after which the server closes the connection.
    private func failure(
        _ answer: String, _ change: (inout HTTPOptions) -> Void = { _ in }
    ) async throws -> LoadFailure? {
        let server = try LocalServer { $0.send(answer) }
        return try await HTTPBackend(url: server.url, options: .patient(change)).failure(request)
    }

    @Test(
        "Compressed answers are decompressed",
        arguments: [("gzip", true), ("x-gzip", true), ("GZIP", true), ("deflate", false)])
    func packing(coding: String, isGzip: Bool) async throws {
        let text = Array(#"{"items":[1,"é"]}"#.utf8)
        let body = isGzip ? PackedBytes.gzip(text) : PackedBytes.deflate(text)
        let server = try LocalServer { exchange in
            exchange.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n"
                    + "Content-Length: \(body.count)\r\n\r\n")
            exchange.send(body)
        }
        let page = try await HTTPBackend(url: server.url, options: .patient()).load(request)
        #expect(page.items == Array(#"[1,"é"]"#.utf8))
        let head = try #require(server.received.first)
        #expect(LocalServer.header("Accept-Encoding", in: head) == "gzip, deflate")
    }

    @Test("The size limit applies to decompressed bytes, so a decompression bomb is aborted")
    func bomb() async throws {
        let pieces = Counter()
        let server = try LocalServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
            exchange.send(PackedBytes.bombHead)
            let piece = PackedBytes.bomb
            while pieces.value < 500, exchange.send(piece) { pieces.increment() }
        }
        let options = HTTPOptions.patient { $0.responseBytesMax = 8_388_608 }
        let backend = try HTTPBackend(url: server.url, options: options)
        #expect(await backend.failure(request)?.code == .backendAnswerTooLarge)
        // 500 pieces are a gigabyte. The server sent only the pieces that the backend read and
        // those that fill the socket buffers.
        #expect(pieces.value < 500)
    }

    @Test(
        "An unknown, repeated or wrong content coding fails with backendAnswerMalformed",
        arguments: [
            "Content-Encoding: br", "Content-Encoding: zstd", "Content-Encoding: gzip, gzip",
            "Content-Encoding: gzip\r\nContent-Encoding: gzip", "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: gzip", "Content-Encoding: gzip",
        ])
    func unreadable(header: String) async throws {
        let answer = "HTTP/1.1 200 OK\r\n\(header)\r\n\r\n[1]"
        #expect(try await failure(answer)?.code == .backendAnswerMalformed)
    }

    @Test(
        "A body that is compressed twice fails with backendAnswerMalformed",
        arguments: ["gzip, gzip", "gzip\r\nContent-Encoding: gzip"])
    func packedTwice(coding: String) async throws {
        let body = PackedBytes.gzip(PackedBytes.gzip(Array("[1]".utf8)))
        let server = try LocalServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\r\n")
            exchange.send(body)
        }
        let backend = try HTTPBackend(url: server.url, options: .patient())
        #expect(await backend.failure(request)?.code == .backendAnswerMalformed)
    }

    @Test("Endless headers and endless interim answers are aborted")
    func endlessHeaders() async throws {
        for line in ["X-A: \(String(repeating: "a", count: 1000))", "HTTP/1.1 103 Early\r\n"] {
            let lines = Counter()
            let server = try LocalServer { exchange in
                exchange.send("HTTP/1.1 \(line.hasPrefix("X") ? "200 OK" : "103 Early\r\n")\r\n")
                let piece = String(repeating: "\(line)\r\n", count: 100)
                while lines.value < 10_000, exchange.send(piece) { lines.increment() }
            }
            let backend = try HTTPBackend(url: server.url, options: .patient())
            #expect(await backend.failure(request)?.code == .backendAnswerTooLarge)
            #expect(lines.value < 10_000)
        }
    }

    @Test("The body of a failure is ignored, even if it is too large, invalid or incomplete")
    func failureBodies() async throws {
        let long = String(repeating: "x", count: 200_000)
        for rest in [
            "Content-Length: 99999999\r\n\r\nx", "Content-Length: 200000\r\n\r\n\(long)",
            "\r\n\(long)", "Content-Encoding: gzip\r\n\r\nx", "Content-Length: 9\r\n\r\nabc",
        ] {
            let failed = try await failure("HTTP/1.1 503 Busy\r\nRetry-After: 3\r\n\(rest)") {
                $0.responseBytesMax = 1024
            }
            #expect(failed?.code == .backendUnavailable)
            #expect(failed?.retryAfterMs == 3000)
        }
    }

    @Test("After 40 failures with a status of 5xx, the next successful answer is a page")
    func storm() async throws {
        let calls = Counter()
        let server = try LocalServer { exchange in
            calls.increment()
            exchange.reply(calls.value <= 40 ? 500 + calls.value % 5 : 200, "[1]")
        }
        let backend = try HTTPBackend(url: server.url, options: .patient())
        for call in 1...40 {
            let failed = await backend.failure(request)
            #expect(failed?.code == (call % 5 == 3 ? .backendUnavailable : .backendFailed))
        }
        #expect(try await backend.load(request).count == 1)
    }

    @Test("Headers or a body that arrive too slowly fail at the total timeout")
    func drip() async throws {
        for start in ["", "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"] {
            let server = try LocalServer { exchange in
                exchange.send(start)
                let text = start.isEmpty ? "HTTP/1.1 200 OK\r\nX: " : "["
                exchange.send(text)
                while exchange.send(" ") { usleep(20_000) }
            }
            let options = HTTPOptions.patient { $0.totalTimeoutMs = 300 }
            let backend = try HTTPBackend(url: server.url, options: options)
            let failed = await backend.failure(request)
            #expect(failed == LoadFailure(.backendTimedOut, "No answer in 300 ms."))
        }
    }

    @Test(
        "If the connection closes early, the call fails with backendFailed",
        arguments: [
            "", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nContent-",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1,2",
        ])
    func broken(answer: String) async throws {
        let failed = try await failure(answer)
        #expect(failed?.code == .backendFailed)
        #expect(failed?.isTemporary == true)
    }

    @Test(
        "Answers with invalid chunks, lengths or statuses fail with the expected code",
        arguments: [
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n[1]\r\n0\r\n\r\n",
                .backendFailed
            ),
            ("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n[1]", .backendAnswerMalformed),
            ("HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\n[1]", .backendAnswerMalformed),
            ("HTTP/1.1 999 OK\r\n\r\n[1]", .backendFailed),
            ("HTTP/1.1 2000 OK\r\n\r\n[1]", .backendAnswerMalformed),
            ("HTTP/9.9 200 OK\r\n\r\n[1]", .backendAnswerMalformed),
            ("\u{0}\u{1}\u{2}\r\n\r\n", .backendAnswerMalformed),
        ] as [(String, FaultCode)])
    func nonsense(answer: String, code: FaultCode) async throws {
        #expect(try await failure(answer)?.code == code)
    }

    @Test("Duplicate items are accepted, and a wrong type is refused with the field's name")
    func oddPages() async throws {
        let twins = try LocalServer { $0.reply(200, #"[{"id":1},{"id":1}]"#) }
        let page = try await HTTPBackend(url: twins.url, options: .patient()).load(request)
        #expect((page.count, page.items) == (2, Array(#"[{"id":1},{"id":1}]"#.utf8)))
        let wrong = try LocalServer { $0.reply(200, #"{"items":[],"more":"yes"}"#) }
        let failed = try await HTTPBackend(url: wrong.url, options: .patient()).failure(request)
        #expect(failed?.code == .backendAnswerMalformed)
        #expect(failed?.message.contains("`more`") == true)
    }

    @Test("No failure message contains the URL, the host, the path or a part of the answer")
    func secrets() async throws {
        for answer in [
            "HTTP/1.1 404 s3cret\r\n\r\ns3cret", "HTTP/1.1 200 OK\r\n\r\n{\"s3cret\":1}",
            "HTTP/1.1 302 OK\r\nLocation: http://s3cret/\r\n\r\n", "s3cret\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Encoding: s3cret\r\n\r\n",
        ] {
            let message = try await failure(answer) { $0.redirects = 3 }?.message
            #expect(message?.contains("s3cret") == false)
            #expect(message?.contains("127.0.0.1") == false)
        }
    }
}
