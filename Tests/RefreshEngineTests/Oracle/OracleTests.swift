import Foundation
import Testing
import Workbench

/// A judgement of one behaviour of an original, which is the library IQPullToRefresh or MRefresh.
/// The format is that of `verdicts.json`.
struct Verdict: Decodable {
    var id: String
    /// `bug`, `quirk`, `assumption`, or `semantics` for behaviour that must be copied.
    var verdict: String
    /// The traces that show the behaviour. The fixtures contain some of these traces.
    var traces: Set<String>

    static func all() throws -> [Verdict] {
        try OracleFolder.read([Verdict].self, "verdicts.json")
    }
}

/// Replays recorded runs of the originals in the engine. The originals are the libraries
/// IQPullToRefresh and MRefresh. The engine uses the profile of the recorded library.
///
/// - A *trace* is the input of a run, and a *recording* contains the original's reactions to it.
/// - The *rules* of an original are written as a model, which predicts its reactions (see
///   `OracleModel`).
/// - A *verdict* judges one behaviour of an original (see `Verdict`). An *amendment* replaces this
///   behaviour in the rules by the one that the verdict demands.
/// - A *row* declares where the engine differs from an original because of a verdict (see
///   `OracleRow`).
///
/// The fixtures contain some runs; `ORACLE_DIR` may name a folder with others.
@Suite("OracleTests", .ownThread)
struct OracleTests {
    @Test("The engine reacts like the recorded libraries, except where a row declares a difference")
    func agreement() throws {
        var tally = OracleTally()
        let runs = try OracleRun.all()
        for run in runs { tally.add(try run.compared(extraLength: 0)) }
        print(tally.summary)
        for id in OracleRun.rowNames { print("oracle: \(tally.line(id))") }
        for failure in tally.failures.prefix(100) { Issue.record("\(failure)") }
        #expect(tally.failures.count == 0, "undeclared differences")
        for (id, count) in tally.rows { #expect(tally.asserted[id, default: 0] >= count, "\(id)") }
        // If the compared traces contain one that shows the behaviour of a verdict, the row of this
        // verdict must have been applied.
        let names = Set(runs.map(\.trace.name))
        for verdict in try Verdict.all() where !names.isDisjoint(with: verdict.traces) {
            guard OracleRun.rowNames.contains(verdict.id) else { continue }
            #expect(tally.isMet(verdict.id), "\(verdict.id) never occurred")
        }
    }

    @Test("Without amendments, the rules of each library predict its recorded reactions")
    func rules() throws {
        for run in try OracleRun.all() {
            for failure in try run.departures(of: []) { Issue.record("\(failure)") }
        }
    }

    @Test("The comparison accepts the differences that rows declare, and detects all others")
    func players() throws {
        let runs = try OracleRun.all()
        let all = Set(OracleRun.rowNames)
        var met: [String: [OracleRun]] = [:]
        for run in runs {
            let tally = try run.compared(amendments: all)
            for failure in tally.failures { Issue.record("\(failure)") }
            for id in tally.rows.keys { met[id, default: []].append(run) }
        }
        for (id, runs) in met {
            let isFound = try runs.contains {
                try !$0.compared(amendments: all.subtracting([id])).failures.isEmpty
            }
            #expect(isFound, "\(id)")
        }
    }

    @Test(
        "The comparison detects a length that is one point too long",
        arguments: OracleFolder.Peer.allCases)
    func wrongLength(peer: OracleFolder.Peer) throws {
        let isFound = try OracleRun.all().contains {
            guard $0.peer == peer, try $0.compared(extraLength: 0).failures.isEmpty else {
                return false
            }
            return try !$0.compared(extraLength: 1).failures.isEmpty
        }
        #expect(isFound)
    }

    @Test("On the project's own traces, the engine differs from the rules only as rows declare")
    func rehearsals() throws {
        var tally = OracleTally()
        for run in try OracleRun.rehearsals() { tally.add(try run.compared(extraLength: 0)) }
        print("rehearsals, \(tally.summary)")
        for failure in tally.failures.prefix(100) { Issue.record("\(failure)") }
        #expect(tally.failures.count == 0, "undeclared differences")
        for id in OracleRun.rowNames { #expect(tally.isMet(id), "\(id) never occurred") }
    }

    /// The environment variable `ORACLE_SEED` selects one seed, and the run of this seed is
    /// printed. `ORACLE_RANDOM` is the number of seeds.
    private static let seeds: ClosedRange<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["ORACLE_SEED"].flatMap(UInt64.init) { return seed...seed }
        let count = environment["ORACLE_RANDOM"].flatMap(UInt64.init) ?? 1000
        return 20_261_121...(20_261_120 + max(count, 1))
    }()

    @Test(
        "On random traces, the engine differs from the rules only as rows declare",
        arguments: OracleFolder.Peer.allCases)
    func randomTraces(peer: OracleFolder.Peer) throws {
        let seeds = Self.seeds
        print("random \(peer), seeds \(seeds)")
        var tally = OracleTally()
        for seed in seeds {
            let trace = RandomTrace.trace(seed: seed, for: peer, length: 30)
            for version in peer.versions {
                let run = try OracleRun(peer: peer, version: version, trace: trace)
                if seeds.count == 1 { print(run.trace) }
                var found = try run.compared(extraLength: 0)
                // Differences after the first one contain no further information.
                found.failures = Array(found.failures.prefix(1))
                tally.add(found)
            }
        }
        print("random \(peer), \(tally.summary)")
        for failure in tally.failures.prefix(1000) { Issue.record("\(failure)") }
        #expect(tally.failures.count == 0, "undeclared differences")
    }

    @Test("Each verdict has a row, except verdicts on behaviour that the engine copies")
    func verdicts() throws {
        let engines = try Verdict.all().filter { !$0.id.hasPrefix("SVG-") }
        let wanted = engines.filter { $0.verdict != "semantics" }.map(\.id) + ["R10"]
        #expect(OracleRun.rowNames.sorted() == wanted.sorted())
    }
}
