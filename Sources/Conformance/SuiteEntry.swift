internal import ScenarioKit

/// A case in a file of a suite: its headers, and the text below them.
struct SuiteEntry {
    /// The number of the case in its group, with at least two digits, such as `04`.
    var number: String
    var name: String
    /// The section of the documentation with the statement that the case tests, such as
    /// `docs/protocol.md#states`.
    var reference: String
    var level: ConformanceCase.Level
    /// The values of the header `requires`.
    var requirements: [String]
    /// The minimum duration of the case, in milliseconds.
    var durationMsMin: Double
    /// The text below the headers. The text starts with empty lines, so that the line numbers of
    /// errors are correct.
    var body: String
    /// The number of the line with `case:`. The first line of the file has the number 1.
    var line: Int

    private static let heads: Set<Substring> = [
        "case", "each", "reference", "requires", "level", "takes",
    ]

    /// Returns the entries of a file, and the text before the first entry.
    static func entries(
        of text: String
    ) throws(SuiteError) -> (prelude: String, entries: [SuiteEntry]) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let starts = lines.indices.filter { lines[$0].hasPrefix("case:") }
        let ends = starts.dropFirst() + [lines.endIndex]
        var entries: [SuiteEntry] = []
        for (start, end) in zip(starts, ends) {
            entries += try repeated(lines[start..<end])
        }
        let prelude = lines[..<(starts.first ?? lines.endIndex)]
        return (prelude.joined(separator: "\n"), entries)
    }

    /// Returns the case that these lines describe. If the case has a header `each: NAME VALUE …`,
    /// returns one case for each value, numbered in order. In each case, the value replaces
    /// `$NAME`.
    private static func repeated(_ lines: ArraySlice<Substring>) throws(SuiteError) -> [SuiteEntry]
    {
        guard let head = lines.first(where: { $0.hasPrefix("each:") }) else {
            return [try SuiteEntry(lines)]
        }
        let words = head.split(separator: " ").dropFirst()
        guard let name = words.first else {
            throw SuiteError(line: lines.startIndex + 1, reason: "expected `each: NAME VALUE …`")
        }
        var entries: [SuiteEntry] = []
        for (index, value) in words.dropFirst().enumerated() {
            var copy = lines
            for place in copy.indices {
                copy[place] = copy[place].replacing("$\(name)", with: value)[...]
            }
            var entry = try SuiteEntry(copy)
            let number = (Int(entry.number) ?? 0) + index
            entry.number = "\(number < 10 ? "0" : "")\(number)"
            entries.append(entry)
        }
        return entries
    }

    private init(_ lines: ArraySlice<Substring>) throws(SuiteError) {
        var heads: [Substring: String] = [:]
        var rest = lines
        while let line = rest.first, let colon = line.firstIndex(of: ":"),
            Self.heads.contains(line[..<colon])
        {
            heads[line[..<colon]] = Self.trimmed(line[line.index(after: colon)...])
            rest = rest.dropFirst()
        }
        let firstLine = lines.startIndex + 1
        line = firstLine
        body = String(repeating: "\n", count: rest.startIndex) + rest.joined(separator: "\n")
        let mistake = { (reason: String) in SuiteError(line: firstLine, reason: reason) }
        let words = (heads["case"] ?? "").split(separator: " ").map(String.init)
        guard words.count == 2, Int(words[0]) != nil else {
            throw mistake("expected `case: NUMBER NAME`")
        }
        (number, name) = (words[0], words[1])
        guard let anchor = heads["reference"] else { throw mistake("expected `reference:`") }
        reference = "docs/protocol.md#\(anchor)"
        guard let level = ConformanceCase.Level(rawValue: heads["level"] ?? "must") else {
            throw mistake("expected `level:` must, should or may")
        }
        self.level = level
        requirements = (heads["requires"] ?? "").split(separator: ",").map(String.init)
        guard let durationMsMin = Double(heads["takes"] ?? "0") else {
            throw mistake("expected `takes:` and milliseconds")
        }
        self.durationMsMin = durationMsMin
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

/// An error in a file of a suite, with its line.
package struct SuiteError: Error, CustomStringConvertible {
    var line: Int
    var reason: String

    init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    init(_ error: ScenarioSyntaxError) {
        self.init(
            line: error.position.line,
            reason: "expected \(error.expected), found \(error.found)")
    }

    package var description: String { "line \(line): \(reason)" }
}
