/// Walks through a text and knows where it is; the bottom of the scenario parser.
///
/// It goes by Unicode scalars, and counts columns in them: a combining mark after a quote is no
/// part of the quote. A line may end in a line feed or in CR LF, and a byte order mark may stand
/// before the first.
struct TextScanner {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private(set) var position: SourcePosition

    /// `file`: what places in the text are told with.
    init(_ text: String, file: String? = nil) {
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

    var isAtEnd: Bool { index >= scalars.count }
    var isAtLineEnd: Bool { peek.map { $0 == "\n" } ?? true }
    var peek: Unicode.Scalar? { peek(0) }

    /// The scalar so many places ahead; nil past the end.
    func peek(_ distance: Int) -> Unicode.Scalar? {
        index + distance < scalars.count ? scalars[index + distance] : nil
    }

    /// Whether `text` stands here.
    func stands(_ text: String) -> Bool {
        text.unicodeScalars.enumerated().allSatisfy { peek($0.offset) == $0.element }
    }

    /// The text from an earlier place to here, without blanks at its ends.
    func text(since mark: Mark) -> String {
        let part = scalars[mark.index..<index]
        guard let start = part.firstIndex(where: { !Self.isSpace($0) }),
            let last = part.lastIndex(where: { !Self.isSpace($0) })
        else { return "" }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: part[start...last])
        return String(text)
    }

    /// A place to come back to.
    struct Mark {
        fileprivate var index: Int
        fileprivate(set) var position: SourcePosition
    }

    var mark: Mark { Mark(index: index, position: position) }

    mutating func back(to mark: Mark) {
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

    /// Passes `text` if it stands here.
    mutating func take(_ text: String) -> Bool {
        guard stands(text) else { return false }
        for _ in text.unicodeScalars { advance() }
        return true
    }

    /// The longest run of scalars that satisfy the condition; may be empty.
    mutating func run(while condition: (Unicode.Scalar) -> Bool) -> String {
        var result = String.UnicodeScalarView()
        while let scalar = peek, condition(scalar) {
            result.append(scalar)
            advance()
        }
        return String(result)
    }

    /// Passes blanks and a comment, within the line.
    mutating func skipBlanks() {
        while let scalar = peek, scalar != "\n", Self.isSpace(scalar) { advance() }
        if stands("//") {
            while !isAtLineEnd { advance() }
        }
    }

    /// Passes blanks, comments and line ends.
    mutating func skipLines() {
        skipBlanks()
        while peek == "\n" {
            advance()
            skipBlanks()
        }
    }

    /// The error that something else was wanted here.
    func error(expected: String) -> ScenarioSyntaxError {
        ScenarioSyntaxError(at: position, expected: expected, found: found)
    }

    /// What stands here, in the words of an error.
    private var found: String {
        guard let scalar = peek else { return "the end of the file" }
        if scalar == "\n" || scalar == "\r" { return "the end of the line" }
        var ahead = self
        let word = ahead.run { Self.isWordPart($0) }
        return word.isEmpty ? Self.shown(scalar) : "`\(word)`"
    }

    /// The scalar itself, where it shows and does nothing to a terminal; else its number.
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

    /// Letters, digits and what else may stand inside a word.
    static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        isLetter(scalar) || isDigit(scalar) || scalar == "-" || scalar == "."
    }
}
