import BrokerBench
import Foundation
import Glibc
import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBackends

@Suite("The http backend with a local server")
struct HTTPBackendTests {
    private let request = LoadRequest(feed: "h", kind: .more, page: 2, offset: 20, size: 20)

    private let patient = HTTPOptions.patient()

    @Test("The items of an envelope are returned byte for byte, with `more`, `next` and `total`")
    func envelope() async throws {
        let server = try LocalServer {
            $0.reply(200, #"{"total":45,"items":[{"id": 1.0},"\u00e9"],"more":true,"next":"c d"}"#)
        }
        let backend = try HTTPBackend(
            url: server.url + "/orders?page={page}&size={size}", options: patient)
        let page = try await backend.load(request)
        #expect(
            page
                == Page(
                    items: Array(#"[{"id": 1.0},"\u00e9"]"#.utf8), count: 2, more: true,
                    cursor: "c d", total: 45))
        let head = try #require(server.received.first)
        #expect(head.hasPrefix("GET /orders?page=2&size=20 HTTP/1.1\r\n"))
    }

    @Test(
        "If `more` is absent, `next` determines it. For a bare array, `more` is unknown",
        arguments: [
            ("[1,2]", nil, nil), (" [1,2] ", nil, nil),
            (#"{"items":[1,2]}"#, nil, nil),
            (#"{"items":[1,2],"next":"x"}"#, true, "x"),
            (#"{"items":[1,2],"next":null}"#, false, nil),
            (#"{"items":[1,2],"next":null,"more":true}"#, true, nil),
            (#"{"items":[1,2],"next":"x","more":false}"#, false, "x"),
        ] as [(String, Bool?, String?)])
    func shapes(body: String, more: Bool?, cursor: String?) async throws {
        let server = try LocalServer { $0.reply(200, body) }
        let page = try await HTTPBackend(url: server.url, options: patient).load(request)
        #expect(page == Page(items: Array("[1,2]".utf8), count: 2, more: more, cursor: cursor))
    }

    @Test(
        "Each status leads to one fault code, and for some statuses, Retry-After is used",
        arguments: [
            (301, .backendRejected, false), (304, .backendRejected, false),
            (400, .backendRejected, false), (401, .backendRejected, false),
            (404, .backendRejected, false), (410, .backendRejected, false),
            (408, .backendTimedOut, true), (425, .backendBusy, true), (429, .backendBusy, true),
            (500, .backendFailed, false), (502, .backendFailed, false),
            (503, .backendUnavailable, true), (504, .backendFailed, false),
        ] as [(Int, FaultCode, Bool)])
    func statuses(status: Int, code: FaultCode, tellsWhen: Bool) async throws {
        let server = try LocalServer { exchange in
            exchange.reply(status, "[]", headers: "Retry-After: 7\r\n")
        }
        let failed = try await HTTPBackend(url: server.url, options: patient).failure(request)
        #expect(failed?.code == code)
        #expect(failed?.message == "The backend answered \(status).")
        #expect(failed?.retryAfterMs == (tellsWhen ? 7000 : nil))
        #expect(failed?.isTemporary == (code != .backendRejected))
    }

    @Test("Retry-After is accepted as seconds or as a date, and ignored if past or invalid")
    func retryAfter() async throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = formatter.string(from: Date(timeIntervalSinceNow: 1000))
        let values: [(String, ClosedRange<Int>?)] = [
            ("", nil), ("Retry-After: \(date)\r\n", 900_000...1_001_000),
            ("Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n", nil),
            ("Retry-After: 99999999999999\r\n", 86_400_000...86_400_000),
            ("Retry-After: soon\r\n", nil), ("Retry-After: -5\r\n", nil),
        ]
        for (header, expected) in values {
            let server = try LocalServer { $0.reply(503, "", headers: header) }
            let failed = try await HTTPBackend(url: server.url, options: patient).failure(request)
            #expect(failed?.code == .backendUnavailable)
            let answered = failed?.retryAfterMs
            #expect((answered == nil) == (expected == nil), "\(header)")
            if let answered, let expected { #expect(expected.contains(answered), "\(header)") }
        }
    }

    @Test(
        "A body that is not a valid answer fails with backendAnswerMalformed",
        arguments: ["", "<html>", "{}", "[1,2", "[1]x", "{\"items\":1}", "null", "[\"\\ud800\"]"])
    func badBody(body: String) async throws {
        let server = try LocalServer { $0.reply(200, body) }
        let failed = try await HTTPBackend(url: server.url, options: patient).failure(request)
        #expect(failed?.code == .backendAnswerMalformed)
    }

    @Test("A call with an incomplete body fails. A body without a declared length is malformed")
    func halfBody() async throws {
        let truncated = try LocalServer {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1,2")
        }
        #expect(
            try await HTTPBackend(url: truncated.url, options: patient).failure(request)?.code
                == .backendFailed)
        let open = try LocalServer { $0.send("HTTP/1.1 200 OK\r\n\r\n[1,2") }
        #expect(
            try await HTTPBackend(url: open.url, options: patient).failure(request)?.code
                == .backendAnswerMalformed)
        let empty = try LocalServer { _ in }
        #expect(
            try await HTTPBackend(url: empty.url, options: patient).failure(request)?.code
                == .backendFailed)
    }

    @Test("An answer that is not HTTP fails with backendAnswerMalformed")
    func notHTTP() async throws {
        let server = try LocalServer { $0.send("SSH-2.0-OpenSSH_9.2\r\n[1]\r\n") }
        let failed = try await HTTPBackend(url: server.url, options: patient).failure(request)
        #expect(failed?.code == .backendAnswerMalformed)
    }

    @Test("A chunked answer that arrives byte by byte is read completely")
    func slow() async throws {
        let server = try LocalServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for byte in "[1,\"é\"]".utf8 {
                exchange.send(Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8))
                usleep(2000)
            }
            exchange.send("0\r\n\r\n")
        }
        let page = try await HTTPBackend(url: server.url, options: patient).load(request)
        #expect(page.items == Array("[1,\"é\"]".utf8))
    }

    @Test("A body of a gigabyte is aborted at the size limit")
    func gigabyte() async throws {
        let sent = Counter()
        let server = try LocalServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\n\r\n[")
            let piece = Array(repeating: UInt8(ascii: " "), count: 65_536)
            while sent.value < 16_384, exchange.send(piece) { sent.increment() }
        }
        let options = HTTPOptions.patient { $0.responseBytesMax = 1_048_576 }
        let backend = try HTTPBackend(url: server.url, options: options)
        #expect(await backend.failure(request)?.code == .backendAnswerTooLarge)
        // The backend read 1 MiB. The server sent this, and at most what fits into the socket
        // buffers.
        #expect(sent.value < 1024)
    }

    @Test("A Content-Length above the limit fails before the body, and the limit itself is allowed")
    func cap() async throws {
        let options = HTTPOptions.patient { $0.responseBytesMax = 1024 }
        let large = try LocalServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 1025\r\n\r\n")
            exchange.waitForHangUp()
        }
        let backend = try HTTPBackend(url: large.url, options: options)
        #expect(await backend.failure(request)?.code == .backendAnswerTooLarge)
        let body = "[" + String(repeating: " ", count: 1022) + "]"
        let exact = try LocalServer { $0.reply(200, body) }
        let page = try await HTTPBackend(url: exact.url, options: options).load(request)
        #expect(page.items == Array(body.utf8))
        let streamed = try LocalServer { $0.send("HTTP/1.1 200 OK\r\n\r\n \(body)") }
        let other = try HTTPBackend(url: streamed.url, options: options)
        #expect(await other.failure(request)?.code == .backendAnswerTooLarge)
    }

    @Test("If a server hangs before or in the body, the call fails at the total timeout")
    func hanging() async throws {
        let options = HTTPOptions.patient { $0.totalTimeoutMs = 400 }
        for text in ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1"] {
            let server = try LocalServer { exchange in
                exchange.send(text)
                exchange.waitForHangUp()
            }
            let backend = try HTTPBackend(url: server.url, options: options)
            let failed = await backend.failure(request)
            #expect(failed == LoadFailure(.backendTimedOut, "No answer in 400 ms."))
        }
    }

    @Test("A closed port or an unknown host fails with backendUnavailable")
    func refused() async throws {
        let port = try LocalServer.closedPort()
        let closed = try await HTTPBackend(url: "http://127.0.0.1:\(port)/", options: patient)
            .failure(request)
        #expect(closed?.code == .backendUnavailable)
        let nowhere = try await HTTPBackend(url: "http://nosuch.invalid/", options: patient)
            .failure(request)
        #expect(nowhere?.code == .backendUnavailable)
        #expect(nowhere?.message.contains("nosuch") == false)
    }

    @Test("If the task is cancelled, the connection is closed at once")
    func cancelling() async throws {
        let hungUp = Counter()
        let server = try LocalServer { exchange in
            exchange.waitForHangUp()
            hungUp.increment()
        }
        // The timeout is longer than the test, so it does not end the call.
        let options = HTTPOptions.patient { $0.totalTimeoutMs = 600_000 }
        let backend = try HTTPBackend(url: server.url, options: options)
        let task = Task { await backend.failure(request) }
        await eventually("the server receives the request") { server.received.count == 1 }
        task.cancel()
        #expect(await task.value != nil)
        await eventually("the connection is closed") { hungUp.value == 1 }
    }

    @Test("A task that is cancelled before it begins sends no request")
    func cancelledBefore() async throws {
        let server = try LocalServer { $0.reply(200, "[]") }
        let backend = try HTTPBackend(url: server.url, options: patient)
        let request = request
        let gate = Counter()
        let task = Task {
            while gate.value == 0 { await Task.yield() }
            return await backend.failure(request)
        }
        task.cancel()
        gate.increment()
        #expect(await task.value != nil)
        _ = try await backend.load(request)
        #expect(server.received.count == 1)
    }

    @Test("All of 300 concurrent calls end, although a third of them is cancelled")
    func manyCalls() async throws {
        let server = try LocalServer { exchange in
            usleep(1000)
            exchange.reply(200, "[1]")
        }
        let backend = try HTTPBackend(url: server.url, options: patient)
        let request = request
        let pages = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let task = Task { try? await backend.load(request) }
                    if number % 3 == 0 { task.cancel() }
                    return await task.value != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect((200...300).contains(pages))
    }

    @Test("A proxy from the environment is ignored, and a configured proxy is used")
    func proxy() async {
        // The test needs its own process, because all tests share the environment.
        await #expect(processExitsWith: .success) {
            let request = LoadRequest(feed: "h", kind: .more, page: 1, offset: 0, size: 1)
            let proxy = try LocalServer { $0.reply(200, "[\"by proxy\"]") }
            let server = try LocalServer { $0.reply(200, "[\"direct\"]") }
            for name in ["http_proxy", "ALL_PROXY"] { unsafe setenv(name, proxy.url, 1) }
            let direct = try await HTTPBackend(url: server.url).load(request)
            guard direct.items == Array("[\"direct\"]".utf8), proxy.received.isEmpty else {
                exit(1)
            }
            unsafe setenv("no_proxy", "127.0.0.1", 1)
            var options = HTTPOptions()
            options.proxy = proxy.url
            let through = try await HTTPBackend(url: server.url, options: options).load(request)
            guard through.items == Array("[\"by proxy\"]".utf8) else { exit(2) }
            exit(EXIT_SUCCESS)
        }
    }

    @Test("A connection is reused for the next call")
    func reuse() async throws {
        let connections = Counter()
        let server = try LocalServer { exchange in
            connections.increment()
            for _ in 0..<3 {
                exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
                guard exchange.skipRequest() else { return }
            }
        }
        let backend = try HTTPBackend(url: server.url, options: patient)
        for _ in 0..<3 { _ = try await backend.load(request) }
        #expect(connections.value == 1)
    }

    @Test("If a waiter of the broker is cancelled, the connection to the server is closed")
    func throughBroker() async throws {
        let hungUp = Counter()
        let server = try LocalServer { exchange in
            exchange.waitForHangUp()
            hungUp.increment()
        }
        let log = OutcomeLog()
        let broker = Broker(
            backends: ["h": try HTTPBackend(url: server.url, options: patient)],
            loadsInFlightMax: 4,
            deliver: log.deliver)
        broker.start(request, for: 1, deadlineMs: 120_000)
        await eventually("the server receives the request") { server.received.count == 1 }
        broker.cancel(1)
        await eventually("the transfer ends") { hungUp.value == 1 }
        await eventually("the waiter receives its outcome") { !log.all.isEmpty }
        #expect(log.all == [1: .cancelled])
        broker.stop()
    }
}
