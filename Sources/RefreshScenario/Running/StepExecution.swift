internal import RefreshProtocol

/// The execution of a step on one connection: the parts that are left to do.
struct StepExecution {
    private var deeds: [Deed]
    private var next = 0

    /// Plans the step, starting now.
    ///
    /// - Throws: if the step cannot be executed as written, or is not a step of one connection.
    init(_ action: Step.Action, of run: inout ScenarioRun) throws(StepFailure) {
        switch action {
        case .send, .sendBatch, .sendRaw: deeds = [try Self.sending(action, lateMs: 0)]
        case .late(let lateMs, let action): deeds = [try Self.sending(action, lateMs: lateMs)]
        case .gesture(let gesture):
            deeds = try run.script(for: gesture.view) { hand throws(StepFailure) in
                try hand.perform(gesture.motion)
            }
        case .wander(let wandering): deeds = try run.script(for: wandering)
        case .say(let word, let feed):
            deeds = [.ask, run.hearing, .say(word, feed: feed)]
        case .wait(let durationMs): deeds = [.wait(until: run.now(plus: durationMs))]
        case .skip: deeds = [.ask, run.hearing, .readAll]
        case .expect(let expectation): deeds = Self.meeting(expectation, &run)
        case .assign(let name, let value): deeds = [.assign(name, value)]
        case .network, .random, .atOnce:
            throw StepFailure(
                expected: "a step of one connection", came: "one of a whole scenario")
        }
    }

    private static func sending(
        _ action: Step.Action, lateMs: Double
    ) throws(StepFailure) -> Deed {
        switch action {
        case .send(let message): return .send([message], asBatch: false, lateMs: lateMs)
        case .sendBatch(let messages): return .send(messages, asBatch: true, lateMs: lateMs)
        case .sendRaw(let text): return .sendText(text, lateMs: lateMs)
        default: throw StepFailure(expected: "a step that sends one frame", came: "another")
        }
    }

    private static func meeting(
        _ expectation: Expectation, _ run: inout ScenarioRun
    ) -> [Deed] {
        func watch(_ expectation: Expectation, _ ms: Double) -> Deed {
            .meet(ExpectationWatch(expectation, until: run.now(plus: ms)))
        }
        switch expectation {
        case .messages(_, let within), .next(_, let within), .together(_, let within):
            return [watch(expectation, within)]
        case .nothing(let ms), .none(_, let ms), .state(_, _, let ms):
            return [.ask, run.hearing, watch(expectation, ms)]
        case .close(_, let within):
            run.isCloseExpected = true
            return [watch(expectation, within)]
        case .fenced(let within):
            run.isCloseExpected = true
            let fault = Pattern.object([
                Pattern.Field("type", .text("error")),
                Pattern.Field("code", .text(FaultCode.sessionTaken.rawValue)),
            ])
            let code = Int(CloseCode.sessionTaken.rawValue)
            return [
                watch(.messages([fault], withinMs: within), within),
                watch(.close(code: code, withinMs: within), within),
            ]
        }
    }

    /// Performs what is possible now. `isOver` is true if nothing more arrives until the time
    /// returned last.
    ///
    /// - Returns: the time until which events are awaited; nil if the step is done.
    /// - Throws: if the step fails.
    mutating func advance(
        _ run: inout ScenarioRun, isOver: Bool
    ) async throws(StepFailure) -> Instant? {
        var isOver = isOver
        while next < deeds.count {
            if let moment = try await perform(&deeds[next], &run, isOver: isOver) { return moment }
            next += 1
            isOver = false
        }
        return nil
    }

    private func perform(
        _ deed: inout Deed, _ run: inout ScenarioRun, isOver: Bool
    ) async throws(StepFailure) -> Instant? {
        // A wait takes its time even if the connection is closed. Everything else ends with it.
        if case .wait(let moment) = deed { return isOver ? nil : moment }
        let isOver = isOver || run.closure != nil
        switch deed {
        case .wait: return nil
        case .send(let messages, let asBatch, let lateMs):
            try await run.send(messages, asBatch: asBatch, lateMs: lateMs)
        case .sendText(let text, let lateMs): try await run.sendText(text, lateMs: lateMs)
        case .sample(let sample): try await run.send(sample)
        case .ask: await run.ask()
        case .hear(let deadline): return try run.hasHeard(isOver: isOver) ? nil : deadline
        case .meet(var watch):
            let isMet = try run.check(&watch, isOver: isOver)
            deed = .meet(watch)
            return isMet ? nil : watch.deadline
        case .readAll: run.readAll()
        case .say(let word, let feed): try run.say(word, ofFeed: feed)
        case .assign(let name, let value): run.variables[name] = try run.filled(value)
        }
        return nil
    }
}

extension ScenarioRun {
    /// Waits for the answer to the `ping` that is about to be sent.
    fileprivate var hearing: Deed { .hear(until: now(plus: Expectation.patienceMs)) }

    /// Performs one step while time passes on this connection only.
    mutating func perform(_ action: Step.Action) async throws(StepFailure) {
        var course = try StepExecution(action, of: &self)
        var isOver = false
        while let moment = try await course.advance(&self, isOver: isOver) {
            isOver = try await !receive(until: moment)
        }
    }

    /// Returns the script of a gesture and updates the position of the finger.
    mutating func script(
        for view: String, _ write: (inout GestureCompiler) throws(StepFailure) -> Void
    ) throws(StepFailure) -> [Deed] {
        var hand = GestureCompiler(
            view: view, finger: fingers[view] ?? Finger(), at: now, reading: variables)
        try write(&hand)
        fingers[view] = hand.finger
        return hand.deeds
    }
}
