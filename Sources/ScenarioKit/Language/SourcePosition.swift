/// A position in a scenario file. Lines and columns are counted from 1, in characters.
package struct SourcePosition: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int
    /// The path of the included file, relative to the scenario. Nil for the scenario's own file.
    package var file: String?

    package init(line: Int, column: Int, file: String? = nil) {
        self.line = line
        self.column = column
        self.file = file
    }

    package static func < (a: SourcePosition, b: SourcePosition) -> Bool {
        (a.line, a.column) < (b.line, b.column)
    }
}

extension SourcePosition: CustomStringConvertible {
    /// The line number. If the file was included, its path precedes the number.
    package var fileAndLine: String { (file.map { "\($0):" } ?? "") + "\(line)" }

    package var description: String {
        (file.map { "\($0):" } ?? "") + "\(line):\(column)"
    }
}
