internal import RefreshProtocol

/// Parsing of gestures.
extension ScenarioParser {
    /// Parses the text after the word that names the motion.
    mutating func gesture(_ verb: String) throws(ScenarioSyntaxError) -> Gesture {
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
            motion = .release(velocity: takeWord("velocity") ? try amount("a velocity") : nil)
        case "settle":
            scanner.skipBlanks()
            let isBare = scanner.isAtLineEnd || scanner.peekWord == "limit"
            motion = .settle(isBare ? nil : try amount("an offset"))
        default: motion = .interrupt
        }
        return Gesture(view: view, motion: motion)
    }

    private mutating func cause() throws(ScenarioSyntaxError) -> String {
        scanner.skipBlanks()
        return try scanner.word("a cause such as `wheel`")
    }

    /// Parses `[FROM] -> TO [-> TO …]` and the course.
    private mutating func path() throws(ScenarioSyntaxError) -> Gesture.Path {
        scanner.skipBlanks()
        let start = scanner.mark
        let from = scanner.stands("->") ? nil : try amount("a position or `->`")
        var points: [Amount] = []
        scanner.skipBlanks()
        while scanner.take("->") {
            points.append(try amount("a position"))
            scanner.skipBlanks()
        }
        guard !points.isEmpty else { throw scanner.error(expected: "`->`") }
        var path = Gesture.Path(from: from, points: points, durationMs: 0, rate: 60)
        if takeWord("recorded") {
            try record(&path)
        } else {
            try keyword("in")
            path.durationMs = try time()
            path.course = .eased(try curve())
            path.rate = try rate()
        }
        guard path.sampleCount <= ScenarioBounds.samplesMax else {
            scanner.back(to: start)
            throw scanner.error(expected: "at most \(ScenarioBounds.samplesMax) samples")
        }
        return path
    }

    /// Parses `[linear | eased [CURVE]]`.
    private mutating func curve() throws(ScenarioSyntaxError) -> Curve {
        if takeWord("linear") { return .linear }
        guard takeWord("eased") else { return .linear }
        scanner.skipBlanks()
        guard let word = scanner.peekWord, !["at", "by", "limit"].contains(word) else {
            return .easeOut
        }
        guard let curve = Curve(rawValue: word) else {
            let names = Curve.allCases.map(\.rawValue).joined(separator: ", ")
            throw scanner.error(expected: "a curve (\(names))")
        }
        _ = scanner.take(word)
        return curve
    }

    /// Parses `[at RATE]`.
    mutating func rate() throws(ScenarioSyntaxError) -> Double {
        guard takeWord("at") else { return 60 }
        scanner.skipBlanks()
        let wanted = scanner.error(expected: "samples per second, 1 to 1000")
        let rate = try number("samples per second")
        guard (1...1000).contains(rate) else { throw wanted }
        return rate
    }

    /// Parses `FILE [gesture N] [in TIME]`.
    private mutating func record(_ path: inout Gesture.Path) throws(ScenarioSyntaxError) {
        scanner.skipBlanks()
        let start = scanner.mark
        let file = context.path(try scanner.path())
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
            takeWord("gesture")
            ? try whole(1...touches.count, "the number of a gesture of this journal") : 1
        path.durationMs = touches[number - 1].durationMs
        path.course = .recorded(touches[number - 1])
        if takeWord("in") { path.durationMs = try time() }
    }

    /// Parses `VIEW COUNT gestures between LOW and HIGH in TIME [at RATE]`.
    mutating func wandering() throws(ScenarioSyntaxError) -> RandomGestures {
        let view = try view()
        let count = try whole(1...ScenarioBounds.gesturesMax, "a number of gestures")
        if !takeWord("gesture") { try keyword("gestures") }
        try keyword("between")
        let low = try amount("a position")
        try keyword("and")
        let high = try amount("a position")
        try keyword("in")
        scanner.skipBlanks()
        let tooMany = scanner.error(expected: "at most \(ScenarioBounds.samplesMax) samples")
        let durationMs = try time()
        let rate = try rate()
        guard durationMs * rate / 1000 <= Double(ScenarioBounds.samplesMax) else { throw tooMany }
        return RandomGestures(
            view: view, count: count, low: low, high: high, durationMs: durationMs, rate: rate)
    }
}
