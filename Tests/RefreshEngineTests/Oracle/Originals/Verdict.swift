/// What was found about an original. Format of `verdicts.json`.
struct Verdict: Decodable {
    var id: String
    /// `bug`, `quirk`, `assumption`, or `semantics`, which is to be copied.
    var verdict: String
    /// Where it is seen; not all of them are given.
    var traces: Set<String>

    static func all() throws -> [Verdict] {
        try OracleFolder.read([Verdict].self, "verdicts.json")
    }
}
