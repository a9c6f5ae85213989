internal import RefreshProtocol

extension ScenarioParser {
    /// Parses one step to its end.
    mutating func action() throws(ScenarioSyntaxError) -> Step.Action {
        let wanted = scanner.error(expected: "a step")
        let start = scanner.mark
        let verb = try scanner.word("a step")
        switch verb {
        case "send": return try send()
        case "raw":
            scanner.skipBlanks()
            return .sendRaw(try scanner.quoted())
        case "finish": return .send(try finish())
        case "drag", "glide", "hold", "release", "interrupt", "settle":
            return .gesture(try gesture(verb))
        case "pan": return .gesture(try gesture(verb))
        case "changed": return .say(.changed, feed: try feed())
        case "progress":
            let feed = try feed()
            scanner.skipBlanks()
            let wanted = scanner.error(expected: "a part, 0 to 1")
            let part = try number("a part, 0 to 1")
            guard (0...1).contains(part) else { throw wanted }
            return .say(.progress(part), feed: feed)
        case "retrying":
            let feed = try feed()
            try keyword("in")
            return .say(.retrying(afterMs: try time()), feed: feed)
        case "wait": return .wait(try time())
        case "skip": return .skip
        case "let": return try assignment()
        case "late": return try late()
        case "latency", "reorder", "drop", "reconnect": return .network(try network(verb))
        case "random":
            return .random(seed: UInt64(try whole(0...(1 << 53), "a seed")))
        case "wander": return .wander(try wandering())
        case "expect": return .expect(try expectation())
        default:
            guard MessageType(rawValue: verb) != nil else {
                scanner.back(to: start)
                var wanted = wanted
                wanted.suggestion = SpellingSuggestion.suggestion(for: verb, among: Self.steps)
                throw wanted
            }
            return .send(try message(of: verb))
        }
    }

    /// The words with which a step may start.
    private static let steps =
        MessageType.allCases.map(\.rawValue) + [
            "send", "raw", "finish", "drag", "glide", "hold", "release", "interrupt", "settle",
            "changed", "progress", "retrying", "wait", "skip", "let", "late", "latency", "reorder",
            "drop", "reconnect", "random", "wander", "expect", "include",
        ]

    private mutating func feed() throws(ScenarioSyntaxError) -> String {
        scanner.skipBlanks()
        return try scanner.word("a feed")
    }

    private mutating func send() throws(ScenarioSyntaxError) -> Step.Action {
        scanner.skipBlanks()
        let parser = PatternParser(purpose: .message)
        guard scanner.peek == "[" else { return .send(try parser.parseObject(&scanner)) }
        guard case .array(let messages, _) = try parser.parse(&scanner) else {
            throw scanner.error(expected: "`[`")
        }
        return .sendBatch(messages)
    }

    /// Parses `[VIEW] [{…}]` after the type of a message.
    private mutating func message(of type: String) throws(ScenarioSyntaxError) -> Pattern {
        var fields = [Pattern.Field("type", .text(type))]
        scanner.skipBlanks()
        if scanner.peek == "\"" || scanner.peekWord.map({ $0 != "limit" }) == true {
            fields.append(Pattern.Field("view", .text(try view())))
        }
        return .object(fields + (try optionalFields(.message, besides: fields)))
    }

    /// Parses `NAME = VALUE`.
    private mutating func assignment() throws(ScenarioSyntaxError) -> Step.Action {
        scanner.skipBlanks()
        let name = try scanner.word("the name of a variable")
        scanner.skipBlanks()
        guard scanner.take("=") else { throw scanner.error(expected: "`=`") }
        scanner.skipBlanks()
        return .assign(name, try PatternParser(purpose: .message).parse(&scanner))
    }

    /// Parses `TIME` and a step that sends.
    private mutating func late() throws(ScenarioSyntaxError) -> Step.Action {
        let delayMs = try time()
        scanner.skipBlanks()
        let wanted = scanner.error(expected: "a step that sends one frame")
        guard scanner.peekWord != "late" else { throw wanted }
        let action = try action()
        switch action {
        case .send, .sendBatch, .sendRaw: return .late(delayMs, action)
        default: throw wanted
        }
    }

    private mutating func network(_ verb: String) throws(ScenarioSyntaxError) -> NetworkChange {
        switch verb {
        case "latency":
            let latencyMs = try time()
            scanner.skipBlanks()
            guard scanner.take("±") || scanner.take("+-") else {
                return .latency(ms: latencyMs, spreadMs: 0)
            }
            scanner.skipBlanks()
            let wanted = scanner.error(expected: "a spread that is not larger than the latency")
            let spreadMs = try time()
            guard spreadMs <= latencyMs else { throw wanted }
            return .latency(ms: latencyMs, spreadMs: spreadMs)
        case "reorder":
            return .reorder(
                every: takeWord("off") ? nil : try whole(2...1000, "a number of samples or `off`"))
        case "drop": return .drop
        default:
            let type = Pattern.Field("type", .text("hello"))
            return .reconnect(try optionalFields(.message, besides: [type]))
        }
    }

    private mutating func finish() throws(ScenarioSyntaxError) -> Pattern {
        let view = try view()
        scanner.skipBlanks()
        let result = try scanner.word("a result such as `success`")
        let fields = [
            Pattern.Field("type", .text(MessageType.loadFinished.rawValue)),
            Pattern.Field("view", .text(view)), Pattern.Field("result", .text(result)),
        ]
        return .object(fields + (try optionalFields(.message, besides: fields)))
    }

    /// Returns the fields of the object at the current position, or none if there is no object. The
    /// names in `given` must not occur.
    mutating func optionalFields(
        _ purpose: PatternParser.Purpose, besides given: [Pattern.Field] = []
    ) throws(ScenarioSyntaxError) -> [Pattern.Field] {
        scanner.skipBlanks()
        guard scanner.peek == "{" else { return [] }
        let parser = PatternParser(purpose: purpose)
        let names = Set(given.map(\.name))
        guard case .object(let fields) = try parser.parseObject(&scanner, besides: names)
        else { return [] }
        return fields
    }
}
