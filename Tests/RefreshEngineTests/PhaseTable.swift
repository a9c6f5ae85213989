/// A table of text, written by hand: a row a fact, a column a phase, a cell what follows.
///
/// A cell is `.` (stays, does nothing), or the new phase (`same` if it stays) and the deed:
/// `idle: show`.
struct PhaseTable {
    let phases: [String]
    /// Cells by fact, in the order of `phases`.
    let rows: [(fact: String, cells: [String])]

    init(_ text: String) {
        let lines = text.split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.trimmed }
        }
        phases = Array(lines.first?.dropFirst() ?? [])
        rows = lines.dropFirst().map { (fact: $0[0], cells: Array($0.dropFirst())) }
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
