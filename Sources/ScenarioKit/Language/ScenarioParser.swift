/// Parses a text into a `Scenario`. Source: docs/scenarios.md.
package struct ScenarioParser {
    package var scanner: TextScanner
    var context: SourceContext

    init(_ text: String, _ context: SourceContext, file: String? = nil) {
        scanner = TextScanner(text, file: file)
        self.context = context
    }

    /// Creates a parser of a text that refers to no other files.
    package init(_ text: String) {
        self.init(text, SourceContext(path: "", sources: .none))
    }

    /// Parses the whole text, and stops at the first error. `path` is the path of the text. The
    /// paths of other files are relative to `path`, and the files are read from `sources`.
    package static func parse(
        _ text: String, name: String, path: String = "", sources: ScenarioSources = .none
    ) throws(ScenarioSyntaxError) -> Scenario {
        var parser = ScenarioParser(text, SourceContext(path: path, sources: sources))
        var scenario = Scenario(
            name: name, description: try parser.parseHeader("description"),
            expectation: try parser.parseHeader("expectation"), phases: [])
        try parser.parseHeads(of: &scenario)
        parser.context.clients = scenario.clients
        repeat { scenario.phases.append(try parser.parsePhase()) } while !parser.scanner.isAtEnd
        return scenario
    }

    /// Parses the optional headers after the description.
    private mutating func parseHeads(of scenario: inout Scenario) throws(ScenarioSyntaxError) {
        var seen: Set<String> = []
        while true {
            scanner.skipLines()
            let repeated = scanner.error(expected: "each head only once")
            guard let head = ["clients:", "limit:", "step limit:"].first(where: scanner.isAt)
            else { return }
            guard seen.insert(head).inserted else { throw repeated }
            _ = scanner.consume(head)
            switch head {
            case "clients:": scenario.clients = try parseClients()
            case "limit:": scenario.limitMs = try parseTime()
            default: scenario.stepLimitMs = try parseTime()
            }
            try expectEndOfLine()
        }
    }

    /// Parses names separated by commas.
    private mutating func parseClients() throws(ScenarioSyntaxError) -> [String] {
        var names: [String] = []
        repeat {
            scanner.skipBlanks()
            let repeated = scanner.error(expected: "a name that is not used yet")
            let full = scanner.error(expected: "at most \(ScenarioBounds.clientsMax - 1) names")
            let name = try scanner.parseWord("the name of a client")
            guard !names.contains(name) else { throw repeated }
            guard names.count < ScenarioBounds.clientsMax - 1 else { throw full }
            names.append(name)
            scanner.skipBlanks()
        } while scanner.consume(",")
        return names
    }

    package func expectEndOfLine() throws(ScenarioSyntaxError) {
        var ahead = scanner
        ahead.skipBlanks()
        guard ahead.isAtLineEnd else { throw ahead.error(expected: "the end of the line") }
    }

    /// Parses `NAME: text`, which may continue on indented lines.
    package mutating func parseHeader(_ name: String) throws(ScenarioSyntaxError) -> String {
        scanner.skipLines()
        guard scanner.consume("\(name):") else { throw scanner.error(expected: "`\(name):`") }
        var lines = [consumeRestOfLine()]
        while let next = scanner.peek, next == " " || next == "\t" {
            lines.append(consumeRestOfLine())
        }
        let text = lines.filter { !$0.isEmpty }.joined(separator: " ")
        guard !text.isEmpty else { throw scanner.error(expected: "a sentence") }
        return text
    }

    /// Returns the text up to the end of the line and advances past it.
    private mutating func consumeRestOfLine() -> String {
        let start = scanner.mark
        _ = scanner.scan { $0 != "\n" }
        let text = scanner.text(since: start)
        scanner.advance()
        return text
    }

    /// Parses `# name` and the steps of the phase.
    private mutating func parsePhase() throws(ScenarioSyntaxError) -> Scenario.Phase {
        scanner.skipLines()
        let position = scanner.position
        guard scanner.consume("#") else { throw scanner.error(expected: "`# name of a phase`") }
        scanner.skipBlanks()
        guard !scanner.isAtLineEnd else { throw scanner.error(expected: "the name of the phase") }
        let name = consumeRestOfLine()
        var steps: [Step] = []
        scanner.skipLines()
        while !scanner.isAtEnd, scanner.peek != "#" {
            steps += try parseLine(inBlock: false)
            scanner.skipLines()
        }
        guard !steps.isEmpty else { throw scanner.error(expected: "a step") }
        return Scenario.Phase(name: name, position: position, steps: steps)
    }
}

extension ScenarioParser {
    /// Parses a required word.
    package mutating func parseKeyword(_ word: String) throws(ScenarioSyntaxError) {
        guard consumeWord(word) else { throw scanner.error(expected: "`\(word)`") }
    }

    /// Skips blanks. If the next whole word is `word`, skips this word too. Returns whether the
    /// word was skipped.
    package mutating func consumeWord(_ word: String) -> Bool {
        scanner.skipBlanks()
        guard scanner.peekWord == word else { return false }
        return scanner.consume(word)
    }

    /// Parses the name of a view.
    package mutating func parseView() throws(ScenarioSyntaxError) -> String {
        scanner.skipBlanks()
        if scanner.peek == "\"" { return try scanner.parseQuotedText() }
        return try scanner.parseWord("the name of a view")
    }

    mutating func parseNumber(_ expected: String) throws(ScenarioSyntaxError) -> Double {
        scanner.skipBlanks()
        return try scanner.parseNumber(expected)
    }

    /// Parses a number that can contain variables.
    package mutating func parseAmount(_ expected: String) throws(ScenarioSyntaxError) -> Amount {
        scanner.skipBlanks()
        return try scanner.parseAmount(expected)
    }

    /// Parses a whole number within the range.
    package mutating func parseWholeNumber(
        _ range: ClosedRange<Int>, _ expected: String
    ) throws(ScenarioSyntaxError) -> Int {
        scanner.skipBlanks()
        let syntaxError = scanner.error(
            expected: "\(expected), \(range.lowerBound) to \(range.upperBound)")
        guard let number = Int(exactly: try scanner.parseNumber(expected)), range.contains(number)
        else { throw syntaxError }
        return number
    }

    /// Parses a time and returns it in milliseconds.
    package mutating func parseTime() throws(ScenarioSyntaxError) -> Double {
        let expected = "a time such as `300ms` or `2s`"
        scanner.skipBlanks()
        let syntaxError = scanner.error(expected: expected)
        let start = scanner.mark
        let amount = try scanner.parseNumber(expected)
        let unit = scanner.scan { TextScanner.isLetter($0) }
        guard amount >= 0, unit == "ms" || unit == "s" else {
            scanner.rewind(to: start)
            throw syntaxError
        }
        let ms = unit == "s" ? amount * 1000 : amount
        guard ms <= ScenarioBounds.timeMsMax else {
            scanner.rewind(to: start)
            throw scanner.error(expected: "a time of at most 3600s")
        }
        return ms
    }
}
