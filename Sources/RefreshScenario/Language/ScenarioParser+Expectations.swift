internal import RefreshProtocol

/// Parsing of expectations.
extension ScenarioParser {
    mutating func expectation() throws(ScenarioSyntaxError) -> Expectation {
        if takeWord("nothing") { return .nothing(forMs: try silence()) }
        if takeWord("no") {
            let message = try expectedMessage()
            return .none(message, forMs: try silence())
        }
        if takeWord("next") {
            let message = try expectedMessage()
            return .next(message, withinMs: try patience())
        }
        if takeWord("together") {
            let messages = try expectedMessages()
            return .together(messages, withinMs: try patience())
        }
        if takeWord("state") { return try state() }
        if takeWord("close") {
            scanner.skipBlanks()
            let hasCode = scanner.peek.map { TextScanner.isDigit($0) } ?? false
            let code = hasCode ? try whole(0...65_535, "a close code") : nil
            return .close(code: code, withinMs: try patience())
        }
        if takeWord("fenced") { return .fenced(withinMs: try patience()) }
        let messages = try expectedMessages()
        return .messages(messages, withinMs: try patience())
    }

    private mutating func silence() throws(ScenarioSyntaxError) -> Double {
        takeWord("for") ? try time() : Expectation.silenceMs
    }

    private mutating func patience() throws(ScenarioSyntaxError) -> Double {
        takeWord("within") ? try time() : Expectation.patienceMs
    }

    /// Parses `MESSAGE and MESSAGE …`; `and` may start the next line.
    private mutating func expectedMessages() throws(ScenarioSyntaxError) -> [Pattern] {
        var messages = [try expectedMessage()]
        while true {
            let end = scanner.mark
            scanner.skipLines()
            guard takeWord("and") else {
                scanner.back(to: end)
                return messages
            }
            messages.append(try expectedMessage())
        }
    }

    /// Parses `TYPE [VIEW] [PATTERN]` or `PATTERN`.
    private mutating func expectedMessage() throws(ScenarioSyntaxError) -> Pattern {
        scanner.skipBlanks()
        if scanner.peek == "{" { return .object(try optionalFields(.pattern)) }
        let type = try scanner.word("a message")
        var fields = [Pattern.Field("type", .text(type))]
        scanner.skipBlanks()
        if let word = scanner.peekWord, !Self.joints.contains(word) {
            fields.append(Pattern.Field("view", .text(try view())))
        } else if scanner.peek == "\"" {
            fields.append(Pattern.Field("view", .text(try view())))
        }
        return .object(fields + (try optionalFields(.pattern, besides: fields)))
    }

    /// Words that may follow a message. A view with such a name needs quotes.
    private static let joints: Set<String> = ["and", "within", "for", "limit"]

    /// Parses `VIEW PATTERN` or `VIEW.EDGE WORD|PATTERN`.
    private mutating func state() throws(ScenarioSyntaxError) -> Expectation {
        let path = try view().split(separator: ".", maxSplits: 1).map(String.init)
        scanner.skipBlanks()
        let parser = PatternParser(purpose: .pattern)
        guard path.count == 2 else {
            let pattern = try parser.parseObject(&scanner)
            return .state(view: path.first ?? "", pattern, withinMs: try patience())
        }
        var pattern = try parser.parse(&scanner)
        if case .value(.string) = pattern { pattern = .object([Pattern.Field("state", pattern)]) }
        let nested = Pattern.object([Pattern.Field(path[1], pattern)])
        return .state(view: path[0], nested, withinMs: try patience())
    }
}
