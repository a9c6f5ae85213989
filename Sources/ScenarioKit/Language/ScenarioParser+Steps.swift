internal import RefreshProtocol

extension ScenarioParser {
    /// Parses the action of one step.
    mutating func parseAction() throws(ScenarioSyntaxError) -> Step.Action {
        let syntaxError = scanner.error(expected: "a step")
        let start = scanner.mark
        let verb = try scanner.parseWord("a step")
        switch verb {
        case "send": return try parseSend()
        case "raw":
            scanner.skipBlanks()
            return .sendRaw(try scanner.parseQuotedText())
        case "finish": return .send(try parseFinish())
        case "drag", "glide", "hold", "release", "interrupt", "settle":
            return .gesture(try parseGesture(verb))
        case "pan": return .gesture(try parseGesture(verb))
        case "changed":
            let feed = try parseFeed()
            let count =
                consumeWord("by") ? try parseWholeNumber(NewerCount.range, "a count") : nil
            let spreadMs = consumeWord("over") ? try parseTime() : 0
            return .feedEvent(.changed(count: count, spreadMs: spreadMs), feed: feed)
        case "progress":
            let feed = try parseFeed()
            scanner.skipBlanks()
            let syntaxError = scanner.error(expected: "a part, 0 to 1")
            let part = try parseNumber("a part, 0 to 1")
            guard (0...1).contains(part) else { throw syntaxError }
            return .feedEvent(.progress(part), feed: feed)
        case "retrying":
            let feed = try parseFeed()
            try parseKeyword("in")
            return .feedEvent(.retrying(afterMs: try parseTime()), feed: feed)
        case "wait": return .wait(try parseTime())
        case "skip": return .skip
        case "let": return try parseAssignment()
        case "late": return try parseLate()
        case "latency", "reorder", "drop", "reconnect":
            return .network(try parseNetworkChange(verb))
        case "random":
            return .random(seed: UInt64(try parseWholeNumber(0...(1 << 53), "a seed")))
        case "wander": return .wander(try parseRandomGestures())
        case "expect": return .expect(try parseExpectation())
        default:
            guard MessageType(rawValue: verb) != nil else {
                scanner.rewind(to: start)
                var syntaxError = syntaxError
                syntaxError.suggestion = SpellingSuggestion.suggestion(
                    for: verb, among: Self.stepWords)
                throw syntaxError
            }
            return .send(try parseMessage(of: verb))
        }
    }

    /// The words with which a step may start.
    private static let stepWords =
        MessageType.allCases.map(\.rawValue) + [
            "send", "raw", "finish", "drag", "glide", "hold", "release", "interrupt", "settle",
            "changed", "progress", "retrying", "wait", "skip", "let", "late", "latency", "reorder",
            "drop", "reconnect", "random", "wander", "expect", "include",
        ]

    private mutating func parseFeed() throws(ScenarioSyntaxError) -> String {
        scanner.skipBlanks()
        return try scanner.parseWord("a feed")
    }

    private mutating func parseSend() throws(ScenarioSyntaxError) -> Step.Action {
        scanner.skipBlanks()
        let parser = PatternParser(purpose: .message)
        guard scanner.peek == "[" else { return .send(try parser.parseObject(&scanner)) }
        guard case .array(let messages, _) = try parser.parse(&scanner) else {
            throw scanner.error(expected: "`[`")
        }
        return .sendBatch(messages)
    }

    /// Parses `[VIEW] [{…}]` after the type of a message.
    private mutating func parseMessage(of type: String) throws(ScenarioSyntaxError) -> Pattern {
        var fields = [Pattern.Field("type", .text(type))]
        scanner.skipBlanks()
        if scanner.peek == "\"" || scanner.peekWord.map({ $0 != "limit" }) == true {
            fields.append(Pattern.Field("view", .text(try parseView())))
        }
        return .object(fields + (try parseOptionalFields(.message, excluding: fields)))
    }

    /// Parses `NAME = VALUE`.
    package mutating func parseAssignment() throws(ScenarioSyntaxError) -> Step.Action {
        scanner.skipBlanks()
        let name = try scanner.parseWord("the name of a variable")
        scanner.skipBlanks()
        guard scanner.consume("=") else { throw scanner.error(expected: "`=`") }
        scanner.skipBlanks()
        return .assign(name, try PatternParser(purpose: .message).parse(&scanner))
    }

    /// Parses `TIME` and the step that follows, which must send a frame.
    private mutating func parseLate() throws(ScenarioSyntaxError) -> Step.Action {
        let delayMs = try parseTime()
        scanner.skipBlanks()
        let syntaxError = scanner.error(expected: "a step that sends one frame")
        guard scanner.peekWord != "late" else { throw syntaxError }
        let action = try parseAction()
        switch action {
        case .send, .sendBatch, .sendRaw: return .late(delayMs, action)
        default: throw syntaxError
        }
    }

    private mutating func parseNetworkChange(_ verb: String) throws(ScenarioSyntaxError)
        -> NetworkChange
    {
        switch verb {
        case "latency":
            let latencyMs = try parseTime()
            scanner.skipBlanks()
            guard scanner.consume("±") || scanner.consume("+-") else {
                return .latency(ms: latencyMs, spreadMs: 0)
            }
            scanner.skipBlanks()
            let syntaxError = scanner.error(
                expected: "a spread that is not larger than the latency")
            let spreadMs = try parseTime()
            guard spreadMs <= latencyMs else { throw syntaxError }
            return .latency(ms: latencyMs, spreadMs: spreadMs)
        case "reorder":
            return .reorder(
                every: consumeWord("off")
                    ? nil : try parseWholeNumber(2...1000, "a number of samples or `off`"))
        case "drop": return .drop
        default:
            let type = Pattern.Field("type", .text("hello"))
            return .reconnect(try parseOptionalFields(.message, excluding: [type]))
        }
    }

    private mutating func parseFinish() throws(ScenarioSyntaxError) -> Pattern {
        let view = try parseView()
        scanner.skipBlanks()
        let result = try scanner.parseWord("a result such as `success`")
        let fields = [
            Pattern.Field("type", .text(MessageType.loadFinished.rawValue)),
            Pattern.Field("view", .text(view)), Pattern.Field("result", .text(result)),
        ]
        return .object(fields + (try parseOptionalFields(.message, excluding: fields)))
    }

    /// Returns the fields of the object at the current position, or an empty list if there is no
    /// object. The object must not repeat the names of the fields in `given`.
    package mutating func parseOptionalFields(
        _ purpose: PatternParser.Purpose, excluding given: [Pattern.Field] = []
    ) throws(ScenarioSyntaxError) -> [Pattern.Field] {
        scanner.skipBlanks()
        guard scanner.peek == "{" else { return [] }
        let parser = PatternParser(purpose: purpose)
        let names = Set(given.map(\.name))
        guard case .object(let fields) = try parser.parseObject(&scanner, excluding: names)
        else { return [] }
        return fields
    }
}
