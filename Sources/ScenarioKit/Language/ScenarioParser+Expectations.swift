internal import RefreshProtocol

/// Parsing of expectations.
extension ScenarioParser {
    mutating func parseExpectation() throws(ScenarioSyntaxError) -> Expectation {
        if consumeWord("nothing") { return .nothing(forMs: try parseSilence()) }
        if consumeWord("no") {
            let message = try parseExpectedMessage()
            return .none(message, forMs: try parseSilence())
        }
        if consumeWord("next") {
            let message = try parseExpectedMessage()
            return .next(message, withinMs: try parseTimeout())
        }
        if consumeWord("together") {
            let messages = try parseExpectedMessages()
            return .together(messages, withinMs: try parseTimeout())
        }
        if consumeWord("state") { return try parseState() }
        if consumeWord("close") {
            scanner.skipBlanks()
            let hasCode = scanner.peek.map { TextScanner.isDigit($0) } ?? false
            let code = hasCode ? try parseWholeNumber(0...65_535, "a close code") : nil
            return .close(code: code, withinMs: try parseTimeout())
        }
        if consumeWord("fenced") { return .fenced(withinMs: try parseTimeout()) }
        let messages = try parseExpectedMessages()
        return .messages(messages, withinMs: try parseTimeout())
    }

    private mutating func parseSilence() throws(ScenarioSyntaxError) -> Double {
        consumeWord("for") ? try parseTime() : Expectation.silenceMs
    }

    private mutating func parseTimeout() throws(ScenarioSyntaxError) -> Double {
        consumeWord("within") ? try parseTime() : Expectation.defaultTimeoutMs
    }

    /// Parses `MESSAGE and MESSAGE …`; `and` may start the next line.
    private mutating func parseExpectedMessages() throws(ScenarioSyntaxError) -> [Pattern] {
        var messages = [try parseExpectedMessage()]
        while true {
            let end = scanner.mark
            scanner.skipLines()
            guard consumeWord("and") else {
                scanner.rewind(to: end)
                return messages
            }
            messages.append(try parseExpectedMessage())
        }
    }

    /// Parses `TYPE [VIEW] [PATTERN]` or `PATTERN`.
    private mutating func parseExpectedMessage() throws(ScenarioSyntaxError) -> Pattern {
        scanner.skipBlanks()
        if scanner.peek == "{" { return .object(try parseOptionalFields(.pattern)) }
        let type = try scanner.parseWord("a message")
        var fields = [Pattern.Field("type", .text(type))]
        scanner.skipBlanks()
        if let word = scanner.peekWord, !Self.messageTerminators.contains(word) {
            fields.append(Pattern.Field("view", .text(try parseView())))
        } else if scanner.peek == "\"" {
            fields.append(Pattern.Field("view", .text(try parseView())))
        }
        return .object(fields + (try parseOptionalFields(.pattern, excluding: fields)))
    }

    /// Words that may follow a message. A view with such a name needs quotes.
    private static let messageTerminators: Set<String> = ["and", "within", "for", "limit"]

    /// Parses `VIEW PATTERN` or `VIEW.EDGE WORD|PATTERN`.
    private mutating func parseState() throws(ScenarioSyntaxError) -> Expectation {
        let path = try parseView().split(separator: ".", maxSplits: 1).map(String.init)
        scanner.skipBlanks()
        let parser = PatternParser(purpose: .pattern)
        guard path.count == 2 else {
            let pattern = try parser.parseObject(&scanner)
            return .state(view: path.first ?? "", pattern, withinMs: try parseTimeout())
        }
        var pattern = try parser.parse(&scanner)
        if case .value(.string) = pattern { pattern = .object([Pattern.Field("state", pattern)]) }
        let nested = Pattern.object([Pattern.Field(path[1], pattern)])
        return .state(view: path[0], nested, withinMs: try parseTimeout())
    }
}
