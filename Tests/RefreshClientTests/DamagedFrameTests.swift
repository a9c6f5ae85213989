import RefreshEngine
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Connections that do not work any more: damaged frames, and lines without answers.
struct DamagedFrameTests {
    private static func makeRun() -> ClientRun {
        var run = ClientRun(
            ClientConfiguration(
                client: "test", views: [ClientMachineTests.list], refreshedViews: ["list"]),
            daemon: TestDaemon(), random: SeededGenerator(seed: 1))
        run.connect()
        run.answerLoad()
        run.advance(to: 5000)
        return run
    }

    @Test(
        "A damaged frame ends the connection, and the session is resumed",
        arguments: ["", "{", "[", "1", "null", "[1]", #"[{"type":"pong"},2]"#, "\u{0}", "[{}"])
    func damaged(_ text: String) {
        var run = Self.makeRun()
        run.inject(text)
        #expect(run.status == .lost)
        let failures = run.events.filter { event in
            if case .connectionFailed = event { return true }
            return false
        }
        #expect(failures.count == 1)
        run.reconnect()
        #expect(run.status == .open)
        #expect(run.connectionCount == 2)
        #expect(run.view.items.count == 16)
        #expect(run.daemon.loads.isEmpty)
    }

    @Test("What follows a damaged frame has no effect, because something before it is missing")
    func afterDamage() {
        var machine = ClientMachine.opened()
        _ = machine.received(
            #"{"type":"welcome","protocol":1,"session":"a","token":"b"}"#, at: 1)
        _ = machine.perform([ClientMachine.message("refresh", "list")], at: 2)
        #expect(machine.received("[{", at: 3).last == .cut)
        #expect(machine.received(#"{"type":"update","view":"list","ack":1}"#, at: 4).isEmpty)
        #expect(machine.received("[{", at: 5).isEmpty)
        #expect(machine.link.outbox.count == 1)
    }

    @Test("Items as any backend can send them are no damage")
    func strangeItems() {
        var run = Self.makeRun()
        let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        run.send(#"{"type":"refresh","view":"list"}"#)
        run.answerLoad([
            #"{"id":1,"id":2}"#, #"{"id":1e-400}"#, deep, #"{"\u00e9":1,"e\u0301":2}"#,
        ])
        #expect(run.status == .open)
        #expect(run.view.items.count == 4)
        #expect(run.view.items.first == .object([.init("id", .number(2))]))
        #expect(run.view.items.dropFirst().first == .object([.init("id", .number(0))]))
    }

    @Test("A request on a dead line is noticed within 10 s, and reaches the daemon")
    func deadLine() {
        var run = Self.makeRun()
        run.advance(to: 8000)
        run.stall()
        run.send(#"{"type":"loadMore","view":"list"}"#)
        run.advance(to: run.now + ClientMachine.pongMs)
        #expect(run.connectionCount == 1)
        run.advance(to: run.now + ClientMachine.pongMs)
        #expect(run.status != .open || run.connectionCount > 1)
        run.reconnect()
        #expect(run.daemon.loads.count == 1)
    }

    @Test("A finger that moves for ever on a dead line does not keep the connection")
    func deadLineUnderFinger() {
        var run = Self.makeRun()
        run.stall()
        let start = run.now
        var offset = 0
        while run.status == .open, run.now < start + 60_000 {
            run.send(
                #"{"type":"scroll","view":"list","offset":\#(offset),"phase":"dragging"}"#)
            offset = (offset + 1) % 300
            run.advance(to: run.now + 16)
        }
        #expect(run.now - start <= 2 * ClientMachine.pongMs + 16)
    }

    @Test("A line that answers is pinged only after samples, and not while nothing is sent")
    func pings() {
        var run = Self.makeRun()
        run.recordsFrames = true
        run.send(#"{"type":"refresh","view":"list"}"#)
        run.answerLoad()
        run.advance(to: run.now + 20_000)
        #expect(run.sentTypes == [["refresh"]])
        run.send(#"{"type":"scroll","view":"list","offset":50,"phase":"began"}"#)
        run.send(#"{"type":"scroll","view":"list","offset":50,"phase":"idle"}"#)
        run.advance(to: run.now + 20_000)
        #expect(run.sentTypes == [["refresh"], ["scroll"], ["scroll"], ["ping"]])
        #expect(run.connectionCount == 1)
    }

    @Test("On another network, the client checks its connection at once")
    func network() {
        var run = Self.makeRun()
        run.recordsFrames = true
        run.change { machine, now in machine.networkBecameAvailable(at: now) }
        #expect(run.sentTypes == [["ping"]])
        run.advance(to: run.now + 6000)
        #expect(run.connectionCount == 1)
        run.stall()
        run.change { machine, now in machine.networkBecameAvailable(at: now) }
        run.advance(to: run.now + ClientMachine.pongMs)
        #expect(run.status != .open || run.connectionCount > 1)
    }

    @Test("After a crash of the daemon, an idle list is idle again, without a load")
    func crash() {
        for profile in Profile.allCases {
            var body = ClientMachineTests.list.body
            body["profile"] = .string(profile.rawValue)
            body["top"] = .object([.init("successHold", .number(700))])
            var run = ClientRun(
                ClientConfiguration(
                    client: "test", views: [ViewDescription(body: body)],
                    refreshedViews: ["list"]),
                daemon: TestDaemon(), random: SeededGenerator(seed: 1))
            run.connect()
            run.answerLoad()
            run.advance(to: 9000)
            #expect(run.view.edges[.top]?.state == .idle, "\(profile)")
            let picture = run.picture
            run.restartDaemon()
            #expect(run.picture == picture, "\(profile), without a connection")
            run.reconnect()
            // The daemon shows the end of the last load once more, if its snapshot is older.
            run.advance(to: run.now + 2000)
            #expect(run.picture == picture, "\(profile)")
            #expect(run.daemon.loads.isEmpty, "\(profile)")
            #expect(run.status == .open, "\(profile)")
            #expect(run.connectionCount == 2, "\(profile)")
        }
    }
}
