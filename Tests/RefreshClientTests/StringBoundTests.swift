import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Texts that are longer than the daemon permits. A kept one would be refused with each `hello`.
struct StringBoundTests {
    private static let features = ["query", "unread"]

    private static func makeRun(
        views: [ViewDescription] = [ClientMachineTests.list], limits: Limits = Limits(),
        refreshed: [String] = ["list"]
    ) -> ClientRun {
        ClientRun(
            ClientConfiguration(
                client: "test", views: views, features: features, refreshedViews: refreshed),
            daemon: TestDaemon(limits: limits), random: SeededGenerator(seed: 1))
    }

    private func reports(_ run: ClientRun) -> [String] {
        run.events.compactMap { event in
            if case .diagnostic(nil, let text, _, _, _) = event { return text }
            return nil
        }
    }

    private func faults(_ run: ClientRun) -> [String] {
        run.events.compactMap { event in
            if case .fault(_, let name, _, _) = event { return name }
            return nil
        }
    }

    private func query(_ run: inout ClientRun, _ parameters: [String: String]) {
        run.change { machine, now in
            machine.query("list", parameters: parameters, debounceMs: nil, shown: .clear, at: now)
        }
    }

    private func read(_ run: inout ClientRun, _ id: String) {
        var message = ClientMachine.message("read", "list")
        message["id"] = .string(id)
        run.send(message)
    }

    @Test(
        "A text is as long as its bytes in the frame",
        arguments: [
            (String(repeating: "x", count: 1024), true),
            (String(repeating: "x", count: 1025), false),
            (String(repeating: "\"", count: 512), true),
            (String(repeating: "\"", count: 513), false),
            (String(repeating: "\u{1}", count: 170), true),
            (String(repeating: "\u{1}", count: 171), false),
            (String(repeating: "é", count: 512), true), (String(repeating: "é", count: 513), false),
        ])
    func lengths(_ text: String, _ isSent: Bool) {
        var run = Self.makeRun()
        run.connect()
        let seq = run.machine.link.seq
        query(&run, ["q": text])
        #expect((run.machine.link.seq > seq) == isSent)
        #expect(
            reports(run)
                == (isSent
                    ? []
                    : [
                        "The client has ignored `configure`, because `parameters.q` has more "
                            + "than 1024 bytes."
                    ]))
        #expect(faults(run).isEmpty)
    }

    @Test("A query that is too long changes nothing, and the requests around it reach the daemon")
    func queries() {
        let long = String(repeating: "q", count: 1025)
        var run = Self.makeRun()
        run.connect()
        run.answerLoad()
        run.advance(to: 5000)
        run.cut()
        run.send(#"{"type":"loadMore","view":"list"}"#)
        query(&run, ["q": long])
        query(&run, [long: "q"])
        query(
            &run,
            Dictionary(uniqueKeysWithValues: (0..<70).map { ("p\($0)", String(long.dropLast())) }))
        #expect(
            reports(run).map { $0.prefix(60) }
                == [
                    "The client has ignored `configure`, because `parameters.q` has",
                    "The client has ignored `configure`, because `parameters.qqqq",
                    "The client has ignored `configure`, because it has more than",
                ].map { $0.prefix(60) })
        #expect(run.view.items.count == 16)
        #expect(run.machine.views[0].body["parameters"] == nil)
        run.reconnect()
        #expect(run.status == .open)
        #expect(faults(run).isEmpty)
        #expect(run.daemon.loads.count == 1)
    }

    @Test("The load of an app does not end by an answer that is too long")
    func loads() {
        var run = Self.makeRun(views: [
            ViewDescription(
                name: "list", geometry: GeometryUpdate(viewport: .init(width: 1, height: 1)))
        ])
        run.connect()
        #expect(run.view.loads.count == 1)
        var message = ClientMachine.message("loadFinished", "list")
        message["load"] = .string(run.view.loads.first ?? "")
        message["result"] = .string("success")
        message["cursor"] = .string(String(repeating: "c", count: 1025))
        run.change { machine, now in machine.finishLoad(message, at: now) }
        #expect(run.view.loads.count == 1)
        #expect(reports(run).count == 1)
        message["cursor"] = .string(String(repeating: "c", count: 1024))
        run.change { machine, now in machine.finishLoad(message, at: now) }
        #expect(run.view.loads.isEmpty)
        #expect(faults(run).isEmpty)
    }

    @Test("A view with a text that is too long is refused, and the other views are attached")
    func views() {
        let long = ViewDescription(
            name: "long", feed: "packages", parameters: ["q": String(repeating: "q", count: 1025)],
            geometry: GeometryUpdate(viewport: .init(width: 390, height: 720)))
        var run = Self.makeRun(views: [ClientMachineTests.list, long])
        run.connect()
        #expect(run.status == .open)
        #expect(run.view.isAttached)
        #expect(run.machine.state.views["long"]?.refusal == "stringTooLong")
        #expect(faults(run) == ["stringTooLong"])
    }

    @Test("If the daemon refuses a frame of `hello`, the client sends `hello` alone, once")
    func helloAlone() {
        var limits = Limits()
        limits.stringBytesMax = 64
        var run = Self.makeRun(limits: limits)
        // Before the first `welcome`, the client assumes the default of the limit.
        read(&run, String(repeating: "x", count: 65))
        run.recordsFrames = true
        run.connect()
        #expect(run.status == .open)
        #expect(run.sentTypes.prefix(2) == [["hello", "refresh", "read"], ["hello"]])
        #expect(run.connectionCount == 2)
        #expect(faults(run) == ["stringTooLong"])
        #expect(
            reports(run)
                == ["refresh", "read"].map { type in
                    "The client has dropped `\(type)`, because the daemon has refused it with `hello` "
                        + "(stringTooLong)."
                })
        // The limit of the daemon is known now.
        read(&run, String(repeating: "x", count: 65))
        #expect(reports(run).last?.hasSuffix("more than 64 bytes.") == true)
        run.send(#"{"type":"refresh","view":"list"}"#)
        run.cut()
        run.reconnect()
        #expect(run.daemon.loads.count == 1)
        #expect(faults(run) == ["stringTooLong"])
    }

    @Test("If the daemon refuses also `hello` alone, the client does not connect again")
    func refusedAlone() {
        var limits = Limits()
        limits.stringBytesMax = 64
        var run = Self.makeRun(
            views: [
                ViewDescription(
                    name: "list", feed: "packages",
                    parameters: ["q": String(repeating: "q", count: 65)],
                    geometry: GeometryUpdate(viewport: .init(width: 390, height: 720)))
            ], limits: limits)
        run.connect()
        #expect(run.status == .refused)
        #expect(run.connectionCount == 2)
        #expect(run.machine.state.refusal?.contains("stringTooLong") == true)
    }

    @Test("Kept messages that another daemon would refuse are dropped and reported")
    func smallerLimit() {
        var machine = ClientMachine.opened()
        let kept = (0..<3).map { number in
            var message = ClientMachine.message("read", "list")
            message["id"] = .string(String(repeating: "x", count: number == 1 ? 100 : 10))
            message["number"] = .number(Double(number))
            // Only the newest `read` is kept.
            if number < 2 { message["type"] = .string("retry") }
            return message
        }
        _ = machine.perform(kept, at: 1)
        let effects = machine.received(
            #"""
            {"type":"welcome","protocol":1,"session":"a","token":"b",
             "limits":{"stringBytesMax":64}}
            """#, at: 2)
        let text = "The client has dropped `retry`, because `id` has more than 64 bytes."
        #expect(
            effects.contains(
                .emit(.diagnostic(nil, message: text, field: "id", view: "list", page: nil))))
        let sent = effects.compactMap { effect in
            if case .send(let text) = effect { return try? JSONValue(parsing: text) }
            return nil
        }
        #expect(sent.first?.array?.map { $0["number"]?.number } == [0, 2])
    }
}
