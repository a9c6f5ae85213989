internal import RefreshProtocol
internal import ScenarioKit

/// Parses the steps of cases for clients. The language of these steps extends the scenario
/// language. Source: docs/conformance.md, "Steps of a case for clients".
extension ScenarioParser {
    /// Parses steps up to the end of the text or of the block. `blocks` contains the named blocks
    /// of steps.
    mutating func parseClientSteps(
        _ blocks: inout [String: [ClientStep]]
    ) throws(ScenarioSyntaxError) -> [ClientStep] {
        var steps: [ClientStep] = []
        scanner.skipLines()
        while !scanner.isAtEnd, scanner.peek != "}" {
            steps += try parseClientLine(&blocks)
            scanner.skipBlanks()
            try expectEndOfLine()
            scanner.skipLines()
        }
        return steps
    }

    /// Parses a line and returns its steps. A line is a step, or `play NAME` or `repeat COUNT { …
    /// }`, which expand to several steps. For the definition `steps NAME { … }`, the result is
    /// empty.
    private mutating func parseClientLine(
        _ blocks: inout [String: [ClientStep]]
    ) throws(ScenarioSyntaxError) -> [ClientStep] {
        if consumeWord("repeat") {
            let count = try parseWholeNumber(1...1000, "a number of times")
            let steps = try parseClientBlock(&blocks)
            return (0..<count).flatMap { _ in steps }
        }
        if consumeWord("steps") {
            scanner.skipBlanks()
            let name = try scanner.parseWord("a name for the steps")
            blocks[name] = try parseClientBlock(&blocks)
            return []
        }
        guard consumeWord("play") else { return [try parseClientStep()] }
        scanner.skipBlanks()
        let syntaxError = scanner.error(expected: "the name of steps above")
        guard let steps = blocks[try scanner.parseWord("the name of steps")] else {
            throw syntaxError
        }
        return steps
    }

    /// Parses `{ … }`.
    private mutating func parseClientBlock(
        _ blocks: inout [String: [ClientStep]]
    ) throws(ScenarioSyntaxError) -> [ClientStep] {
        scanner.skipBlanks()
        guard scanner.consume("{") else { throw scanner.error(expected: "`{`") }
        let steps = try parseClientSteps(&blocks)
        guard scanner.consume("}") else { throw scanner.error(expected: "a step or `}`") }
        return steps
    }

    private mutating func parseClientStep() throws(ScenarioSyntaxError) -> ClientStep {
        scanner.skipBlanks()
        let syntaxError = scanner.error(expected: "a step")
        let verb = try scanner.parseWord("a step")
        if verb == "expect" { return .expect(try parseClientExpectation()) }
        if let action = try parseServerAction(verb) { return .server(action) }
        if let action = try parseClientAction(verb) { return .client(action) }
        if let action = try parseFlowAction(verb) { return .flow(action) }
        throw syntaxError
    }

    /// The types of the messages that a server sends.
    private static let serverMessages: Set<String> = [
        "welcome", "attached", "update", "items", "edited", "loading", "load", "snapshot", "error",
        "draining",
    ]

    private mutating func parseServerAction(
        _ verb: String
    ) throws(ScenarioSyntaxError) -> ClientStep.ServerAction? {
        switch verb {
        case "strange":
            scanner.skipBlanks()
            let syntaxError = scanner.error(expected: "a message to send")
            guard let messages = try parseSending(try scanner.parseWord("a message to send"))
            else { throw syntaxError }
            return .send(messages, isStrange: true)
        case "close": return .close(UInt16(try parseWholeNumber(1000...4999, "a close code")))
        case "cut": return .cut
        case "refuse": return .refuseUpgrades(try parseWholeNumber(1...100, "a number"))
        case "pings":
            if consumeWord("on") { return .setAnswersPings(true) }
            try parseKeyword("off")
            return .setAnswersPings(false)
        case "answer": return consumeWord("bye") ? .answerBye : nil
        default: return try parseSending(verb).map { .send($0, isStrange: false) }
        }
    }

    /// Parses `send …` or `TYPE [VIEW] [{…}]`. Returns nil if the word begins neither.
    private mutating func parseSending(_ verb: String) throws(ScenarioSyntaxError) -> [Pattern]? {
        let parser = PatternParser(purpose: .template)
        scanner.skipBlanks()
        if verb == "send" {
            guard scanner.peek == "[" else { return [try parser.parseObject(&scanner)] }
            guard case .array(let messages, _) = try parser.parse(&scanner) else { return nil }
            return messages
        }
        guard Self.serverMessages.contains(verb) else { return nil }
        return [try parseMembers(after: [Pattern.Field("type", .text(verb))])]
    }

    /// Parses `[VIEW] [{…}]`, and returns the given fields followed by the parsed fields.
    private mutating func parseMembers(
        after fields: [Pattern.Field]
    ) throws(ScenarioSyntaxError) -> Pattern {
        var fields = fields
        scanner.skipBlanks()
        if scanner.peekWord != nil {
            fields.append(Pattern.Field("view", .text(try parseView())))
        }
        return .object(fields + (try parseOptionalFields(.template, excluding: fields)))
    }

    private mutating func parseClientAction(
        _ verb: String
    ) throws(ScenarioSyntaxError) -> ClientStep.ClientAction? {
        switch verb {
        case "order":
            scanner.skipBlanks()
            let order = try scanner.parseWord("an order")
            return .order(order, try parseMembers(after: []))
        case "connect": return .connect(.object(try parseOptionalFields(.template)))
        case "answer": return .answerHello(.object(try parseOptionalFields(.template)))
        case "open": return .open(.object(try parseOptionalFields(.template)))
        case "spring":
            try parseKeyword("into")
            try parseKeyword("room")
            return .springIntoRoom
        default: return nil
        }
    }

    private mutating func parseFlowAction(
        _ verb: String
    ) throws(ScenarioSyntaxError) -> ClientStep.FlowAction? {
        switch verb {
        case "wait": return .wait(try parseTime())
        case "skip": return .skip(try parseTypes())
        case "let":
            guard case .assign(let name, let value) = try parseAssignment() else { return nil }
            return .assign(name, value)
        case "measure":
            try parseKeyword("driver")
            return .measureDriver
        case "allow":
            try parseKeyword("disconnect")
            return .allowDisconnect
        case "check":
            let name = try parseVariable()
            return .check(name, try parseWrittenPattern(), try parseFailureText())
        case "done":
            try parseKeyword("if")
            let name = try parseVariable()
            return .finishIf(name, try parseWrittenPattern())
        case "require":
            try parseKeyword("shown")
            let form = ViewForm(view: try parseView(), pattern: try parseWrittenPattern())
            scanner.skipBlanks()
            return .requireShown(form, try scanner.parseQuotedText())
        default: return nil
        }
    }

    /// Parses `$name`.
    mutating func parseVariable() throws(ScenarioSyntaxError) -> String {
        scanner.skipBlanks()
        guard scanner.consume("$") else { throw scanner.error(expected: "a variable") }
        return try scanner.parseWord("the name of a variable")
    }

    /// Parses a pattern. The result contains the text of the pattern too.
    mutating func parseWrittenPattern() throws(ScenarioSyntaxError) -> WrittenPattern {
        scanner.skipBlanks()
        let start = scanner.mark
        let pattern = try PatternParser(purpose: .pattern).parse(&scanner)
        return WrittenPattern(pattern, text: scanner.text(since: start))
    }

    /// Parses `["EXPECTED" ["CAME"]]`.
    mutating func parseFailureText() throws(ScenarioSyntaxError) -> FailureText {
        var text = FailureText()
        scanner.skipBlanks()
        guard scanner.peek == "\"" else { return text }
        text.expected = try scanner.parseQuotedText()
        scanner.skipBlanks()
        if scanner.peek == "\"" { text.came = try scanner.parseQuotedText() }
        return text
    }

    /// Parses `TYPE { or TYPE }`.
    mutating func parseTypes() throws(ScenarioSyntaxError) -> [String] {
        var types: [String] = []
        repeat {
            scanner.skipBlanks()
            types.append(try scanner.parseWord("a message"))
        } while consumeWord("or")
        return types
    }
}
