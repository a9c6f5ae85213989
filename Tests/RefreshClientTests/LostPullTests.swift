import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Pulls whose samples are lost with the connection, before the client notices the loss.
struct LostPullTests {
    private static func makeRun(
        _ limits: Limits = Limits(), refreshedViews: [String] = [], rebuilds: Bool = true,
        seed: UInt64 = 1
    ) -> ClientRun {
        var run = ClientRun(
            ClientConfiguration(
                client: "test", views: [ClientMachineTests.list], diagnostics: true,
                refreshedViews: refreshedViews),
            daemon: TestDaemon(limits: limits, rebuilds: rebuilds),
            random: SeededGenerator(seed: seed))
        run.connect()
        run.answerLoad()
        run.advance(to: 5000)
        return run
    }

    private static let pull: [(offset: Int, phase: String)] = [
        (0, "began"), (-40, "dragging"), (-80, "dragging"), (-80, "ended"),
    ]

    private func pull(_ run: inout ClientRun, stallAt stalled: Int = 0) {
        for (index, sample) in Self.pull.enumerated() {
            if index == stalled { run.stall() }
            run.advance(to: run.now + 16)
            run.send(
                #"""
                {"type":"scroll","view":"list","offset":\#(sample.offset),\#
                "phase":"\#(sample.phase)"}
                """#)
        }
        if stalled >= Self.pull.count { run.stall() }
    }

    private func reports(_ run: ClientRun) -> [DiagnosticCode] {
        run.events.compactMap { event in
            if case .diagnostic(let code?, _, _, _, _) = event { return code }
            return nil
        }
    }

    private func expectOneLoad(_ run: ClientRun, _ comment: Comment) {
        #expect(run.status == .open, comment)
        #expect(run.daemon.loads.count == 1, comment)
        #expect(run.view.edges[.top]?.state == .refreshing, comment)
        #expect(!reports(run).contains(.alreadyLoading), comment)
        #expect(run.largestJump < 0.001, comment)
    }

    @Test(
        "A pull that is released before the client notices the loss is answered by one load",
        arguments: [0.0, 1000, 13_000])
    func answered(after outage: Double) {
        var run = Self.makeRun()
        pull(&run)
        run.advance(to: run.now + 1000)
        run.send(#"{"type":"scroll","view":"list","offset":0,"phase":"idle"}"#)
        run.cut()
        #expect(run.view.edges[.top]?.state == .refreshing)
        run.advance(to: run.now + outage)
        #expect(run.view.edges[.top]?.state == .refreshing)
        run.reconnect()
        expectOneLoad(run, "after \(outage) ms")
        run.answerLoad()
        run.advance(to: run.now + 3000)
        #expect(run.view.edges[.top]?.state == .idle)
        #expect(run.view.items.count == 16)
    }

    @Test(
        "If the session is lost too, the pull is answered by one load in the next session",
        arguments: [[], ["list"]])
    func answeredInNextSession(refreshedViews: [String]) {
        var limits = Limits()
        limits.resumeWindowMs = 1000
        for outage in [0.0, 13_000] {
            var run = Self.makeRun(limits, refreshedViews: refreshedViews, rebuilds: false)
            pull(&run)
            run.advance(to: run.now + 100)
            run.cut()
            run.advance(to: run.now + 2000 + outage)
            run.reconnect()
            #expect(run.events.contains(.sessionLost(reason: "unknownSession")))
            expectOneLoad(run, "after \(outage) ms")
        }
    }

    @Test("A pull that the daemon has followed is not requested again")
    func followed() {
        var run = Self.makeRun()
        pull(&run, stallAt: Self.pull.count)
        run.advance(to: run.now + 500)
        run.cut()
        run.advance(to: run.now + 13_000)
        run.reconnect()
        expectOneLoad(run, "")
    }

    @Test("A pull that is cancelled without a connection is not requested")
    func cancelled() {
        var run = Self.makeRun()
        pull(&run)
        run.cut()
        run.send(#"{"type":"cancel","view":"list"}"#)
        run.advance(to: run.now + 13_000)
        run.reconnect()
        run.advance(to: run.now + 3000)
        #expect(run.daemon.loads.isEmpty)
        #expect(run.view.edges[.top]?.state == .idle)
    }

    @Test("Whenever the connection is lost, a pull is answered by one load")
    func property() {
        for seed in UInt64(0)..<200 {
            var random = SeededGenerator(seed: seed)
            var limits = Limits()
            limits.loadDeadlineMs = 3_600_000
            var run = Self.makeRun(limits, seed: seed)
            pull(&run, stallAt: .random(in: 0...Self.pull.count, using: &random))
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                run.advance(to: run.now + .random(in: 0...8000, using: &random))
                run.cut()
                run.advance(to: run.now + .random(in: 0...8000, using: &random))
                if Bool.random(using: &random) { run.mend() }
            }
            run.reconnect()
            run.advance(to: run.now + 1000)
            expectOneLoad(run, "seed \(seed)")
        }
    }
}
