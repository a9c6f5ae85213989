internal import RefreshProtocol

/// Parses values and patterns. Source: docs/scenarios.md, "Values" and "Patterns".
struct PatternParser {
    /// The kind of text. Wildcards are errors in a message to send.
    enum Purpose { case message, pattern }

    let purpose: Purpose

    func parse(_ scanner: inout TextScanner) throws(ScenarioSyntaxError) -> Pattern {
        try parse(&scanner, depth: 0)
    }

    /// Parses an object, `{ … }`. The names in `taken` must not occur again.
    func parseObject(
        _ scanner: inout TextScanner, besides taken: Set<String> = []
    ) throws(ScenarioSyntaxError) -> Pattern {
        guard scanner.peek == "{" else { throw scanner.error(expected: "`{`") }
        return try object(&scanner, depth: 0, besides: taken)
    }

    private func parse(
        _ scanner: inout TextScanner, depth: Int
    ) throws(ScenarioSyntaxError) -> Pattern {
        guard depth < ScenarioBounds.depthMax else { throw scanner.error(expected: "less nesting") }
        switch scanner.peek {
        case "{": return try object(&scanner, depth: depth)
        case "[": return try array(&scanner, depth: depth)
        case "\"": return .text(try scanner.quoted())
        case "$": return try number(&scanner, expected: "a variable")
        case "*", "?", "~", "<", ">":
            guard purpose == .pattern else { throw scanner.error(expected: "a value") }
            return try wildcard(&scanner)
        default: return try scalar(&scanner)
        }
    }

    private func wildcard(_ scanner: inout TextScanner) throws(ScenarioSyntaxError) -> Pattern {
        if scanner.take("*") { return .anything }
        if scanner.take("?") { return .capture(try scanner.word("the name of a variable")) }
        if scanner.take("~") {
            scanner.skipBlanks()
            return .near(try scanner.amount("a number"), tolerance: Pattern.nearness)
        }
        for comparison in [Pattern.Comparison.lessOrEqual, .greaterOrEqual, .less, .greater]
        where scanner.take(comparison.rawValue) {
            scanner.skipBlanks()
            return .compared(comparison, try scanner.amount("a number"))
        }
        throw scanner.error(expected: "a pattern")
    }

    private func scalar(_ scanner: inout TextScanner) throws(ScenarioSyntaxError) -> Pattern {
        let wanted = purpose == .message ? "a value" : "a value or a pattern"
        guard let word = scanner.peekWord else {
            return try number(&scanner, expected: wanted)
        }
        switch word {
        case "true", "false", "null":
            _ = scanner.take(word)
            return .value(word == "null" ? .null : .bool(word == "true"))
        case "absent", "like", "length":
            guard purpose == .pattern else { throw scanner.error(expected: "a value") }
            _ = scanner.take(word)
            scanner.skipBlanks()
            if word == "absent" { return .absent }
            if word == "like" { return .like(try scanner.quoted()) }
            let wanted = scanner.error(expected: "a number of elements")
            let count = Int(exactly: try scanner.number("a number of elements"))
            guard let count, count >= 0 else { throw wanted }
            return .length(count)
        default:
            return .text(try scanner.word(wanted))
        }
    }

    private func number(
        _ scanner: inout TextScanner, expected: String
    ) throws(ScenarioSyntaxError) -> Pattern {
        let amount = try scanner.amount(expected)
        if purpose == .pattern {
            let end = scanner.mark
            scanner.skipBlanks()
            if scanner.take("~") {
                scanner.skipBlanks()
                let wanted = scanner.error(expected: "a tolerance of 0 or more")
                let tolerance = try scanner.number("a tolerance")
                guard tolerance >= 0 else { throw wanted }
                return .near(amount, tolerance: tolerance)
            }
            scanner.back(to: end)
        }
        guard amount.terms.count == 1 else { return .sum(amount) }
        return switch amount.terms[0].value {
        case .number(let number): .value(.number(number))
        case .variable(let name): .variable(name)
        }
    }

    private func object(
        _ scanner: inout TextScanner, depth: Int, besides taken: Set<String> = []
    ) throws(ScenarioSyntaxError) -> Pattern {
        scanner.advance()
        var fields: [Pattern.Field] = []
        var names = taken
        while true {
            scanner.skipLines()
            if scanner.take("}") { return .object(fields) }
            let repeated = scanner.error(expected: "a name that is not used yet")
            let name =
                scanner.peek == "\""
                ? try scanner.quoted() : try scanner.word("the name of a field or `}`")
            guard names.insert(name).inserted else { throw repeated }
            scanner.skipLines()
            guard scanner.take(":") else { throw scanner.error(expected: "`:`") }
            scanner.skipLines()
            fields.append(Pattern.Field(name, try parse(&scanner, depth: depth + 1)))
            scanner.skipLines()
            if scanner.take("}") { return .object(fields) }
            guard scanner.take(",") else { throw scanner.error(expected: "`,` or `}`") }
        }
    }

    private func array(
        _ scanner: inout TextScanner, depth: Int
    ) throws(ScenarioSyntaxError) -> Pattern {
        scanner.advance()
        var elements: [Pattern] = []
        while true {
            scanner.skipLines()
            if scanner.take("]") { return .array(elements, isOpen: false) }
            if purpose == .pattern, scanner.take("...") {
                scanner.skipLines()
                guard scanner.take("]") else { throw scanner.error(expected: "`]`") }
                return .array(elements, isOpen: true)
            }
            elements.append(try parse(&scanner, depth: depth + 1))
            scanner.skipLines()
            if scanner.take("]") { return .array(elements, isOpen: false) }
            guard scanner.take(",") else { throw scanner.error(expected: "`,` or `]`") }
        }
    }
}
