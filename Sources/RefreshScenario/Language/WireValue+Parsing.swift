extension WireValue {
    /// Reads strict JSON: one value and nothing after it, each name once in its object.
    package init(json text: String) throws(ScenarioSyntaxError) {
        var scanner = TextScanner(text)
        self = try scanner.json(depth: 0)
        scanner.skipJSONBlanks()
        guard scanner.isAtEnd else { throw scanner.error(expected: "the end of the value") }
    }
}

extension TextScanner {
    /// Deeper nesting than any message of the protocol has.
    private static var depthMax: Int { 64 }

    fileprivate mutating func skipJSONBlanks() {
        _ = run { Self.isSpace($0) }
    }

    fileprivate mutating func json(depth: Int) throws(ScenarioSyntaxError) -> WireValue {
        skipJSONBlanks()
        guard depth < Self.depthMax else { throw error(expected: "less nesting") }
        switch peek {
        case "{": return try jsonObject(depth: depth)
        case "[": return try jsonArray(depth: depth)
        case "\"": return .text(try quoted())
        default:
            if take("true") { return .bool(true) }
            if take("false") { return .bool(false) }
            if take("null") { return .null }
            return .number(try number("a JSON value"))
        }
    }

    private mutating func jsonObject(depth: Int) throws(ScenarioSyntaxError) -> WireValue {
        advance()
        var members: [WireValue.Member] = []
        skipJSONBlanks()
        if take("}") { return .object(members) }
        while true {
            skipJSONBlanks()
            let repeated = error(expected: "a name that does not stand there already")
            let name = try quoted()
            guard !members.contains(where: { $0.name == name }) else { throw repeated }
            skipJSONBlanks()
            guard take(":") else { throw error(expected: "`:`") }
            members.append(WireValue.Member(name, try json(depth: depth + 1)))
            skipJSONBlanks()
            if take("}") { return .object(members) }
            guard take(",") else { throw error(expected: "`,` or `}`") }
        }
    }

    private mutating func jsonArray(depth: Int) throws(ScenarioSyntaxError) -> WireValue {
        advance()
        var elements: [WireValue] = []
        skipJSONBlanks()
        if take("]") { return .array(elements) }
        while true {
            elements.append(try json(depth: depth + 1))
            skipJSONBlanks()
            if take("]") { return .array(elements) }
            guard take(",") else { throw error(expected: "`,` or `]`") }
        }
    }
}
