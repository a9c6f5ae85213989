/// Turns a text into a `Scenario`. Source: docs/scenarios.md.
package struct ScenarioParser {
    var scanner: TextScanner

    private init(_ text: String) { scanner = TextScanner(text) }

    /// Reads the whole text; the first mistake ends it.
    package static func parse(
        _ text: String, name: String
    ) throws(ScenarioSyntaxError) -> Scenario {
        var parser = ScenarioParser(text)
        let description = try parser.header("description")
        let expectation = try parser.header("expectation")
        var phases: [Scenario.Phase] = []
        repeat { phases.append(try parser.phase()) } while !parser.scanner.isAtEnd
        return Scenario(
            name: name, description: description, expectation: expectation, phases: phases)
    }

    /// `NAME: text`, which goes on over indented lines.
    private mutating func header(_ name: String) throws(ScenarioSyntaxError) -> String {
        scanner.skipLines()
        guard scanner.take("\(name):") else { throw scanner.error(expected: "`\(name):`") }
        var lines = [restOfLine()]
        while let next = scanner.peek, next == " " || next == "\t" {
            lines.append(restOfLine())
        }
        let text = lines.filter { !$0.isEmpty }.joined(separator: " ")
        guard !text.isEmpty else { throw scanner.error(expected: "a sentence") }
        return text
    }

    /// The text up to the end of the line, which is passed as well.
    private mutating func restOfLine() -> String {
        let start = scanner.mark
        _ = scanner.run { $0 != "\n" }
        let text = scanner.text(since: start)
        scanner.advance()
        return text
    }

    /// `# name` and its steps.
    private mutating func phase() throws(ScenarioSyntaxError) -> Scenario.Phase {
        scanner.skipLines()
        let position = scanner.position
        guard scanner.take("#") else { throw scanner.error(expected: "`# name of a phase`") }
        scanner.skipBlanks()
        guard !scanner.isAtLineEnd else { throw scanner.error(expected: "the name of the phase") }
        let name = restOfLine()
        var steps: [Step] = []
        scanner.skipLines()
        while !scanner.isAtEnd, scanner.peek != "#" {
            steps.append(try step())
            scanner.skipLines()
        }
        guard !steps.isEmpty else { throw scanner.error(expected: "a step") }
        return Scenario.Phase(name: name, position: position, steps: steps)
    }

    private mutating func step() throws(ScenarioSyntaxError) -> Step {
        let start = scanner.mark
        let action = try action()
        let text = scanner.text(since: start)
        scanner.skipBlanks()
        guard scanner.isAtLineEnd else { throw scanner.error(expected: "the end of the line") }
        return Step(position: start.position, text: text, action: action)
    }
}

extension ScenarioParser {
    /// A word that must stand here.
    mutating func keyword(_ word: String) throws(ScenarioSyntaxError) {
        guard takeWord(word) else { throw scanner.error(expected: "`\(word)`") }
    }

    /// Passes blanks and this word if it stands here, whole.
    mutating func takeWord(_ word: String) -> Bool {
        scanner.skipBlanks()
        guard scanner.peekWord == word else { return false }
        return scanner.take(word)
    }

    /// The name of a view.
    mutating func view() throws(ScenarioSyntaxError) -> String {
        scanner.skipBlanks()
        if scanner.peek == "\"" { return try scanner.quoted() }
        return try scanner.word("the name of a view")
    }

    mutating func number(_ expected: String) throws(ScenarioSyntaxError) -> Double {
        scanner.skipBlanks()
        return try scanner.number(expected)
    }

    /// Milliseconds.
    mutating func time() throws(ScenarioSyntaxError) -> Double {
        let expected = "a time such as `300ms` or `2s`"
        scanner.skipBlanks()
        let wanted = scanner.error(expected: expected)
        let start = scanner.mark
        let amount = try scanner.number(expected)
        let unit = scanner.run { TextScanner.isLetter($0) }
        guard amount >= 0, unit == "ms" || unit == "s" else {
            scanner.back(to: start)
            throw wanted
        }
        return unit == "s" ? amount * 1000 : amount
    }
}
