/// The results of comparisons with the recorded paths.
struct SVGOracleTally {
    private(set) var compared = 0
    private(set) var differing = 0
    /// The number of occurrences of each verdict.
    private(set) var verdicts: [String: Int] = [:]
    /// The differences that no verdict explains.
    private(set) var failures: [String] = []

    mutating func equal() { compared += 1 }

    mutating func differ() {
        compared += 1
        differing += 1
    }

    mutating func excuse(_ verdict: String) { verdicts[verdict, default: 0] += 1 }

    mutating func fail(_ what: String) {
        compared += 1
        failures.append(what)
    }

    mutating func add(_ other: SVGOracleTally) {
        compared += other.compared
        differing += other.differing
        verdicts.merge(other.verdicts, uniquingKeysWith: +)
        failures += other.failures
    }
}
