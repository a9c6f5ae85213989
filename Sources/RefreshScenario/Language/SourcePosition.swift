/// A place in a scenario file, counted from 1 in characters.
package struct SourcePosition: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int
    /// The file that was included, as it is named from there where the scenario lies; nil: the
    /// scenario's own.
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
    /// The line, with the file where it was included.
    package var place: String { (file.map { "\($0):" } ?? "") + "\(line)" }

    package var description: String {
        (file.map { "\($0):" } ?? "") + "\(line):\(column)"
    }
}
