import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Views that the daemon refuses to attach.
struct RefusedViewTests {
    private static func view(_ feed: String) -> ViewDescription {
        ViewDescription(
            name: "list", profile: "iqpulltorefresh", feed: feed,
            geometry: GeometryUpdate(
                viewport: .init(width: 390, height: 720),
                content: .init(width: 390, height: 1088)))
    }

    private static func makeRun(views: [ViewDescription]) -> ClientRun {
        var run = ClientRun(
            ClientConfiguration(client: "test", views: views, refreshedViews: ["list"]),
            daemon: TestDaemon(), random: SeededGenerator(seed: 1))
        run.connect()
        return run
    }

    private func isLoading(_ run: ClientRun) -> Bool {
        [.triggered, .refreshing].contains(run.view.edges[.top]?.state)
    }

    private func faults(_ run: ClientRun) -> [String] {
        run.events.compactMap { event in
            guard case .fault(_, let name, _, let view) = event, view == "list" else { return nil }
            return name
        }
    }

    private func failures(_ run: ClientRun) -> [String?] {
        run.events.compactMap { event in
            guard case .loadFailed(.failed, let code, _, "list") = event else { return nil }
            return .some(code)
        }
    }

    @Test("The load of a view with an unknown feed fails, and its state names the fault")
    func unknownFeed() {
        let run = Self.makeRun(views: [Self.view("missing")])
        #expect(run.status == .open)
        #expect(faults(run) == ["unknownFeed"])
        #expect(failures(run) == ["unknownFeed"])
        #expect(!isLoading(run))
        #expect(run.view.refusal == "unknownFeed")
        #expect(!run.view.isAttached)
    }

    @Test("Nothing is sent about a refused view, and what the user asks for fails")
    func laterMessages() {
        var run = Self.makeRun(views: [Self.view("missing")])
        run.advance(to: run.now + 3000)
        let seq = run.machine.link.seq
        #expect(run.view.edges[.top]?.state == .idle)
        for (offset, phase) in [(0, "began"), (-80, "dragging"), (-80, "ended"), (0, "idle")] {
            run.advance(to: run.now + 16)
            run.send(
                #"{"type":"scroll","view":"list","offset":\#(offset),"phase":"\#(phase)"}"#)
        }
        #expect(failures(run).count == 2)
        run.send(#"{"type":"geometry","view":"list","content":{"width":390,"height":900}}"#)
        run.advance(to: run.now + 10_000)
        run.send(#"{"type":"refresh","view":"list"}"#)
        run.advance(to: run.now + 10_000)
        #expect(!isLoading(run))
        #expect(failures(run).count == 3)
        #expect(faults(run) == ["unknownFeed"])
        #expect(run.machine.link.seq == seq)
        #expect(run.machine.link.outbox.isEmpty)
    }

    @Test("A view that is attached in an open session can be refused, and attached again")
    func attachedAgain() {
        var run = Self.makeRun(views: [])
        run.change { machine, now in machine.attach(Self.view("missing"), at: now) }
        run.send(#"{"type":"refresh","view":"list"}"#)
        #expect(faults(run) == ["unknownFeed"])
        #expect(!isLoading(run))
        run.change { machine, now in machine.detach("list", at: now) }
        run.change { machine, now in machine.attach(Self.view("packages"), at: now) }
        run.send(#"{"type":"refresh","view":"list"}"#)
        #expect(run.view.isAttached)
        #expect(run.view.refusal == nil)
        #expect(isLoading(run))
        #expect(run.daemon.loads.count == 1)
        #expect(faults(run) == ["unknownFeed"])
    }

    @Test("The other views show the daemon's values, whatever waited for a refused view")
    func otherViews() {
        var body = Self.view("packages").body
        body["view"] = .string("other")
        var run = ClientRun(
            ClientConfiguration(
                client: "test", views: [ViewDescription(body: body), Self.view("missing")]),
            daemon: TestDaemon(), random: SeededGenerator(seed: 1))
        run.cut()
        run.connect()
        for (offset, phase) in [(0, "began"), (-80, "dragging"), (-80, "ended"), (0, "idle")] {
            run.send(
                #"{"type":"scroll","view":"list","offset":\#(offset),"phase":"\#(phase)"}"#)
        }
        run.reconnect()
        run.advance(to: run.now + 1000)
        #expect(run.view.refusal == "unknownFeed")
        #expect(failures(run) == ["unknownFeed"])
        #expect(run.machine.state.views["other"]?.isLocal == false)
    }

    @Test("The next connection tries to attach a refused view again, with its first load")
    func nextConnection() {
        var run = Self.makeRun(views: [Self.view("missing")])
        run.cut()
        #expect(!isLoading(run))
        run.reconnect()
        #expect(faults(run) == ["unknownFeed", "unknownFeed"])
        #expect(failures(run) == ["unknownFeed", "unknownFeed"])
        #expect(!isLoading(run))
    }
}
