import Foundation
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer

/// Workers that connect to a whole daemon over sockets.
@Suite("Connected workers", .limit)
struct WorkerConnectionTests {
    /// `sha256` is the hash of the text "password".
    static let configuration = """
        tokens:
          - name: library
            sha256: "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"
            may: [work]
          - name: deploy
            sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
            may: [change]
        feeds:
          songs: { backend: worker, paging: cursor, size: 2 }
          films: { backend: worker, paging: cursor, size: 2 }
        """

    private static func register(
        _ worker: CheckedLine, token: String = "password", feeds: [String] = ["songs"],
        capacity: Int = 1
    ) {
        let list = feeds.map { "\"\($0)\"" }.joined(separator: ",")
        worker.send(
            #"{"type":"register","token":"\#(token)","feeds":[\#(list)],"capacity":\#(capacity)}"#)
    }

    /// Returns a worker that has registered.
    ///
    /// On a busy machine, the time between the upgrade and the message may exceed the timeout. Then
    /// another worker connects.
    static func registered(
        _ daemon: TestDaemon, feeds: [String] = ["songs"], capacity: Int = 1
    ) async throws -> CheckedLine {
        for _ in 0..<20 {
            let worker = try await daemon.worker()
            register(worker, feeds: feeds, capacity: capacity)
            guard let answer = await worker.receive(within: .patient).text else { continue }
            #expect(answer.hasPrefix(#"{"type":"registered","worker":""#))
            #expect(answer.hasSuffix(#"","heartbeatMs":25000}"#))
            return worker
        }
        throw NeverInTime()
    }

    /// None of 20 connections sent its first message in time.
    private struct NeverInTime: Error {}

    private func view(_ daemon: TestDaemon) async throws -> CheckedLine {
        let client = try await daemon.checkedClient()
        client.send(
            #"[{"type":"hello","protocol":1},{"type":"attach","seq":1,"view":"list","#
                + #""profile":"iqpulltorefresh","feed":"songs","#
                + #""geometry":{"viewport":{"width":100,"height":100}}},"#
                + #"{"type":"refresh","view":"list","seq":2}]"#)
        return client
    }

    private func received(
        _ wanted: String, by client: CheckedLine
    ) async throws -> String {
        var text = ""
        while !text.contains(wanted) {
            text += try #require(await client.receive(within: .patient).text)
        }
        return text
    }

    private func id(of load: String) throws -> String {
        let value = try JSONValue(parsing: load)
        #expect(value["type"]?.string == "load")
        return try #require(value["id"]?.string)
    }

    private func close(of client: CheckedLine) async -> UInt16? {
        for _ in 0..<10 {
            if case .closed(let code, _) = await client.receive(within: .patient) { return code }
        }
        return nil
    }

    @Test("The worker receives the load of a client's refresh, and the client receives the page")
    func load() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await Self.registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        #expect(load.contains(#""feed":"songs","kind":"refresh""#))
        worker.send(
            #"{"type":"page","id":"\#(try id(of: load))","items":[ {"n":1} ],"more":false}"#)
        #expect(try await received(#""type":"items""#, by: client).contains(#"[ {"n":1} ]"#))
    }

    @Test("If a worker disconnects, another worker gets its load")
    func lost() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let first = try await Self.registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await first.receive(within: .patient).text)
        #expect(load.contains(#""attempt":1"#))
        first.cut()
        let second = try await Self.registered(daemon)
        let again = try #require(await second.receive(within: .patient).text)
        #expect(again.contains(#""attempt":2"#))
        let key = try JSONValue(parsing: load)["key"]?.string
        #expect(try JSONValue(parsing: again)["key"]?.string == key)
        second.send(#"{"type":"page","id":"\#(try id(of: again))","items":[7]}"#)
        #expect(try await received(#""type":"items""#, by: client).contains("[7]"))
    }

    @Test("A worker without permission is closed with 4010", arguments: ["secret", "test", ""])
    func token(_ token: String) async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await daemon.worker()
        Self.register(worker, token: token)
        #expect(await close(of: worker) == 4010)
    }

    @Test("A worker that registers for a feed whose backend is not `worker` is closed with 4011")
    func feed() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await daemon.worker()
        Self.register(worker, feeds: ["songs", "others"])
        #expect(await close(of: worker) == 4011)
    }

    @Test(
        "A worker whose first message is invalid is closed with 4012",
        arguments: [
            "x", "{}", #"{"type":"register"}"#,
            #"{"type":"register","token":"password","feeds":["songs"],"capacity":0}"#,
        ])
    func first(_ message: String) async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await daemon.worker()
        worker.send(wrong: message)
        #expect(await close(of: worker) == 4012)
    }

    @Test("A worker that sends an answer before its registration is closed with 4012")
    func unregistered() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await daemon.worker()
        worker.send(#"{"type":"page","id":"1","items":[]}"#)
        #expect(await close(of: worker) == 4012)
    }

    @Test(
        "If a registered worker sends an invalid answer, it is closed with 4012 and the load fails",
        arguments: ["x", #"{"type":"page","id":"ID","items":1}"#])
    func second(_ message: String) async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await Self.registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        worker.send(wrong: message.replacing("ID", with: try id(of: load)))
        #expect(await close(of: worker) == 4012)
        _ = try await received("backendAnswerMalformed", by: client)
    }

    @Test("A worker whose message is too long is closed with 1009, and its load fails")
    func tooLong() async throws {
        let daemon = try TestDaemon(
            Self.configuration.replacing(
                "backend: worker,", with: "backend: worker, lineBytesMax: 2000,"))
        let worker = try await Self.registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        let long = String(repeating: "x", count: 3000)
        worker.send(#"{"type":"page","id":"\#(try id(of: load))","items":["\#(long)"]}"#)
        #expect(await close(of: worker) == 1009)
        _ = try await received("backendAnswerTooLarge", by: client)
    }

    @Test("A worker that does not register in time is closed with 4003")
    func silent() async throws {
        let daemon = try TestDaemon("limits: { helloTimeoutMs: 100 }\n" + Self.configuration)
        let worker = try await daemon.worker()
        #expect(await close(of: worker) == 4003)
    }

    @Test("A registered worker may be silent")
    func silentLater() async throws {
        let daemon = try TestDaemon("limits: { helloTimeoutMs: 2000 }\n" + Self.configuration)
        let worker = try await Self.registered(daemon)
        // When this later worker has reached its timeout, the first worker would also have reached
        // its timeout, if it had one.
        let late = try await daemon.worker()
        #expect(await close(of: late) == 4003)
        // The client must also send its first message in time.
        var client: CheckedLine?
        for _ in 0..<20 where client == nil {
            let next = try await view(daemon)
            let answer = await next.receive(within: .patient).text
            if answer?.contains(#""type":"welcome""#) == true { client = next }
        }
        #expect(client != nil)
        #expect(await worker.receive(within: .patient).text?.contains(#""type":"load""#) == true)
        client?.cut()
    }

    @Test("A worker's upgrade with an origin or wrong subprotocol, or above the limit, is refused")
    func gate() async throws {
        let daemon = try TestDaemon("limits: { workersMax: 1 }\n" + Self.configuration)
        let url = "ws://127.0.0.1:\(daemon.port)/v1/worker"
        await #expect(throws: DialFailure.refused(status: 403)) {
            try await daemon.dialer.connect(
                url, subprotocol: "refresh.worker.v1", origin: "http://127.0.0.1:\(daemon.port)")
        }
        await #expect(throws: DialFailure.refused(status: 400)) {
            try await daemon.dialer.connect(url, subprotocol: "refresh.v1", origin: nil)
        }
        await #expect(throws: DialFailure.refused(status: 400)) {
            try await daemon.dialer.connect(
                "ws://127.0.0.1:\(daemon.port)/v1/session", subprotocol: "refresh.worker.v1",
                origin: nil)
        }
        let worker = try await daemon.worker(subprotocol: nil)
        let late = try await daemon.worker()
        Self.register(worker)
        _ = try #require(await worker.receive(within: .patient).text)
        await #expect(throws: DialFailure.refused(status: 503)) { try await daemon.worker() }
        Self.register(late)
        #expect(await close(of: late) == 4102)
        worker.cut()
        var isIn = false
        for _ in 0..<6000 * patience where !isIn {
            isIn = (try? await daemon.worker()) != nil
            if !isIn { try await Task.sleep(for: .milliseconds(10)) }
        }
        #expect(isIn)
    }

    @Test(
        "Unregistered connections do not count as workers, and their number per address is limited"
    )
    func idlers() async throws {
        let daemon = try TestDaemon("limits: { workersMax: 1 }\n" + Self.configuration, loops: 1)
        var idlers: [CheckedLine] = []
        for _ in 0..<WorkerArrivals.mostPerAddress { idlers.append(try await daemon.worker()) }
        let worker = try await Self.registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        #expect(load.contains(#""type":"load""#))
        #expect(await close(of: idlers[0]) == 4102)
        client.cut()
    }

    @Test("Before the registration, a worker's message may be at most as long as a client's")
    func longBeforeRegistering() async throws {
        let limits = "limits: { frameBytesMax: 2000, snapshotBytesMax: 1024, tokenBytesMax: 64 }"
        let daemon = try TestDaemon(limits + "\n" + Self.configuration)
        let long = String(repeating: "x", count: 3000)
        let unknownWorker = try await daemon.worker()
        unknownWorker.send(#"{"type":"page","id":"1","items":["\#(long)"]}"#)
        #expect(await close(of: unknownWorker) == 1009)
        // After the registration, a message may be as long as the feeds of the worker allow.
        let worker = try await Self.registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        worker.send(#"{"type":"page","id":"\#(try id(of: load))","items":["\#(long)"]}"#)
        #expect(try await received(#""type":"items""#, by: client).contains(long))
    }

    @Test("Without a feed for workers, a request for the workers' path is answered with 404")
    func absent() async throws {
        let daemon = try TestDaemon()
        await #expect(throws: DialFailure.refused(status: 404)) { try await daemon.worker() }
    }

    @Test("If a load is cancelled, its worker receives `cancel`")
    func cancelled() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await Self.registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        client.send(#"{"type":"bye"}"#)
        let next = try #require(await worker.receive(within: .patient).text)
        #expect(next == #"{"type":"cancel","id":"\#(try id(of: load))"}"#)
    }

    @Test("When the daemon drains, workers receive `bye` and are closed with 4100")
    func drain() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await Self.registered(daemon)
        daemon.server.drain {}
        #expect(await worker.receive(within: .patient).text == #"{"type":"bye"}"#)
        #expect(await close(of: worker) == 4100)
    }

    @Test("A worker that reports a change of a feed that it does not serve is closed with 4012")
    func changed() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await Self.registered(daemon)
        worker.send(#"{"type":"changed","feed":"films"}"#)
        #expect(await close(of: worker) == 4012)
    }
}
