/// The result of a comparison.
struct OracleTally {
    var compared = 0
    var equal = 0
    var declared = 0
    /// The number of records that differ by each row.
    var rows: [String: Int] = [:]
    /// The number of records with which each row was checked, whether or not they differ.
    var asserted: [String: Int] = [:]
    /// The undeclared differences.
    var failures: [String] = []

    mutating func add(_ other: OracleTally) {
        compared += other.compared
        equal += other.equal
        declared += other.declared
        rows.merge(other.rows, uniquingKeysWith: +)
        asserted.merge(other.asserted, uniquingKeysWith: +)
        failures += other.failures
    }

    var summary: String {
        "oracle: \(compared) records compared, \(equal) equal, \(declared) by verdict"
    }

    func isMet(_ row: String) -> Bool { rows[row] != nil || asserted[row] != nil }

    func line(_ row: String) -> String {
        let name = row.contains("-") ? "O-\(row)" : row
        guard isMet(row) else { return "\(name) never occurred" }
        return "\(name) \(rows[row] ?? 0) records differ, \(asserted[row] ?? 0) asserted"
    }
}
