/// Tables of the transitions of a state machine, written by hand as text. A row is a fact, which is
/// an input of the machine. A column is a phase, and a cell is the transition.
///
/// A cell is `.` (no change and no action), an action (no change of phase) or the new phase and the
/// action: `idle: show`. A machine with many phases has several tables, each with some of the
/// phases and all facts.
struct PhaseTable {
    /// The phases in the order of the text, with repetitions.
    private(set) var phases: [String] = []
    private(set) var facts: [String] = []
    private var cells: [String: String] = [:]
    /// The errors of the text itself.
    private(set) var flaws: [String] = []

    init(_ texts: String...) {
        for text in texts { read(text) }
    }

    /// The cell for `fact` in `phase`; nil if the tables have none.
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
