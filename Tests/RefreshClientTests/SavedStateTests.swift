import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// A session that outlives the process of the app.
struct SavedStateTests {
    private static func configuration(
        _ names: [String] = ["list"], features: [String]? = ["patch"]
    ) -> ClientConfiguration {
        let views = names.map { name in
            var body = ClientMachineTests.list.body
            body["view"] = .string(name)
            return ViewDescription(body: body)
        }
        return ClientConfiguration(
            client: "test", views: views, features: features, diagnostics: true,
            refreshedViews: names)
    }

    private static func makeRun(_ names: [String] = ["list"]) -> ClientRun {
        var run = ClientRun(
            configuration(names), daemon: TestDaemon(itemKey: "/id"),
            random: SeededGenerator(seed: 1))
        run.connect()
        for _ in names { run.answerLoad() }
        run.advance(to: 5000)
        return run
    }

    private func mistakes(_ run: ClientRun) -> [ClientEvent] {
        run.events.filter { event in
            switch event {
            case .fault, .diagnostic, .sessionLost: true
            default: false
            }
        }
    }

    private func restart(_ run: inout ClientRun, _ names: [String] = ["list"]) {
        run.restartApp(Self.configuration(names))
        run.recordsFrames = true
        run.connect()
    }

    @Test(
        "The daemon learns where the list rests, although an earlier message reports another place")
    func restingPlace() {
        var run = Self.makeRun()
        run.stall()
        run.send(#"{"type":"geometry","view":"list","offset":0}"#)
        for (offset, phase) in [(0, "began"), (120, "dragging"), (120, "ended"), (120, "idle")] {
            run.send(
                #"{"type":"scroll","view":"list","offset":\#(offset),"phase":"\#(phase)"}"#)
        }
        run.send(#"{"type":"geometry","view":"list","anchor":{"id":"a","position":100}}"#)
        run.restartApp(Self.configuration())
        run.connect()
        #expect(run.view.offset.target == 120)
        run.send(
            #"{"type":"geometry","view":"list","anchor":{"id":"a","position":150}}"#)
        run.advance(to: run.now + 100)
        #expect(run.view.offset.target == 170, "the item stays where it was")
    }

    @Test("If the platform has moved the list, the client shows this place")
    func platformMoves() {
        var run = Self.makeRun()
        run.send(#"{"type":"geometry","view":"list","anchor":{"id":"a","position":100}}"#)
        run.send(
            #"{"type":"geometry","view":"list","offset":50,"anchor":{"id":"a","position":150}}"#)
        #expect(run.view.offset.target == 50)
    }

    @Test("A later process shows the items at once, and resumes without a load")
    func resumes() {
        var run = Self.makeRun()
        let items = run.view.items
        run.change { machine, now in machine.suspend(at: now) }
        run.restartApp(Self.configuration())
        #expect(run.view.items == items)
        #expect(run.status == .lost)
        run.recordsFrames = true
        run.connect()
        #expect(run.status == .open)
        #expect(run.sentTypes.first?.first == "hello")
        #expect(run.sentTypes.flatMap { $0 }.contains("appear"))
        #expect(!run.sentTypes.flatMap { $0 }.contains("refresh"))
        #expect(run.daemon.loads.isEmpty)
        #expect(run.view.items == items)
        run.send(#"{"type":"loadMore","view":"list"}"#)
        run.answerLoad(["{\"id\":100}"])
        #expect(run.view.items.count == 17)
        #expect(mistakes(run).isEmpty)
    }

    @Test("The next message has a larger number than those that were sent after the state")
    func numbers() {
        let run = Self.makeRun()
        let state = run.machine.savedState
        let seq = run.machine.link.seq
        let later = ClientMachine(Self.configuration(), savedState: state)
        #expect(later.link.seq == seq + 1000)
    }

    @Test("Requests that wait with the state reach the daemon once")
    func requests() {
        var run = Self.makeRun()
        run.cut()
        run.send(#"{"type":"loadMore","view":"list"}"#)
        run.mend()
        restart(&run)
        #expect(run.view.edges[.bottom]?.state == .loading)
        #expect(run.daemon.loads.count == 1)
        run.answerLoad((100..<116).map { #"{"id":\#($0)}"# })
        run.advance(to: run.now + 3000)
        #expect(run.daemon.loads.isEmpty)
        #expect(run.view.items.count == 32)
        #expect(mistakes(run).isEmpty)
    }

    @Test("A pull without a connection is answered by one load in a later process")
    func pull() {
        for isReleased in [false, true] {
            var run = Self.makeRun()
            run.cut()
            // A finger that is not lifted has not reached the threshold.
            let last = isReleased ? [(-80, "dragging"), (-80, "ended")] : []
            for (offset, phase) in [(0, "began"), (-40, "dragging")] + last {
                run.send(
                    #"{"type":"scroll","view":"list","offset":\#(offset),"phase":"\#(phase)"}"#)
            }
            run.mend()
            restart(&run)
            #expect(run.machine.views[0].touchedAt == nil)
            #expect(run.daemon.loads.count == (isReleased ? 1 : 0), "\(isReleased)")
            run.advance(to: run.now + 3000)
            let state: EdgeState = isReleased ? .refreshing : .idle
            #expect(run.view.edges[.top]?.state == state, "\(isReleased)")
        }
    }

    @Test("A view that the later process lacks is detached, and a new one is attached")
    func otherViews() {
        var run = Self.makeRun(["list", "gone"])
        run.cut()
        run.send(#"{"type":"loadMore","view":"gone"}"#)
        run.mend()
        restart(&run, ["list", "new"])
        #expect(mistakes(run).isEmpty)
        #expect(run.view.items.count == 16)
        // Only the new view loads its first page.
        #expect(run.daemon.loads.count == 1)
        run.answerLoad(count: 3)
        #expect(run.machine.state.views["new"]?.items.count == 3)
    }

    @Test("A view that was detached before the state was saved is not continued")
    func detached() {
        var run = Self.makeRun(["list", "other"])
        run.cut()
        run.change { machine, now in machine.detach("list", at: now) }
        run.mend()
        restart(&run, ["list", "other"])
        #expect(mistakes(run).isEmpty)
        #expect(run.daemon.loads.count == 1)
        run.answerLoad(count: 3)
        #expect(run.view.items.count == 3)
        #expect(run.machine.state.views["other"]?.items.count == 16)
    }

    @Test("If the daemon has crashed too, the session is rebuilt; without it, a fresh one begins")
    func otherDaemon() {
        for keepsKeys in [false, true] {
            var run = Self.makeRun()
            run.change { machine, now in machine.suspend(at: now) }
            run.restartDaemon(keepsKeys: keepsKeys)
            run.mend()
            restart(&run)
            #expect(run.status == .open)
            #expect(run.daemon.loads.count == (keepsKeys ? 0 : 1))
            #expect(mistakes(run).isEmpty == keepsKeys)
            #expect(run.view.items.count == 16)
        }
    }

    @Test("The state can be saved again, and a patch applies to the items of the state")
    func again() {
        var run = Self.makeRun()
        for round in 0..<3 {
            run.change { machine, now in machine.suspend(at: now) }
            restart(&run)
            run.send(#"{"type":"refresh","view":"list"}"#)
            let ids = (100...100 + round).map { $0 } + Array(0..<16)
            run.answerLoad(ids.map { #"{"id":\#($0)}"# })
            run.advance(to: run.now + 3000)
            #expect(run.view.items.count == 17 + round)
        }
        #expect(run.itemModes["patch", default: 0] == 3, "\(run.itemModes)")
        #expect(mistakes(run).isEmpty)
    }

    @Test("Without a session there is no state, and a strange state begins a new session")
    func strange() async {
        let machine = ClientMachine(Self.configuration())
        #expect(machine.savedState == nil)
        var closed = Self.makeRun()
        closed.change { machine, now in machine.close(at: now) }
        #expect(closed.machine.savedState == nil)
        let known = Self.makeRun().machine.savedState ?? ""
        #expect(known.contains(#""version":1"#))
        for state in [
            "", "[", "{}", "1", known.replacing(#""version":1"#, with: #""version":2"#),
            known.replacing(#""token""#, with: #""taken""#),
            #"{"version":1,"link":1,"seq":1,"views":{},"gone":[]}"#,
            #"{"version":1,"link":{},"seq":-1,"views":{},"gone":[]}"#, String(known.dropLast()),
        ] {
            var machine = ClientMachine(Self.configuration(), savedState: state)
            #expect(machine.state.status == .connecting)
            _ = machine.connect()
            guard case .send(let text)? = machine.opened(at: 0).first else {
                Issue.record("no hello")
                continue
            }
            #expect(!text.contains("resume"))
            #expect(text.contains("refresh"))
        }
    }
}
