import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Views that are attached again with another feed, before a snapshot has them. Source:
/// docs/coming-back.md, "Sealed snapshots".
struct OutdatedSnapshotTests {
    private static func view(_ name: String, feed: String) -> ViewDescription {
        var body = ClientMachineTests.list.body
        body["view"] = .string(name)
        body["feed"] = .string(feed)
        return ViewDescription(body: body)
    }

    private static func configuration(feed: String) -> ClientConfiguration {
        ClientConfiguration(
            client: "test", views: [view("list", feed: feed), view("other", feed: "packages")],
            diagnostics: true, refreshedViews: ["other"])
    }

    /// The snapshot has a view without items.
    private static func makeRun() -> ClientRun {
        var run = ClientRun(
            configuration(feed: "packages"), daemon: TestDaemon(),
            random: SeededGenerator(seed: 1))
        run.connect()
        run.answerLoad()
        run.advance(to: 5000)
        return run
    }

    private func attach(_ run: inout ClientRun, feeds: [String]) {
        for feed in feeds {
            run.change { machine, now in machine.detach("list", at: now) }
            run.change { machine, now in machine.attach(Self.view("list", feed: feed), at: now) }
        }
        #expect(run.view.isAttached)
    }

    private func expectNews(_ run: inout ClientRun) {
        #expect(run.status == .open)
        #expect(run.view.isAttached)
        let diagnostics = run.events.filter { event in
            if case .diagnostic = event { true } else { false }
        }
        #expect(diagnostics.isEmpty)
        while !run.daemon.loads.isEmpty { run.answerLoad() }
        run.send(#"{"type":"refresh","view":"list"}"#)
        #expect(run.daemon.lastFeed == "news")
        run.answerLoad(count: 3)
        #expect(run.view.items.count == 3)
    }

    private func losses(_ run: ClientRun) -> Int {
        run.events.count { event in
            if case .sessionLost = event { true } else { false }
        }
    }

    @Test("After a crash of the daemon, a view that was attached again has its own feed")
    func crash() {
        var run = Self.makeRun()
        attach(&run, feeds: ["news"])
        run.restartDaemon()
        run.reconnect()
        // The client has requested a snapshot with the new view.
        #expect(losses(run) == 0)
        #expect(run.machine.state.views["other"]?.items.count == 16)
        expectNews(&run)
    }

    @Test("Without a snapshot that has the new view, the session is a fresh one")
    func crashBeforeSnapshot() {
        var run = Self.makeRun()
        // The daemon answers the second request for a snapshot later.
        attach(&run, feeds: ["packages", "news"])
        run.restartDaemon()
        run.reconnect()
        #expect(losses(run) == 1)
        expectNews(&run)
    }

    @Test("A session that the daemon still has is resumed without the snapshot")
    func cut() {
        var run = Self.makeRun()
        attach(&run, feeds: ["packages", "news"])
        run.cut()
        run.reconnect()
        #expect(losses(run) == 0)
        #expect(run.machine.state.views["other"]?.items.count == 16)
        expectNews(&run)
    }

    @Test("A snapshot from before the hello that has detached a view is not used for a new view")
    func detachedByHello() throws {
        var run = Self.makeRun()
        let snapshot = try #require(run.machine.link.snapshot)
        #expect(run.machine.link.ack == snapshot.ack)
        run.cut()
        run.change { machine, now in machine.detach("list", at: now) }
        run.reconnect()
        #expect(run.machine.link.detachments.requiredAck(for: ["list"]) > snapshot.ack)
    }

    @Test("A later process does not continue a view that the earlier one has detached")
    func process() {
        var run = Self.makeRun()
        run.change { machine, now in machine.detach("list", at: now) }
        // The daemon confirms the detach by its answer to a ping.
        run.change { machine, now in machine.networkBecameAvailable(at: now) }
        #expect(run.machine.goneViews.isEmpty)
        run.restartDaemon()
        run.restartApp(Self.configuration(feed: "news"))
        run.mend()
        run.connect()
        expectNews(&run)
    }

    @Test("The number of remembered names has a bound, beyond which all names count as detached")
    func bound() {
        var detachments = Detachments()
        for number in 1...UInt64(Detachments.namesMax) {
            detachments.record("view\(number)", seq: number)
        }
        #expect(detachments.requiredAck(for: ["view3", "view5", "strange"]) == 5)
        #expect(detachments.requiredAck(for: ["strange"]) == 0)
        let last = UInt64(Detachments.namesMax) + 1
        detachments.record("view\(last)", seq: last)
        #expect(detachments.requiredAck(for: ["strange"]) == last)
        #expect(Detachments(detachments.saved).requiredAck(for: ["strange"]) == last)
    }
}
