internal import RefreshProtocol

extension ScenarioParser {
    /// One step, up to the end of what belongs to it.
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
            return .say(.progress(try number("a part, 0 to 1")), feed: feed)
        case "retrying":
            let feed = try feed()
            try keyword("in")
            return .say(.retrying(afterMs: try time()), feed: feed)
        case "wait": return .wait(try time())
        case "skip": return .skip
        case "expect": return .expect(try expectation())
        default:
            guard MessageType(rawValue: verb) != nil else {
                scanner.back(to: start)
                throw wanted
            }
            return .send(try message(of: verb))
        }
    }

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

    /// `[VIEW] [{…}]` after a message's type.
    private mutating func message(of type: String) throws(ScenarioSyntaxError) -> Pattern {
        var fields = [Pattern.Field("type", .text(type))]
        scanner.skipBlanks()
        if scanner.peekWord != nil || scanner.peek == "\"" {
            fields.append(Pattern.Field("view", .text(try view())))
        }
        return .object(fields + (try optionalFields(.message)))
    }

    private mutating func finish() throws(ScenarioSyntaxError) -> Pattern {
        let view = try view()
        scanner.skipBlanks()
        let result = try scanner.word("a result such as `success`")
        let fields = [
            Pattern.Field("type", .text(MessageType.loadFinished.rawValue)),
            Pattern.Field("view", .text(view)), Pattern.Field("result", .text(result)),
        ]
        return .object(fields + (try optionalFields(.message)))
    }

    /// The fields of the object that stands here; none if none does.
    private mutating func optionalFields(
        _ purpose: PatternParser.Purpose
    ) throws(ScenarioSyntaxError) -> [Pattern.Field] {
        scanner.skipBlanks()
        guard scanner.peek == "{" else { return [] }
        let parser = PatternParser(purpose: purpose)
        guard case .object(let fields) = try parser.parseObject(&scanner) else { return [] }
        return fields
    }

    private mutating func gesture(_ verb: String) throws(ScenarioSyntaxError) -> Gesture {
        let view = try view()
        let motion: Gesture.Motion
        switch verb {
        case "drag": motion = .drag(try path())
        case "pan": motion = .pan(try path())
        case "glide":
            let path = try path()
            motion = .glide(path, cause: takeWord("by") ? try cause() : nil)
        case "hold":
            try keyword("for")
            motion = .hold(try time())
        case "release":
            motion = .release(velocity: takeWord("velocity") ? try number("a velocity") : nil)
        case "settle":
            scanner.skipBlanks()
            motion = .settle(scanner.isAtLineEnd ? nil : try number("an offset"))
        default: motion = .interrupt
        }
        return Gesture(view: view, motion: motion)
    }

    private mutating func cause() throws(ScenarioSyntaxError) -> String {
        scanner.skipBlanks()
        return try scanner.word("a cause such as `wheel`")
    }

    /// `[FROM] -> TO [-> TO …] in TIME [at RATE]`.
    private mutating func path() throws(ScenarioSyntaxError) -> Gesture.Path {
        scanner.skipBlanks()
        let from = scanner.stands("->") ? nil : try number("a position or `->`")
        var points: [Double] = []
        scanner.skipBlanks()
        while scanner.take("->") {
            points.append(try number("a position"))
            scanner.skipBlanks()
        }
        guard !points.isEmpty else { throw scanner.error(expected: "`->`") }
        try keyword("in")
        let duration = try time()
        guard takeWord("at") else {
            return Gesture.Path(from: from, points: points, durationMs: duration, rate: 60)
        }
        scanner.skipBlanks()
        let wanted = scanner.error(expected: "samples per second, 1 to 1000")
        let rate = try number("samples per second")
        guard (1...1000).contains(rate) else { throw wanted }
        return Gesture.Path(from: from, points: points, durationMs: duration, rate: rate)
    }
}

extension ScenarioParser {
    private mutating func expectation() throws(ScenarioSyntaxError) -> Expectation {
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
            let code = hasCode ? Int(try number("a close code")) : nil
            return .close(code: code, withinMs: try patience())
        }
        let messages = try expectedMessages()
        return .messages(messages, withinMs: try patience())
    }

    private mutating func silence() throws(ScenarioSyntaxError) -> Double {
        takeWord("for") ? try time() : Expectation.silenceMs
    }

    private mutating func patience() throws(ScenarioSyntaxError) -> Double {
        takeWord("within") ? try time() : Expectation.patienceMs
    }

    /// `MESSAGE and MESSAGE …`; `and` may open the next line.
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

    /// `TYPE [VIEW] [PATTERN]` or `PATTERN`.
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
        return .object(fields + (try optionalFields(.pattern)))
    }

    /// Words that follow a message; a view of such a name needs quotes.
    private static let joints: Set<String> = ["and", "within", "for"]

    /// `VIEW PATTERN` or `VIEW.EDGE WORD|PATTERN`.
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
