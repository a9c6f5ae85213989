extension TextScanner {
    /// Parses a word: a letter or `_`, followed by letters, digits, `_`, `-` or `.`.
    package mutating func parseWord(_ expected: String) throws(ScenarioSyntaxError) -> String {
        guard let first = peek, Self.isLetter(first) else { throw error(expected: expected) }
        return scan { Self.isWordPart($0) }
    }

    /// The word at the current position; nil if there is none. Does not advance.
    package var peekWord: String? {
        var ahead = self
        return try? ahead.parseWord("a word")
    }

    /// Parses a JSON number.
    mutating func parseNumber(_ expected: String) throws(ScenarioSyntaxError) -> Double {
        let start = mark
        let syntaxError = error(expected: expected)
        var text = consume("-") ? "-" : ""
        let whole = scan { Self.isDigit($0) }
        text += whole
        if peek == ".", let digit = peek(1), Self.isDigit(digit) {
            advance()
            text += "." + scan { Self.isDigit($0) }
        }
        if peek == "e" || peek == "E", let next = peek(1),
            next == "-" || next == "+" || Self.isDigit(next)
        {
            advance()
            text += consume("-") ? "e-" : "e"
            _ = consume("+")
            text += scan { Self.isDigit($0) }
        }
        guard !whole.isEmpty, whole == "0" || !whole.hasPrefix("0"), let value = Double(text),
            value.isFinite
        else {
            rewind(to: start)
            throw syntaxError
        }
        return value
    }

    /// Parses a number, which can be a sum and contain variables.
    mutating func parseAmount(_ expected: String) throws(ScenarioSyntaxError) -> Amount {
        var terms = [Amount.Term(try parseTerm(expected))]
        while true {
            let end = mark
            skipBlanks()
            // Only a sign that is followed by a blank continues the sum. `->` continues a path, and
            // `-5` is a separate number.
            guard let sign = peek, sign == "+" || sign == "-",
                let next = peek(1), next == " " || next == "\t"
            else {
                rewind(to: end)
                return Amount(terms)
            }
            guard terms.count < ScenarioBounds.termsMax else {
                throw error(expected: "at most \(ScenarioBounds.termsMax) terms")
            }
            advance()
            skipBlanks()
            terms.append(
                Amount.Term(try parseTerm("a number or a variable"), isNegative: sign == "-"))
        }
    }

    private mutating func parseTerm(_ expected: String) throws(ScenarioSyntaxError) -> Amount.Value
    {
        if consume("$") { return .variable(try parseWord("the name of a variable")) }
        return .number(try parseNumber(expected))
    }

    /// Parses a path without blanks, or in quotes.
    mutating func parsePath() throws(ScenarioSyntaxError) -> String {
        skipBlanks()
        let syntaxError = error(expected: "the path of a file")
        let path = peek == "\"" ? try parseQuotedText() : scan { !Self.isSpace($0) }
        guard !path.isEmpty, !path.unicodeScalars.contains("\0") else { throw syntaxError }
        return path
    }

    /// Parses a JSON string in quotes.
    package mutating func parseQuotedText() throws(ScenarioSyntaxError) -> String {
        guard consume("\"") else { throw error(expected: "a text in quotes") }
        var result = String.UnicodeScalarView()
        while let scalar = peek, scalar != "\"", scalar.value >= 0x20 {
            if scalar == "\\" {
                result.append(try parseEscape())
            } else {
                result.append(scalar)
                advance()
            }
        }
        guard consume("\"") else { throw error(expected: "`\"`") }
        return String(result)
    }

    private mutating func parseEscape() throws(ScenarioSyntaxError) -> Unicode.Scalar {
        let syntaxError = error(expected: "a JSON escape")
        advance()
        switch advance() {
        case "\"": return "\""
        case "\\": return "\\"
        case "/": return "/"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            guard let unit = parseHexUnit() else { throw syntaxError }
            if let scalar = Unicode.Scalar(unit) { return scalar }
            guard (0xD800..<0xDC00).contains(unit), consume("\\u"), let low = parseHexUnit(),
                (0xDC00..<0xE000).contains(low),
                let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
            else { throw syntaxError }
            return scalar
        default: throw syntaxError
        }
    }

    private mutating func parseHexUnit() -> UInt32? {
        var digits = ""
        while digits.count < 4, let scalar = peek, scalar.properties.isASCIIHexDigit {
            digits.unicodeScalars.append(scalar)
            advance()
        }
        return digits.count == 4 ? UInt32(digits, radix: 16) : nil
    }
}
