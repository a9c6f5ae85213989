import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Queries that the daemon refuses. Source: docs/protocol.md, "Queries".
struct PendingQueryTests {
    private static func makeRun() -> ClientRun {
        var run = ClientRun(
            ClientConfiguration(
                client: "test", views: [ClientMachineTests.list], features: ["query"],
                refreshedViews: ["list"]),
            daemon: TestDaemon(), random: SeededGenerator(seed: 1))
        run.connect()
        run.answerLoad()
        run.advance(to: 5000)
        return run
    }

    private func query(
        _ run: inout ClientRun, _ name: String, _ value: String, shown: ShownItems? = nil
    ) {
        run.change { machine, now in
            machine.query("list", parameters: [name: value], debounceMs: 0, shown: shown, at: now)
        }
    }

    private func parameters(_ run: ClientRun) -> String? {
        run.machine.views[0].body["parameters"]?.text
    }

    /// Makes queries, of which those with the name `bad` are refused, before the first answer.
    private func queryInFlight(_ names: [String]) -> ClientRun {
        var run = Self.makeRun()
        query(&run, "q", "first")
        run.holdsFrames = true
        for (number, name) in names.enumerated() { query(&run, name, "\(number)") }
        run.release()
        return run
    }

    @Test(
        "Whichever queries in flight are refused, the view has the newest other one",
        arguments: [
            (["bad", "bad"], #"{"q":"first"}"#), (["q", "bad", "bad"], #"{"q":"0"}"#),
            (["bad", "q"], #"{"q":"1"}"#), (["bad", "q", "bad"], #"{"q":"1"}"#),
            (["q", "q"], #"{"q":"1"}"#), (["bad", "bad", "bad"], #"{"q":"first"}"#),
        ])
    func refused(_ names: [String], _ expected: String) {
        var run = queryInFlight(names)
        #expect(parameters(run) == expected)
        #expect(run.machine.queries.isEmpty)
        run.cut()
        run.reconnect()
        #expect(run.status == .open)
        #expect(parameters(run) == expected)
        #expect(run.view.refusal == nil)
    }

    @Test("Queries that are refused after a connection was lost are restored too")
    func refusedLater() {
        var run = Self.makeRun()
        query(&run, "q", "first")
        run.cut()
        for name in ["bad", "bad"] { query(&run, name, "1") }
        run.reconnect()
        #expect(run.status == .open)
        #expect(parameters(run) == #"{"q":"first"}"#)
        #expect(run.view.refusal == nil)
    }

    @Test("A query between `hello` and a fresh session is made again in that session")
    func freshSession() {
        var run = Self.makeRun()
        run.cut()
        run.restartDaemon(keepsKeys: false)
        run.holdsFrames = true
        run.mend()
        run.advance(to: run.now + 2000)
        query(&run, "q", "late")
        run.recordsFrames = true
        run.release()
        #expect(run.status == .open)
        #expect(run.sentTypes.flatMap { $0 }.contains("configure"))
        #expect(parameters(run) == #"{"q":"late"}"#)
        run.advance(to: run.now + 1000)
        #expect(run.machine.queries.isEmpty)
    }

    @Test("A query with the parameters of the newest one does not remove the items")
    func equalParameters() {
        var run = Self.makeRun()
        query(&run, "q", "first")
        run.answerLoad(count: 3)
        query(&run, "q", "first", shown: .clear)
        #expect(run.daemon.loads.isEmpty)
        #expect(run.view.items.count == 3)
        query(&run, "q", "second", shown: .clear)
        #expect(run.view.items.isEmpty)
        query(&run, "q", "second", shown: .clear)
        run.answerLoad(count: 5)
        #expect(run.view.items.count == 5)
    }

    @Test(
        "The items that refused queries have removed return, unless another query removes them too",
        arguments: [
            (["bad 1"], true), (["bad 1", "bad 2"], true), (["bad 1", "q first"], true),
            (["bad 1", "q other"], false), (["q other", "bad 1"], false),
        ])
    func refusedRemoval(_ queries: [String], _ returns: Bool) {
        var run = Self.makeRun()
        query(&run, "q", "first")
        run.answerLoad(count: 7)
        run.holdsFrames = true
        for text in queries {
            let parts = text.split(separator: " ").map(String.init)
            query(&run, parts[0], parts[1], shown: .clear)
        }
        #expect(run.view.items.isEmpty)
        run.release()
        #expect(run.view.items.count == (returns ? 7 : 0))
        #expect(run.daemon.loads.isEmpty == returns)
        guard !returns else { return }
        // The daemon has removed the list: a later refusal does not bring it back.
        query(&run, "bad", "3", shown: .clear)
        #expect(run.view.items.isEmpty)
        run.answerLoad(count: 2)
        #expect(run.view.items.count == 2)
    }
}
