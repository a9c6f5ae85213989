internal import RefreshProtocol
internal import ScenarioKit

/// Parses the expectations of cases for clients.
extension ScenarioParser {
    mutating func parseClientExpectation() throws(ScenarioSyntaxError) -> ClientExpectation {
        scanner.skipBlanks()
        let start = scanner.mark
        let word = try scanner.parseWord("an expectation")
        if let expectation = try parseShownExpectation(word) { return expectation }
        if let expectation = try parseConnectionExpectation(word) { return expectation }
        switch word {
        case "no":
            if consumeWord("connection") {
                try parseKeyword("for")
                return .noConnection(forMs: try parseTime())
            }
            let form = try parseMessageForm()
            try parseKeyword("for")
            return .noMessage(form, forMs: try parseTime(), try parseFailureText())
        case "in":
            try parseKeyword("order")
            return .inOrder(try parseTypesInOrder())
        case "at":
            try parseKeyword("most")
            let count = try parseWholeNumber(0...1000, "a number of messages")
            return .atMost(count, try parseMessageForm(), try parseFailureText())
        case "falling":
            try parseKeyword("offsets")
            return .fallingOffsets
        case "clock": return .clock(try parseVariable(), try parseVariable())
        case "next": return try parseMessageExpectation(.next)
        case "last": return try parseMessageExpectation(.last)
        default:
            scanner.rewind(to: start)
            return try parseMessageExpectation(.any)
        }
    }

    /// Parses an expectation about the client's display. Returns nil if the word begins no such
    /// expectation.
    private mutating func parseShownExpectation(
        _ word: String
    ) throws(ScenarioSyntaxError) -> ClientExpectation? {
        switch word {
        case "shown":
            let form = ViewForm(view: try parseView(), pattern: try parseWrittenPattern())
            if consumeWord("for") {
                return .staysShown(form, forMs: try parseTime(), try parseFailureText())
            }
            let limit = try parseLimit()
            return .shown(form, limit, name: try parseName(), try parseFailureText())
        case "mostly":
            try parseKeyword("at")
            let places = try parseWrittenPattern()
            try parseKeyword("for")
            return .mostlyAt(places, forMs: try parseTime(), try parseFailureText())
        case "settled":
            try parseKeyword("at")
            return .settled(try parseAmount("an offset"))
        case "status":
            scanner.skipBlanks()
            return .status(try scanner.parseWord("a status"))
        case "reported":
            try parseKeyword("error")
            scanner.skipBlanks()
            return .reportedError(try scanner.parseWord("the code of an error"))
        default: return nil
        }
    }

    /// Parses an expectation about connections and handshakes. Returns nil if the word begins no
    /// such expectation.
    private mutating func parseConnectionExpectation(
        _ word: String
    ) throws(ScenarioSyntaxError) -> ClientExpectation? {
        switch word {
        case "connection":
            if consumeWord("at") {
                try parseKeyword("once")
                return .connectionAtOnce
            }
            let limit = try parseLimit()
            guard consumeWord("not") else { return .connection(limit, notBeforeMs: nil) }
            try parseKeyword("before")
            return .connection(limit, notBeforeMs: try parseTime())
        case "comeback": return .comeback
        case "disconnect": return .disconnect
        case "body": return .body
        case "subprotocol":
            scanner.skipBlanks()
            return .subprotocol(try scanner.parseWord("a subprotocol"))
        default: return nil
        }
    }

    private mutating func parseMessageExpectation(
        _ choice: MessageForm.Choice
    ) throws(ScenarioSyntaxError) -> ClientExpectation {
        let form = try parseMessageForm()
        let limit = try parseLimit()
        return .message(form, choice, limit, name: try parseName())
    }

    /// Parses `TYPES [PATTERN]`.
    private mutating func parseMessageForm() throws(ScenarioSyntaxError) -> MessageForm {
        let types = try parseTypes()
        scanner.skipBlanks()
        guard scanner.peek == "{" else { return MessageForm(types: types, matching: .any) }
        return MessageForm(types: types, matching: try parseWrittenPattern())
    }

    /// Parses `TYPE { and TYPE }`.
    private mutating func parseTypesInOrder() throws(ScenarioSyntaxError) -> [String] {
        var types: [String] = []
        repeat {
            scanner.skipBlanks()
            types.append(try scanner.parseWord("a message"))
        } while consumeWord("and")
        return types
    }

    /// Parses `[within TIME | promptly]`.
    private mutating func parseLimit() throws(ScenarioSyntaxError) -> ClientExpectation.Limit {
        if consumeWord("promptly") { return .promptly }
        return consumeWord("within") ? .ms(try parseTime()) : .standardLimit
    }

    /// Parses `[as NAME]`.
    private mutating func parseName() throws(ScenarioSyntaxError) -> String? {
        guard consumeWord("as") else { return nil }
        scanner.skipBlanks()
        return try scanner.parseWord("the name of a variable")
    }
}
