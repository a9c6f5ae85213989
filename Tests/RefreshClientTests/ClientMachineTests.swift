import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

struct ClientMachineTests {
    static let list = ViewDescription(
        name: "list", profile: "iqpulltorefresh", feed: "packages",
        geometry: GeometryUpdate(
            viewport: GeometryUpdate.Size(width: 390, height: 720),
            content: GeometryUpdate.Size(width: 390, height: 1088)))

    private func makeRun(
        _ limits: Limits = Limits(), view: ViewDescription = list, refreshedViews: [String] = []
    ) -> ClientRun {
        ClientRun(
            ClientConfiguration(client: "test", views: [view], refreshedViews: refreshedViews),
            daemon: TestDaemon(limits: limits), random: SeededGenerator(seed: 1))
    }

    /// Pulls the list by 80 points, releases it, and lets it spring back to its room.
    private func pull(_ run: inout ClientRun) {
        for (offset, phase) in [(0, "began"), (-40, "dragging"), (-80, "dragging"), (-80, "ended")]
        {
            run.advance(to: run.now + 16)
            run.send(
                #"{"type":"scroll","view":"list","offset":\#(offset),"phase":"\#(phase)"}"#)
        }
        run.advance(to: run.now + 200)
        run.send(#"{"type":"scroll","view":"list","offset":-60,"phase":"idle"}"#)
    }

    @Test("A pull before the first connection is shown, and its refresh reaches the daemon")
    func pullWithoutConnection() {
        var run = makeRun()
        run.cut()
        run.connect()
        pull(&run)
        #expect(run.view.edges[.top]?.state == .refreshing)
        #expect(run.view.edges[.top]?.indicator.spin ?? 0 > 0)
        #expect(run.view.insets[.top]?.target == 60)
        #expect(run.status == .connecting)
        #expect(run.events.contains(.haptic(.impact, view: "list")))
        run.reconnect()
        #expect(run.status == .open)
        #expect(run.daemon.loads.count == 1)
        #expect(run.view.edges[.top]?.state == .refreshing)
        run.answerLoad()
        run.advance(to: run.now + 2000)
        #expect(run.view.edges[.top]?.state == .idle)
        #expect(run.view.insets[.top]?.target == 0)
        #expect(run.view.items.count == 16)
    }

    @Test(
        "The cues that were played without a connection are not played again",
        arguments: [false, true])
    func playsCuesOnce(hasSession: Bool) {
        func cues(_ run: ClientRun) -> [Haptic] {
            run.events.compactMap { if case .haptic(let cue, _) = $0 { cue } else { nil } }
        }
        func spoken(_ run: ClientRun) -> [SpokenCue] {
            run.events.compactMap { if case .announce(let cue, _) = $0 { cue } else { nil } }
        }
        var body = Self.list.body
        body["announcements"] = .bool(true)
        var run = makeRun(view: ViewDescription(body: body))
        if hasSession { run.connect() }
        run.cut()
        if !hasSession { run.connect() }
        pull(&run)
        #expect(cues(run) == [.selection, .impact])
        #expect(spoken(run) == [.refreshing])
        run.reconnect()
        #expect(run.view.edges[.top]?.state == .refreshing)
        #expect(cues(run) == [.selection, .impact])
        run.answerLoad()
        run.advance(to: run.now + 3000)
        #expect(run.view.edges[.top]?.state == .idle)
        #expect(spoken(run) == [.refreshing, .refreshed])
        pull(&run)
        #expect(spoken(run) == [.refreshing, .refreshed, .refreshing])
        #expect(cues(run) == [.selection, .impact, .selection, .impact])
    }

    @Test("The first load is announced once")
    func announcesOnce() {
        var body = Self.list.body
        body["announcements"] = .bool(true)
        var run = makeRun(view: ViewDescription(body: body), refreshedViews: ["list"])
        run.connect()
        let cues = run.events.compactMap { event in
            if case .announce(let cue, _) = event { return cue }
            return SpokenCue?.none
        }
        #expect(cues == [.refreshing])
    }

    @Test("If the session is lost, a refresh in the new session answers the pull of the user")
    func pullForLostSession() {
        var limits = Limits()
        limits.resumeWindowMs = 1000
        var run = makeRun(limits)
        run.connect()
        #expect(run.status == .open)
        run.cut()
        pull(&run)
        run.advance(to: run.now + 5000)
        run.reconnect()
        #expect(run.events.contains(.sessionLost(reason: "unknownSession")))
        #expect(run.daemon.loads.count == 1)
        #expect(run.view.edges[.top]?.state == .refreshing)
        #expect(run.largestJump < 0.001)
    }

    @Test("A load that waits for the connection has no deadline")
    func waitsWithoutDeadline() {
        var run = makeRun()
        run.connect()
        run.cut()
        run.send(#"{"type":"refresh","view":"list"}"#)
        run.advance(to: run.now + 50_000)
        #expect(run.view.edges[.top]?.state == .refreshing)
    }

    @Test("A message that the daemon has handled is not sent again")
    func sendsOnce() {
        var run = makeRun()
        run.connect()
        run.send(#"{"type":"refresh","view":"list"}"#)
        run.answerLoad()
        run.advance(to: run.now + 2000)
        run.cut()
        run.reconnect()
        #expect(run.connectionCount == 2)
        #expect(run.daemon.loads.isEmpty)
    }

    @Test("The waits before a connection are spread, and double up to 30 s")
    func backOff() {
        var random = SeededGenerator(seed: 7)
        var machine = ClientMachine(ClientConfiguration(client: "test", views: [Self.list]))
        var now = 0.0
        for attempt in 0..<12 {
            #expect(machine.connect() == [.dial])
            _ = machine.ended(code: 1006, at: now, random: &random)
            let longest = min(1000 * Double(1 << attempt), 30_000)
            let wait = (machine.nextDeadline ?? .infinity) - now
            #expect((longest / 10...longest).contains(wait), "seed 7, attempt \(attempt)")
            now += wait
        }
    }

    @Test(
        "After a close code that blames the client, it does not connect again",
        arguments: [
            1007, 1009, 4001, 4002, 4005,
        ])
    func refused(_ code: Int) {
        var random = SeededGenerator(seed: 7)
        var machine = ClientMachine.opened()
        _ = machine.ended(code: code, at: 1, random: &random)
        #expect(machine.state.status == .refused)
        #expect(machine.connect().isEmpty)
    }

    @Test("A connection without a pong is cut")
    func liveness() {
        var machine = ClientMachine.opened()
        _ = machine.received(
            #"{"type":"welcome","protocol":1,"session":"a","token":"b","heartbeat":1000}"#, at: 10)
        #expect(machine.state.status == .open)
        #expect(machine.nextDeadline == 1000)
        guard case .send(let ping)? = machine.timePassed(at: 1000).first else {
            Issue.record("no ping")
            return
        }
        #expect(ping.contains(#""ping""#))
        #expect(machine.timePassed(at: 5999).contains(.cut) == false)
        #expect(machine.timePassed(at: 6000) == [.cut])
    }

    @Test("In the background the session is kept, and in the foreground it is resumed")
    func background() {
        var run = makeRun(refreshedViews: ["list"])
        run.connect()
        run.answerLoad()
        run.advance(to: 3000)
        run.change { machine, now in machine.suspend(at: now) }
        #expect(run.status == .suspended)
        run.advance(to: 20_000)
        #expect(run.connectionCount == 1)
        run.change { machine, now in machine.resume(at: now) }
        #expect(run.status == .open)
        #expect(run.connectionCount == 2)
        #expect(!run.events.contains(.sessionLost(reason: nil)))
        #expect(run.view.items.count == 16)
        #expect(run.daemon.loads.isEmpty)
    }

    @Test(
        "The sample of a finger is repeated until the finger is lifted or the list rests",
        arguments: ["ended", "cancelled", "decelerating", "idle"])
    func touchEnds(_ phase: String) {
        var run = makeRun()
        run.connect()
        for phase in ["began", "dragging", "ended", "dragging"] {
            run.send(#"{"type":"scroll","view":"list","offset":50,"phase":"\#(phase)"}"#)
        }
        let seq = run.machine.link.seq
        run.advance(to: run.now + 2 * ClientMachine.touchMs)
        #expect(run.machine.link.seq == seq + 2)
        run.send(#"{"type":"scroll","view":"list","offset":50,"phase":"\#(phase)"}"#)
        run.advance(to: run.now + 10 * ClientMachine.touchMs)
        #expect(run.machine.link.seq == seq + 3)
        #expect(run.machine.views[0].touch == nil)
    }

    @Test("A movement of the program does not end the touch of a finger that rests")
    func touchContinues() {
        var run = makeRun()
        run.connect()
        run.send(#"{"type":"scroll","view":"list","offset":50,"phase":"began"}"#)
        run.send(
            #"{"type":"scroll","view":"list","offset":60,"phase":"decelerating","cause":"code"}"#)
        #expect(run.machine.views[0].touchedAt == run.now)
    }

    @Test("A value that continues as another motion does not jump")
    func motions() {
        for seed in UInt64(0)..<200 {
            var random = SeededGenerator(seed: seed)
            let motion = Motion(
                from: .random(in: -100...100, using: &random),
                to: .random(in: -100...100, using: &random), start: 0,
                duration: .random(in: 0...600, using: &random))
            let now = Double.random(in: 0...700, using: &random)
            let value = Double.random(in: -100...100, using: &random)
            let continued = motion.continued(from: value, at: now, blend: 150)
            #expect(abs(continued.value(at: now) - value) < 1e-6, "seed \(seed)")
            #expect(continued.value(at: now + 1000) == motion.target, "seed \(seed)")
            // The speed of the blend is limited: no step of a millisecond is a jump.
            for step in 0..<200 {
                let time = now + Double(step)
                let change = abs(continued.value(at: time + 1) - continued.value(at: time))
                #expect(change < 12, "seed \(seed), \(time) ms")
            }
        }
    }
}

extension ClientMachine {
    /// A client with one view, whose connection is open and which has received nothing.
    static func opened() -> ClientMachine {
        var machine = ClientMachine(
            ClientConfiguration(client: "test", views: [ClientMachineTests.list]))
        _ = machine.connect()
        _ = machine.opened(at: 0)
        return machine
    }
}
