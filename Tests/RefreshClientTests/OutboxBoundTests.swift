import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// The kept messages of a client have a bound, with and without a connection.
struct OutboxBoundTests {
    private func makeRun() -> ClientRun {
        ClientRun(
            ClientConfiguration(
                client: "test", views: [ClientMachineTests.list], refreshedViews: ["list"]),
            daemon: TestDaemon(), random: SeededGenerator(seed: 1))
    }

    private func kept(_ run: ClientRun) -> [String] {
        run.machine.link.outbox.map { message in
            message.body["phase"]?.string ?? message.type
        }
    }

    private func faults(_ run: ClientRun) -> [ClientEvent] {
        run.events.filter { event in
            if case .fault = event { return true }
            return false
        }
    }

    private func scroll(_ run: inout ClientRun, _ offset: Int, _ phase: String) {
        run.send(#"{"type":"scroll","view":"list","offset":\#(offset),"phase":"\#(phase)"}"#)
    }

    /// Scrolls the list a little within its content.
    private func scrollOnce(_ run: inout ClientRun, to offset: Int) {
        for phase in ["began", "dragging", "ended", "decelerating", "idle"] {
            run.advance(to: run.now + 16)
            scroll(&run, offset, phase)
        }
    }

    @Test("Without a connection, the kept messages have a bound, and the last gesture is sent")
    func boundOffline() {
        var run = makeRun()
        run.connect()
        run.answerLoad()
        run.advance(to: 3000)
        run.cut()
        for number in 0..<200 {
            scrollOnce(&run, to: number)
            let isOn = number % 2 == 1
            run.send(#"{"type":"enable","view":"list","edge":"bottom","enabled":\#(isOn)}"#)
            run.send(#"{"type":"loadMore","view":"list"}"#)
            #expect(run.machine.link.outbox.count <= SessionLink.keptMessagesMax)
        }
        scroll(&run, 40, "began")
        scroll(&run, 60, "dragging")
        run.reconnect()
        #expect(faults(run).isEmpty)
        #expect(run.view.offset.target == 60)
        #expect(run.view.edges[.bottom]?.state == .loading)
        #expect(run.daemon.loads.count == 1)
    }

    @Test("With a connection and snapshots, a long list of kept messages requests a snapshot")
    func boundOnline() {
        var run = makeRun()
        run.connect()
        run.answerLoad()
        run.advance(to: 3000)
        let first = run.machine.link.snapshot?.ack ?? .max
        for number in 0..<200 {
            scrollOnce(&run, to: number)
            #expect(run.machine.link.outbox.count <= SessionLink.keptMessagesMax)
        }
        run.advance(to: run.now + 1000)
        #expect(run.machine.link.snapshot?.ack ?? 0 > first)
        #expect(run.machine.link.outbox.count < SessionLink.confirmationCount + 20)
        #expect(faults(run).isEmpty)
    }

    @Test("A later sample or report supersedes an earlier one, also with a connection")
    func supersedes() {
        for isConnected in [false, true] {
            var run = makeRun()
            run.connect()
            run.answerLoad()
            run.advance(to: 3000)
            if !isConnected { run.cut() }
            let before = kept(run).count
            scroll(&run, 10, "began")
            for number in 0..<50 {
                scroll(&run, 10 + number, "dragging")
                run.send(
                    #"{"type":"geometry","view":"list","content":{"width":390,"height":1088}}"#)
            }
            scroll(&run, 60, "ended")
            for _ in 0..<3 {
                run.send(#"{"type":"enable","view":"list","edge":"top","enabled":false}"#)
                run.send(#"{"type":"enable","view":"list","edge":"top","enabled":true}"#)
            }
            let added = Array(kept(run).dropFirst(before))
            #expect(added.filter { $0 == "dragging" }.count == 1, "\(isConnected) \(added)")
            #expect(added.filter { $0 == "geometry" }.count == 1, "\(isConnected) \(added)")
            #expect(added.filter { $0 == "enable" }.count == 1, "\(isConnected) \(added)")
        }
    }

    @Test("Sizes that are reported one after another are merged")
    func mergesGeometry() {
        var link = SessionLink()
        for size in [("viewport", 700.0), ("content", 900), ("content", 950)] {
            var message = ClientMachine.message("geometry", "list")
            message[size.0] = .object([.init("height", .number(size.1))])
            _ = link.keep(message)
            link.compact()
        }
        #expect(link.outbox.count == 1)
        #expect(link.outbox.first?.body["viewport"]?["height"]?.number == 700)
        #expect(link.outbox.first?.body["content"]?["height"]?.number == 950)
        #expect(link.outbox.first?.body["seq"]?.number == 3)
    }

    @Test("The answers to loads are kept longest")
    func keepsAnswers() {
        var link = SessionLink()
        _ = link.keep(ClientMachine.message("loadFinished", "list"))
        for _ in 0..<500 {
            _ = link.keep(ClientMachine.message("refresh", "list"))
            link.compact()
        }
        #expect(link.outbox.count == SessionLink.keptMessagesMax)
        #expect(link.outbox.first?.type == "loadFinished")
    }
}
