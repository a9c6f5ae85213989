/// The result of comparing the engine with recordings of an original library (see
/// `OracleComparison`). A row declares a difference between the engine and the library (see
/// `OracleRow`).
struct OracleTally {
    var compared = 0
    var equal = 0
    /// The number of records with differences that rows declare.
    var declared = 0
    /// For each row, the number of records with a difference that the row declares.
    var rows: [String: Int] = [:]
    /// For each row, the number of records at which its conditions were checked, with or without a
    /// difference.
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
