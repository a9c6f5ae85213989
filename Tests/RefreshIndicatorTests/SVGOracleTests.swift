import Foundation
import Testing
import Workbench

@testable import RefreshIndicator

/// A verdict on an original, in the format of `verdicts.json`.
struct SVGOracleVerdict: Decodable {
    var id: String
    /// `bug`, `quirk`, `assumption`, or `semantics` for behaviour that must be copied.
    var verdict: String
    /// The names of the recordings that show the behaviour. The fixtures do not contain all of
    /// these recordings.
    var traces: Set<String>

    /// The verdicts of the folder in `ORACLE_DIR`, or of the engine's fixtures. One list contains
    /// the verdicts on all originals.
    static func all() throws -> [SVGOracleVerdict] {
        try JSONDecoder().decode(
            [SVGOracleVerdict].self,
            from: Data(contentsOf: SVGOracleCase.verdicts.appending(path: "verdicts.json")))
    }
}

/// Compares the recorded paths of both versions of MRefresh with the path code.
///
/// The fixtures contain some paths; `ORACLE_DIR` may name a folder with others.
@Suite("SVGOracleTests", .ownThread)
struct SVGOracleTests {
    private static let versions = ["0.1.1", "0.2.1"]

    private func tally(
        _ cases: [SVGOracleCase], mistake: SVGOracleComparison.Mistake? = nil
    ) -> SVGOracleTally {
        var tally = SVGOracleTally()
        for oracle in cases {
            for version in Self.versions {
                guard
                    var comparison = SVGOracleComparison(oracle, version: version, mistake: mistake)
                else { continue }
                comparison.compare()
                tally.add(comparison.tally)
            }
        }
        return tally
    }

    @Test("The path code equals a reference parser. Verdicts explain the original's differences")
    func agreement() throws {
        let cases = try SVGOracleCase.all()
        let tally = tally(cases)
        print(
            "svg oracle: \(cases.count) cases, \(tally.compared) compared, "
                + "\(tally.compared - tally.differing - tally.failures.count) equal, "
                + "\(tally.differing) by verdict, \(tally.failures.count) undeclared")
        for number in 1...20 where tally.verdicts["SVG-\(number)"] != nil {
            print(
                "svg oracle: SVG-\(number) met \(tally.verdicts["SVG-\(number)", default: 0]) times"
            )
        }
        for failure in tally.failures.prefix(100) { Issue.record("\(failure)") }
        #expect(tally.failures.count == 0, "there are differences that no verdict declares")
        #expect(cases.count > 0 && tally.compared > 100 * cases.count)
    }

    @Test("Each verdict on a recorded path occurs, and a verdict `semantics` excuses no difference")
    func verdicts() throws {
        let cases = try SVGOracleCase.all()
        let (names, tally) = (Set(cases.map(\.name)), tally(cases))
        for verdict in try SVGOracleVerdict.all() where verdict.id.hasPrefix("SVG-") {
            let isMet = tally.verdicts[verdict.id] != nil
            if verdict.verdict != "semantics", !names.isDisjoint(with: verdict.traces) {
                #expect(isMet, "the difference \(verdict.id) never occurred")
            }
            // The place of a drawing is a design decision, which the test of SVG-19 checks.
            if verdict.verdict == "semantics", verdict.id != "SVG-19" {
                #expect(!isMet, "\(verdict.id)")
            }
        }
    }

    @Test(
        "The comparison detects deliberate mistakes",
        arguments: SVGOracleComparison.Mistake.allCases)
    func mistakes(mistake: SVGOracleComparison.Mistake) throws {
        let tally = tally(try SVGOracleCase.all(), mistake: mistake)
        #expect(!tally.failures.isEmpty, "\(mistake)")
    }

    @Test("The comparison detects every change of a recording")
    func otherRecordings() throws {
        for (index, oracle) in try SVGOracleCase.all().enumerated() {
            for version in Self.versions {
                guard let comparison = compared(oracle, version: version) else { continue }
                // If a verdict applies to the case, the verdict also excuses changes of the
                // recording.
                guard comparison.isRead else { continue }
                for change in SVGOracleCase.Change.allCases {
                    var other = oracle
                    guard other.change(change, in: version, at: index % 4) else { continue }
                    let tally = compared(other, version: version)?.tally
                    #expect(tally?.failures.isEmpty == false, "\(oracle.name) \(version) \(change)")
                }
            }
        }
    }

    private func compared(_ oracle: SVGOracleCase, version: String) -> SVGOracleComparison? {
        var comparison = SVGOracleComparison(oracle, version: version)
        comparison?.compare()
        return comparison
    }
}
