/// Parsing of steps with their context: clients, limits, blocks, includes.
extension ScenarioParser {
    /// Parses a step or an include. Returns the step, or the steps of the included file.
    mutating func parseLine(inBlock: Bool) throws(ScenarioSyntaxError) -> [Step] {
        let start = scanner.mark
        let client = try parseClient()
        let syntaxError = scanner.error(
            expected: client == nil ? "a step that is not a block" : "a step of one client")
        if consumeWord("include") {
            guard client == nil else { throw syntaxError }
            return try parseInclude(inBlock: inBlock)
        }
        let action: Step.Action
        if consumeWord("at") {
            guard client == nil, !inBlock else { throw syntaxError }
            action = .atOnce(try parseBlock())
        } else {
            action = try self.parseAction()
        }
        let limitMs = consumeWord("limit") ? try parseTime() : nil
        let step = Step(
            position: start.position, text: scanner.text(since: start), action: action,
            client: client, limitMs: limitMs)
        scanner.skipBlanks()
        try expectEndOfLine()
        context.steps += 1
        guard context.steps <= ScenarioBounds.stepsMax else {
            scanner.rewind(to: start)
            throw scanner.error(expected: "at most \(ScenarioBounds.stepsMax) steps")
        }
        return [step]
    }

    /// Parses `NAME:` before a step, and returns the name. Returns nil if there is no `NAME:`.
    private mutating func parseClient() throws(ScenarioSyntaxError) -> String? {
        scanner.skipBlanks()
        let start = scanner.mark
        guard scanner.peekWord != nil else { return nil }
        let syntaxError =
            context.clients.isEmpty
            ? scanner.error(expected: "a step")
            : scanner.error(
                expected: "a client that is declared (\(context.clients.joined(separator: ", ")))")
        let name = try scanner.parseWord("a step")
        guard scanner.consume(":") else {
            scanner.rewind(to: start)
            return nil
        }
        guard context.clients.contains(name) else { throw syntaxError }
        scanner.skipBlanks()
        return name
    }

    /// Parses `once { … }`.
    private mutating func parseBlock() throws(ScenarioSyntaxError) -> [Step] {
        try parseKeyword("once")
        scanner.skipBlanks()
        guard scanner.consume("{") else { throw scanner.error(expected: "`{`") }
        var steps: [Step] = []
        scanner.skipLines()
        while !scanner.consume("}") {
            guard !scanner.isAtEnd, scanner.peek != "#" else {
                throw scanner.error(expected: "a step or `}`")
            }
            steps += try parseLine(inBlock: true)
            scanner.skipLines()
        }
        guard !steps.isEmpty else { throw scanner.error(expected: "a block that contains a step") }
        return steps
    }

    /// Parses an include, and returns the steps of the included file.
    private mutating func parseInclude(inBlock: Bool) throws(ScenarioSyntaxError) -> [Step] {
        scanner.skipBlanks()
        let start = scanner.mark
        let path = context.path(try scanner.parsePath())
        let place = { (expected: String) in
            ScenarioSyntaxError(at: start.position, expected: expected, found: "`\(path)`")
        }
        if let objection = context.includeError(for: path) { throw place(objection) }
        let text: String?
        do throws(ScenarioSources.Unreadable) {
            text = String(validating: try context.sources.read(path), as: UTF8.self)
        } catch {
            throw place("a file to include, but it \(error.reason)")
        }
        guard let text else { throw place("a UTF-8 file") }
        var inner = ScenarioParser(text, context.contextIncluding(path), file: path)
        var steps: [Step] = []
        inner.scanner.skipLines()
        repeat {
            steps += try inner.parseLine(inBlock: inBlock)
            inner.scanner.skipLines()
        } while !inner.scanner.isAtEnd
        context.updateCounts(from: inner.context)
        scanner.skipBlanks()
        try expectEndOfLine()
        return steps
    }
}
