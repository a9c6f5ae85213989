/// A scanner over a text that tracks its position. It is the lowest layer of the scenario parser.
///
/// The scanner works on Unicode scalars and counts columns in scalars, so that a combining mark
/// after a quote is not part of the quote. A line may end in a line feed or in CR LF, and the text
/// may start with a byte order mark.
package struct TextScanner {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    package private(set) var position: SourcePosition

    /// Creates a scanner. `file` is the file name in reported positions.
    package init(_ text: String, file: String? = nil) {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(text.unicodeScalars.count)
        for scalar in text.unicodeScalars {
            if scalar == "\n", scalars.last == "\r" { scalars.removeLast() }
            scalars.append(scalar)
        }
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        self.scalars = scalars
        position = SourcePosition(line: 1, column: 1, file: file)
    }

    package var isAtEnd: Bool { index >= scalars.count }
    package var isAtLineEnd: Bool { peek.map { $0 == "\n" } ?? true }
    package var peek: Unicode.Scalar? { peek(0) }

    /// Returns the scalar at this distance after the current position; nil past the end of the
    /// text.
    func peek(_ distance: Int) -> Unicode.Scalar? {
        index + distance < scalars.count ? scalars[index + distance] : nil
    }

    /// Returns whether `text` is at the current position.
    func isAt(_ text: String) -> Bool {
        text.unicodeScalars.enumerated().allSatisfy { peek($0.offset) == $0.element }
    }

    /// Returns the text from an earlier mark to the current position, without leading and trailing
    /// blanks.
    package func text(since mark: Mark) -> String {
        let part = scalars[mark.index..<index]
        guard let start = part.firstIndex(where: { !Self.isSpace($0) }),
            let last = part.lastIndex(where: { !Self.isSpace($0) })
        else { return "" }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: part[start...last])
        return String(text)
    }

    /// A position to which the scanner can return.
    package struct Mark {
        fileprivate var index: Int
        fileprivate(set) var position: SourcePosition
    }

    package var mark: Mark { Mark(index: index, position: position) }

    package mutating func rewind(to mark: Mark) {
        index = mark.index
        position = mark.position
    }

    @discardableResult
    mutating func advance() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        index += 1
        if scalar == "\n" {
            position.line += 1
            position.column = 1
        } else {
            position.column += 1
        }
        return scalar
    }

    /// If `text` is at the current position, advances past it. Returns whether it advanced.
    package mutating func consume(_ text: String) -> Bool {
        guard isAt(text) else { return false }
        for _ in text.unicodeScalars { advance() }
        return true
    }

    /// Reads scalars as long as they satisfy the condition, and returns them. The result can be
    /// empty.
    mutating func scan(while condition: (Unicode.Scalar) -> Bool) -> String {
        var result = String.UnicodeScalarView()
        while let scalar = peek, condition(scalar) {
            result.append(scalar)
            advance()
        }
        return String(result)
    }

    /// Skips blanks and a comment up to the end of the line.
    package mutating func skipBlanks() {
        while let scalar = peek, scalar != "\n", Self.isSpace(scalar) { advance() }
        if isAt("//") {
            while !isAtLineEnd { advance() }
        }
    }

    /// Skips blanks, comments and line ends.
    package mutating func skipLines() {
        skipBlanks()
        while peek == "\n" {
            advance()
            skipBlanks()
        }
    }

    /// Returns a syntax error at the current position. `expected` describes the text that the
    /// grammar expects there.
    package func error(expected: String) -> ScenarioSyntaxError {
        ScenarioSyntaxError(at: position, expected: expected, found: found)
    }

    /// The text at the current position, in the form for an error.
    private var found: String {
        guard let scalar = peek else { return "the end of the file" }
        if scalar == "\n" || scalar == "\r" { return "the end of the line" }
        var ahead = self
        let word = ahead.scan { Self.isWordPart($0) }
        return word.isEmpty ? Self.shown(scalar) : "`\(word)`"
    }

    /// Returns the scalar itself if it is visible and safe for a terminal. If it is not, returns
    /// its number.
    private static func shown(_ scalar: Unicode.Scalar) -> String {
        let isShown: Bool =
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
                .nonspacingMark, .enclosingMark, .spacingMark:
                false
            case .spaceSeparator: scalar == " "
            default: true
            }
        if isShown { return "`\(String(Character(scalar)))`" }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\r" || scalar == "\n"
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
    }

    /// Returns whether a scalar may be part of a word: letters, digits, `-` and `.`.
    static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        isLetter(scalar) || isDigit(scalar) || scalar == "-" || scalar == "."
    }
}
