import Foundation

/// What was found about an original. Format of `verdicts.json`.
struct SVGOracleVerdict: Decodable {
    var id: String
    /// `bug`, `quirk`, `assumption`, or `semantics`, which is to be copied.
    var verdict: String
    /// Where it is seen; not all of them are given.
    var traces: Set<String>

    /// Those of the folder that `ORACLE_DIR` names, or of the engine's fixtures: one list serves
    /// all originals.
    static func all() throws -> [SVGOracleVerdict] {
        try JSONDecoder().decode(
            [SVGOracleVerdict].self,
            from: Data(contentsOf: SVGOracleCase.verdicts.appending(path: "verdicts.json")))
    }
}
