/// Tables of text, written by hand: a row a fact, a column a phase, a cell what follows.
///
/// A cell is `.` (stays, does nothing), a deed alone (stays) or the new phase and the deed: `idle:
/// show`. A machine with many phases has several tables, each with some of the phases and all of
/// the facts.
struct PhaseTable {
    /// In the order in which they stand, however often.
    private(set) var phases: [String] = []
    private(set) var facts: [String] = []
    private var cells: [String: String] = [:]
    /// What is wrong with the text itself.
    private(set) var flaws: [String] = []

    init(_ texts: String...) {
        for text in texts { read(text) }
    }

    /// What `phase` answers to `fact`; nil if the tables do not say.
    subscript(fact: String, phase: String) -> String? { cells["\(fact)|\(phase)"] }

    private mutating func read(_ text: String) {
        let lines = text.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map(\.trimmed)
        }
        guard let columns = lines.first?.dropFirst() else { return flaws.append("no table") }
        let isFirst = phases.isEmpty
        phases += columns
        var rows: [String] = []
        for line in lines.dropFirst() {
            guard let fact = line.first, line.count == columns.count + 1 else {
                flaws.append("\(line.count) cells for \(columns.count + 1): \(line)")
                continue
            }
            rows.append(fact)
            for (phase, cell) in zip(columns, line.dropFirst()) {
                cells["\(fact)|\(phase)"] = cell
            }
        }
        if isFirst {
            facts = rows
        } else if rows != facts {
            flaws.append("facts in another order: \(rows)")
        }
    }
}

extension Substring {
    var trimmed: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
