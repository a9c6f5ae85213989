internal import RefreshProtocol

/// Parses values and patterns. Source: docs/scenarios.md, "Values" and "Patterns".
package struct PatternParser {
    /// The purpose of the parsed text.
    package enum Purpose {
        /// A message to send. Wildcards are errors in it.
        case message
        /// A message to send. Its fields replace default fields, and an `absent` field removes the
        /// default field.
        case template
        case pattern
    }

    let purpose: Purpose

    package init(purpose: Purpose) {
        self.purpose = purpose
    }

    package func parse(_ scanner: inout TextScanner) throws(ScenarioSyntaxError) -> Pattern {
        try parse(&scanner, depth: 0)
    }

    /// Parses an object, `{ … }`. None of its names may be in `taken`.
    package func parseObject(
        _ scanner: inout TextScanner, excluding taken: Set<String> = []
    ) throws(ScenarioSyntaxError) -> Pattern {
        guard scanner.peek == "{" else { throw scanner.error(expected: "`{`") }
        return try parseMembers(&scanner, depth: 0, excluding: taken)
    }

    /// Parses a pattern, or several with `|` between them.
    private func parse(
        _ scanner: inout TextScanner, depth: Int
    ) throws(ScenarioSyntaxError) -> Pattern {
        var patterns = [try parseSingle(&scanner, depth: depth)]
        while purpose == .pattern {
            let end = scanner.mark
            scanner.skipBlanks()
            guard scanner.consume("|") else {
                scanner.rewind(to: end)
                break
            }
            scanner.skipBlanks()
            patterns.append(try parseSingle(&scanner, depth: depth))
        }
        return patterns.count == 1 ? patterns[0] : .either(patterns)
    }

    private func parseSingle(
        _ scanner: inout TextScanner, depth: Int
    ) throws(ScenarioSyntaxError) -> Pattern {
        guard depth < ScenarioBounds.depthMax else { throw scanner.error(expected: "less nesting") }
        switch scanner.peek {
        case "{": return try parseMembers(&scanner, depth: depth)
        case "[": return try parseArray(&scanner, depth: depth)
        case "\"": return .text(try scanner.parseQuotedText())
        case "$": return try parseNumber(&scanner, expected: "a variable")
        case "*", "?", "~", "<", ">":
            guard purpose == .pattern else { throw scanner.error(expected: "a value") }
            return try parseWildcard(&scanner)
        default: return try parseScalar(&scanner)
        }
    }

    private func parseWildcard(_ scanner: inout TextScanner) throws(ScenarioSyntaxError) -> Pattern
    {
        if scanner.consume("*") { return .anything }
        if scanner.consume("?") { return .capture(try scanner.parseWord("the name of a variable")) }
        if scanner.consume("~") {
            scanner.skipBlanks()
            return .near(try scanner.parseAmount("a number"), tolerance: Pattern.defaultTolerance)
        }
        for comparison in [Pattern.Comparison.lessOrEqual, .greaterOrEqual, .less, .greater]
        where scanner.consume(comparison.rawValue) {
            scanner.skipBlanks()
            return .compared(comparison, try scanner.parseAmount("a number"))
        }
        throw scanner.error(expected: "a pattern")
    }

    private func parseScalar(_ scanner: inout TextScanner) throws(ScenarioSyntaxError) -> Pattern {
        let expected = purpose == .pattern ? "a value or a pattern" : "a value"
        guard let word = scanner.peekWord else {
            return try parseNumber(&scanner, expected: expected)
        }
        switch word {
        case "true", "false", "null":
            _ = scanner.consume(word)
            return .value(word == "null" ? .null : .bool(word == "true"))
        case "absent", "like", "length":
            guard purpose == .pattern || (purpose == .template && word == "absent") else {
                throw scanner.error(expected: "a value")
            }
            _ = scanner.consume(word)
            scanner.skipBlanks()
            if word == "absent" { return .absent }
            if word == "like" { return .like(try scanner.parseQuotedText()) }
            let syntaxError = scanner.error(expected: "a number of elements")
            let count = Int(exactly: try scanner.parseNumber("a number of elements"))
            guard let count, count >= 0 else { throw syntaxError }
            return .length(count)
        default:
            return .text(try scanner.parseWord(expected))
        }
    }

    private func parseNumber(
        _ scanner: inout TextScanner, expected: String
    ) throws(ScenarioSyntaxError) -> Pattern {
        let amount = try scanner.parseAmount(expected)
        if purpose == .pattern {
            let end = scanner.mark
            scanner.skipBlanks()
            if scanner.consume("~") {
                scanner.skipBlanks()
                let syntaxError = scanner.error(expected: "a tolerance of 0 or more")
                let tolerance = try scanner.parseNumber("a tolerance")
                guard tolerance >= 0 else { throw syntaxError }
                return .near(amount, tolerance: tolerance)
            }
            scanner.rewind(to: end)
        }
        guard amount.terms.count == 1 else { return .sum(amount) }
        return switch amount.terms[0].value {
        case .number(let number): .value(.number(number))
        case .variable(let name): .variable(name)
        }
    }

    private func parseMembers(
        _ scanner: inout TextScanner, depth: Int, excluding taken: Set<String> = []
    ) throws(ScenarioSyntaxError) -> Pattern {
        scanner.advance()
        var fields: [Pattern.Field] = []
        var names = taken
        while true {
            scanner.skipLines()
            if scanner.consume("}") { return .object(fields) }
            let repeated = scanner.error(expected: "a name that is not used yet")
            let name =
                scanner.peek == "\""
                ? try scanner.parseQuotedText()
                : try scanner.parseWord("the name of a field or `}`")
            guard names.insert(name).inserted else { throw repeated }
            scanner.skipLines()
            guard scanner.consume(":") else { throw scanner.error(expected: "`:`") }
            scanner.skipLines()
            fields.append(Pattern.Field(name, try parse(&scanner, depth: depth + 1)))
            scanner.skipLines()
            if scanner.consume("}") { return .object(fields) }
            guard scanner.consume(",") else { throw scanner.error(expected: "`,` or `}`") }
        }
    }

    private func parseArray(
        _ scanner: inout TextScanner, depth: Int
    ) throws(ScenarioSyntaxError) -> Pattern {
        scanner.advance()
        var elements: [Pattern] = []
        while true {
            scanner.skipLines()
            if scanner.consume("]") { return .array(elements, isOpen: false) }
            if purpose == .pattern, scanner.consume("...") {
                scanner.skipLines()
                guard scanner.consume("]") else { throw scanner.error(expected: "`]`") }
                return .array(elements, isOpen: true)
            }
            elements.append(try parse(&scanner, depth: depth + 1))
            scanner.skipLines()
            if scanner.consume("]") { return .array(elements, isOpen: false) }
            guard scanner.consume(",") else { throw scanner.error(expected: "`,` or `]`") }
        }
    }
}
