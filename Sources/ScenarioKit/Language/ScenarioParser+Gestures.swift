internal import RefreshProtocol

/// Parsing of gestures.
extension ScenarioParser {
    /// Parses a gesture after `verb`, the word that names its motion.
    mutating func parseGesture(_ verb: String) throws(ScenarioSyntaxError) -> Gesture {
        let view = try parseView()
        let motion: Gesture.Motion
        switch verb {
        case "drag": motion = .drag(try parsePath())
        case "pan": motion = .pan(try parsePath())
        case "glide":
            let path = try parsePath()
            motion = .glide(path, cause: consumeWord("by") ? try parseCause() : nil)
        case "hold":
            try parseKeyword("for")
            motion = .hold(try parseTime())
        case "release":
            motion = .release(
                velocity: consumeWord("velocity") ? try parseAmount("a velocity") : nil)
        case "settle":
            scanner.skipBlanks()
            let isBare = scanner.isAtLineEnd || scanner.peekWord == "limit"
            motion = .settle(isBare ? nil : try parseAmount("an offset"))
        default: motion = .interrupt
        }
        return Gesture(view: view, motion: motion)
    }

    private mutating func parseCause() throws(ScenarioSyntaxError) -> String {
        scanner.skipBlanks()
        return try scanner.parseWord("a cause such as `wheel`")
    }

    /// Parses `[FROM] -> TO [-> TO …]` and the timing, which determines the positions over time.
    private mutating func parsePath() throws(ScenarioSyntaxError) -> Gesture.Path {
        scanner.skipBlanks()
        let start = scanner.mark
        let from = scanner.isAt("->") ? nil : try parseAmount("a position or `->`")
        var points: [Amount] = []
        scanner.skipBlanks()
        while scanner.consume("->") {
            points.append(try parseAmount("a position"))
            scanner.skipBlanks()
        }
        guard !points.isEmpty else { throw scanner.error(expected: "`->`") }
        var path = Gesture.Path(from: from, points: points, durationMs: 0, rate: 60)
        if consumeWord("recorded") {
            try parseRecordedTiming(into: &path)
        } else {
            try parseKeyword("in")
            path.durationMs = try parseTime()
            path.timing = .eased(try parseCurve())
            path.rate = try parseRate()
        }
        guard path.sampleCount <= ScenarioBounds.samplesMax else {
            scanner.rewind(to: start)
            throw scanner.error(expected: "at most \(ScenarioBounds.samplesMax) samples")
        }
        return path
    }

    /// Parses `[linear | eased [CURVE]]`. The default is `linear`.
    private mutating func parseCurve() throws(ScenarioSyntaxError) -> Curve {
        if consumeWord("linear") { return .linear }
        guard consumeWord("eased") else { return .linear }
        scanner.skipBlanks()
        guard let word = scanner.peekWord, !["at", "by", "limit"].contains(word) else {
            return .easeOut
        }
        guard let curve = Curve(rawValue: word) else {
            let names = Curve.allCases.map(\.rawValue).joined(separator: ", ")
            throw scanner.error(expected: "a curve (\(names))")
        }
        _ = scanner.consume(word)
        return curve
    }

    /// Parses `[at RATE]`, samples per second. The default is 60.
    mutating func parseRate() throws(ScenarioSyntaxError) -> Double {
        guard consumeWord("at") else { return 60 }
        scanner.skipBlanks()
        let syntaxError = scanner.error(expected: "samples per second, 1 to 1000")
        let rate = try parseNumber("samples per second")
        guard (1...1000).contains(rate) else { throw syntaxError }
        return rate
    }

    /// Parses `FILE [gesture N] [in TIME]`. FILE is a journal. The defaults are the first gesture
    /// of the journal, and the recorded duration.
    private mutating func parseRecordedTiming(into path: inout Gesture.Path)
        throws(ScenarioSyntaxError)
    {
        scanner.skipBlanks()
        let start = scanner.mark
        let file = context.path(try scanner.parsePath())
        let place = { (expected: String) in
            ScenarioSyntaxError(at: start.position, expected: expected, found: "`\(file)`")
        }
        guard path.points.count == 1 else {
            throw place("a single `->` before a recorded gesture")
        }
        let bytes: [UInt8]
        do throws(ScenarioSources.Unreadable) {
            bytes = try context.sources.read(file)
        } catch {
            throw place("a journal, but it \(error.reason)")
        }
        let touches: [RecordedTouch]
        do throws(RecordedTouch.Unusable) {
            touches = try RecordedTouch.all(in: bytes)
        } catch {
            throw place("a journal with a gesture, but it has \(error.reason)")
        }
        let number =
            consumeWord("gesture")
            ? try parseWholeNumber(1...touches.count, "the number of a gesture of this journal") : 1
        path.durationMs = touches[number - 1].durationMs
        path.timing = .recorded(touches[number - 1])
        if consumeWord("in") { path.durationMs = try parseTime() }
    }

    /// Parses `VIEW COUNT gestures between LOW and HIGH in TIME [at RATE]`.
    mutating func parseRandomGestures() throws(ScenarioSyntaxError) -> RandomGestures {
        let view = try parseView()
        let count = try parseWholeNumber(1...ScenarioBounds.gesturesMax, "a number of gestures")
        if !consumeWord("gesture") { try parseKeyword("gestures") }
        try parseKeyword("between")
        let low = try parseAmount("a position")
        try parseKeyword("and")
        let high = try parseAmount("a position")
        try parseKeyword("in")
        scanner.skipBlanks()
        let tooMany = scanner.error(expected: "at most \(ScenarioBounds.samplesMax) samples")
        let durationMs = try parseTime()
        let rate = try parseRate()
        guard durationMs * rate / 1000 <= Double(ScenarioBounds.samplesMax) else { throw tooMany }
        return RandomGestures(
            view: view, count: count, low: low, high: high, durationMs: durationMs, rate: rate)
    }
}
