import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Views that are detached, and attached again under the same name. The daemon must not continue
/// the earlier view.
struct ReturningViewTests {
    private static func view(_ name: String = "list", profile: String) -> ViewDescription {
        ViewDescription(
            name: name, profile: profile, feed: "packages",
            geometry: GeometryUpdate(
                viewport: .init(width: 390, height: 720),
                content: .init(width: 390, height: 1088)))
    }

    private static func makeRun(_ limits: Limits = Limits()) -> ClientRun {
        var run = ClientRun(
            ClientConfiguration(
                client: "test",
                views: [view(profile: "iqpulltorefresh"), view("other", profile: "default")],
                diagnostics: true, refreshedViews: ["list", "other"]),
            daemon: TestDaemon(limits: limits), random: SeededGenerator(seed: 1))
        run.connect()
        run.answerLoad()
        run.answerLoad()
        run.advance(to: 5000)
        run.recordsFrames = true
        return run
    }

    private func replace(_ run: inout ClientRun) {
        run.change { machine, now in machine.detach("list", at: now) }
        run.change { machine, now in
            machine.attach(Self.view(profile: "default"), at: now)
        }
        run.send(#"{"type":"refresh","view":"list"}"#)
    }

    private func expectNewView(_ run: inout ClientRun, _ comment: Comment = "") {
        let mistakes = run.events.filter { event in
            switch event {
            case .fault, .diagnostic, .sessionLost: true
            default: false
            }
        }
        #expect(mistakes.isEmpty, "\(comment) \(mistakes)")
        #expect(run.status == .open, comment)
        #expect(run.view.isAttached, comment)
        #expect(run.daemon.loads.count == 1, comment)
        #expect(run.machine.views.count == 2)
        // The room is that of the new view's profile.
        #expect(run.view.insets[.top]?.target == 64, comment)
        run.answerLoad(count: 3)
        run.advance(to: run.now + 3000)
        #expect(run.view.items.count == 3, comment)
        #expect(run.view.edges[.top]?.state == .idle, comment)
        let other = run.machine.state.views["other"]
        #expect(other?.items.count == 16, comment)
    }

    @Test("Without a connection, a view is attached again after the welcome")
    func offline() {
        var run = Self.makeRun()
        run.cut()
        replace(&run)
        run.reconnect()
        #expect(run.sentTypes.prefix(2) == [["hello"], ["attach", "refresh"]])
        expectNewView(&run)
        run.cut()
        run.reconnect()
        #expect(run.view.items.count == 3)
    }

    @Test("If the detach and the attach are lost with the connection, they have their effect later")
    func lost() {
        var run = Self.makeRun()
        run.stall()
        replace(&run)
        run.cut()
        run.reconnect()
        expectNewView(&run)
    }

    @Test("If only the answers are lost, the view is attached once more")
    func answersLost() {
        var run = Self.makeRun()
        run.isDeaf = true
        replace(&run)
        run.cut()
        run.isDeaf = false
        run.reconnect()
        expectNewView(&run)
    }

    @Test("The same is true if the session is rebuilt from a snapshot, or is lost")
    func otherSessions() {
        var run = Self.makeRun()
        replace(&run)
        run.restartDaemon()
        run.reconnect()
        expectNewView(&run, "snapshot")
        var limits = Limits()
        limits.resumeWindowMs = 1000
        run = Self.makeRun(limits)
        run.cut()
        replace(&run)
        run.advance(to: run.now + 5000)
        run.reconnect()
        #expect(run.status == .open)
        #expect(run.view.isAttached)
    }

    @Test("A connection that breaks before the welcome changes nothing")
    func breaksAgain() {
        var run = Self.makeRun()
        run.cut()
        replace(&run)
        run.mend()
        run.isDeaf = true
        run.advance(to: run.now + 40_000)
        #expect(run.connectionCount > 1)
        run.isDeaf = false
        run.reconnect()
        expectNewView(&run)
    }

    @Test("Messages about an earlier view of the name are not about the new one")
    func outdated() {
        var run = Self.makeRun()
        run.stall()
        replace(&run)
        run.inject(
            #"""
            [{"type":"attached","view":"list","ack":1,"generation":1,"top":{"role":"refresh"}},
             {"type":"items","view":"list","load":"1.77","mode":"replace","items":[{"id":1}]}]
            """#)
        #expect(!run.view.isAttached)
        #expect(run.view.items.isEmpty)
        #expect(run.machine.link.received["list"] == nil)
    }
}
