import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer

/// Workers that connect in to a whole daemon, over sockets.
@Suite("Workers that connect in", .limit)
struct WorkerConnectionTests {
    /// The hash is that of "password".
    private static let configuration = """
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

    private func register(
        _ worker: CheckedLine, token: String = "password", feeds: [String] = ["songs"],
        capacity: Int = 1
    ) {
        let list = feeds.map { "\"\($0)\"" }.joined(separator: ",")
        worker.send(
            #"{"type":"register","token":"\#(token)","feeds":[\#(list)],"capacity":\#(capacity)}"#)
    }

    /// A worker that has registered.
    ///
    /// A busy machine may take longer between the upgrade and the message than the daemon allows;
    /// then another worker connects.
    private func registered(_ daemon: TestDaemon) async throws -> CheckedLine {
        for _ in 0..<20 {
            let worker = try await daemon.worker()
            register(worker)
            guard let answer = await worker.receive(within: .patient).text else { continue }
            #expect(answer.hasPrefix(#"{"type":"registered","worker":""#))
            #expect(answer.hasSuffix(#"","heartbeatMs":25000}"#))
            return worker
        }
        throw NeverInTime()
    }

    /// No connection of 20 sent its first message in time.
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

    @Test("a pull reaches the worker, and its page the client")
    func load() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        #expect(load.contains(#""feed":"songs","kind":"refresh""#))
        worker.send(
            #"{"type":"page","id":"\#(try id(of: load))","items":[ {"n":1} ],"more":false}"#)
        #expect(try await received(#""type":"items""#, by: client).contains(#"[ {"n":1} ]"#))
    }

    @Test("a worker that goes leaves its load to another")
    func lost() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let first = try await registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await first.receive(within: .patient).text)
        #expect(load.contains(#""attempt":1"#))
        first.cut()
        let second = try await registered(daemon)
        let again = try #require(await second.receive(within: .patient).text)
        #expect(again.contains(#""attempt":2"#))
        let key = try JSONValue(parsing: load)["key"]?.string
        #expect(try JSONValue(parsing: again)["key"]?.string == key)
        second.send(#"{"type":"page","id":"\#(try id(of: again))","items":[7]}"#)
        #expect(try await received(#""type":"items""#, by: client).contains("[7]"))
    }

    @Test("who may not work is closed with 4010", arguments: ["secret", "test", ""])
    func token(_ token: String) async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await daemon.worker()
        register(worker, token: token)
        #expect(await close(of: worker) == 4010)
    }

    @Test("a feed that is none of the workers' is closed with 4011")
    func feed() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await daemon.worker()
        register(worker, feeds: ["songs", "others"])
        #expect(await close(of: worker) == 4011)
    }

    @Test(
        "what is not understood is closed with 4012",
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

    @Test("an answer of one that has not registered is closed with 4012")
    func unregistered() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await daemon.worker()
        worker.send(#"{"type":"page","id":"1","items":[]}"#)
        #expect(await close(of: worker) == 4012)
    }

    @Test(
        "so it is after it has registered, and the load fails at the client",
        arguments: ["x", #"{"type":"page","id":"ID","items":1}"#])
    func second(_ message: String) async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        worker.send(wrong: message.replacing("ID", with: try id(of: load)))
        #expect(await close(of: worker) == 4012)
        _ = try await received("backendAnswerMalformed", by: client)
    }

    @Test("a message that is too long is closed with 1009, and the load fails")
    func tooLong() async throws {
        let daemon = try TestDaemon(
            Self.configuration.replacing(
                "backend: worker,", with: "backend: worker, lineBytesMax: 2000,"))
        let worker = try await registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        let long = String(repeating: "x", count: 3000)
        worker.send(#"{"type":"page","id":"\#(try id(of: load))","items":["\#(long)"]}"#)
        #expect(await close(of: worker) == 1009)
        _ = try await received("backendAnswerTooLarge", by: client)
    }

    @Test("who does not register in time is closed with 4003")
    func silent() async throws {
        let daemon = try TestDaemon("limits: { helloTimeoutMs: 100 }\n" + Self.configuration)
        let worker = try await daemon.worker()
        #expect(await close(of: worker) == 4003)
    }

    @Test("who has registered may be silent")
    func silentLater() async throws {
        let daemon = try TestDaemon("limits: { helloTimeoutMs: 2000 }\n" + Self.configuration)
        let worker = try await registered(daemon)
        // The time of this worker is over when that of a later one is.
        let late = try await daemon.worker()
        #expect(await close(of: late) == 4003)
        // A session has to send its first message in time as well.
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

    @Test("pages are no workers, sessions have another subprotocol, and there is a bound")
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
        register(worker)
        _ = try #require(await worker.receive(within: .patient).text)
        await #expect(throws: DialFailure.refused(status: 503)) { try await daemon.worker() }
        register(late)
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
        "those that never register take no worker's place; the oldest of too many of an address goes"
    )
    func idlers() async throws {
        let daemon = try TestDaemon("limits: { workersMax: 1 }\n" + Self.configuration, loops: 1)
        var idlers: [CheckedLine] = []
        for _ in 0..<WorkerArrivals.mostPerAddress { idlers.append(try await daemon.worker()) }
        let worker = try await registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        #expect(load.contains(#""type":"load""#))
        #expect(await close(of: idlers[0]) == 4102)
        client.cut()
    }

    @Test("who has not registered may send no more than a session may")
    func longBeforeRegistering() async throws {
        let limits = "limits: { frameBytesMax: 2000, snapshotBytesMax: 1024, tokenBytesMax: 64 }"
        let daemon = try TestDaemon(limits + "\n" + Self.configuration)
        let long = String(repeating: "x", count: 3000)
        let stranger = try await daemon.worker()
        stranger.send(#"{"type":"page","id":"1","items":["\#(long)"]}"#)
        #expect(await close(of: stranger) == 1009)
        // A worker may send what its feeds allow.
        let worker = try await registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        worker.send(#"{"type":"page","id":"\#(try id(of: load))","items":["\#(long)"]}"#)
        #expect(try await received(#""type":"items""#, by: client).contains(long))
    }

    @Test("without a feed for workers nothing is served at their path")
    func absent() async throws {
        let daemon = try TestDaemon()
        await #expect(throws: DialFailure.refused(status: 404)) { try await daemon.worker() }
    }

    @Test("a load that is cancelled is taken back from its worker")
    func cancelled() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await registered(daemon)
        let client = try await view(daemon)
        let load = try #require(await worker.receive(within: .patient).text)
        client.send(#"{"type":"bye"}"#)
        let next = try #require(await worker.receive(within: .patient).text)
        #expect(next == #"{"type":"cancel","id":"\#(try id(of: load))"}"#)
    }

    @Test("when the daemon drains, workers hear bye and are closed with 4100")
    func drain() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await registered(daemon)
        daemon.server.drain {}
        #expect(await worker.receive(within: .patient).text == #"{"type":"bye"}"#)
        #expect(await close(of: worker) == 4100)
    }

    @Test("a change of a feed that the worker has not registered for is not understood")
    func changed() async throws {
        let daemon = try TestDaemon(Self.configuration)
        let worker = try await registered(daemon)
        worker.send(#"{"type":"changed","feed":"films"}"#)
        #expect(await close(of: worker) == 4012)
    }
}
