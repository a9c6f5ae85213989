internal import RefreshProtocol

/// The execution of a step on one connection. It contains the remaining parts of the step.
struct StepExecution {
    private var operations: [StepOperation]
    private var next = 0

    /// Plans the step from the current time on.
    ///
    /// - Throws: if the step cannot be executed as written, or is not a step of one connection.
    init(_ action: Step.Action, of run: inout ScenarioRun) throws(StepFailure) {
        switch action {
        case .send, .sendBatch, .sendRaw: operations = [try Self.sendOperation(action, lateMs: 0)]
        case .late(let lateMs, let action):
            operations = [try Self.sendOperation(action, lateMs: lateMs)]
        case .gesture(let gesture):
            operations = try run.compileGesture(for: gesture.view) { compiler throws(StepFailure) in
                try compiler.addMotion(gesture.motion)
            }
        case .wander(let gestures): operations = try run.compileRandomGestures(gestures)
        case .feedEvent(let word, let feed):
            operations = [.sendMarker, run.awaitMarkerOperation, .feedEvent(word, feed: feed)]
        case .wait(let durationMs): operations = [.wait(until: run.now(plus: durationMs))]
        case .skip: operations = [.sendMarker, run.awaitMarkerOperation, .markAllRead]
        case .expect(let expectation): operations = Self.expectationOperations(expectation, &run)
        case .assign(let name, let value): operations = [.assign(name, value)]
        case .network, .random, .atOnce:
            throw StepFailure(
                expected: "a step of one connection", came: "one of a whole scenario")
        }
    }

    private static func sendOperation(
        _ action: Step.Action, lateMs: Double
    ) throws(StepFailure) -> StepOperation {
        switch action {
        case .send(let message): return .send([message], asBatch: false, lateMs: lateMs)
        case .sendBatch(let messages): return .send(messages, asBatch: true, lateMs: lateMs)
        case .sendRaw(let text): return .sendText(text, lateMs: lateMs)
        default: throw StepFailure(expected: "a step that sends one frame", came: "another")
        }
    }

    private static func expectationOperations(
        _ expectation: Expectation, _ run: inout ScenarioRun
    ) -> [StepOperation] {
        func awaitOperation(_ expectation: Expectation, _ ms: Double) -> StepOperation {
            .awaitExpectation(ExpectationWatch(expectation, until: run.now(plus: ms)))
        }
        switch expectation {
        case .messages(_, let within), .next(_, let within), .together(_, let within):
            return [awaitOperation(expectation, within)]
        case .nothing(let ms), .none(_, let ms), .state(_, _, let ms):
            return [.sendMarker, run.awaitMarkerOperation, awaitOperation(expectation, ms)]
        case .close(_, let within):
            run.isCloseExpected = true
            return [awaitOperation(expectation, within)]
        case .fenced(let within):
            run.isCloseExpected = true
            let fault = Pattern.object([
                Pattern.Field("type", .text("error")),
                Pattern.Field("code", .text(FaultCode.sessionTaken.rawValue)),
            ])
            let code = Int(CloseCode.sessionTaken.rawValue)
            return [
                awaitOperation(.messages([fault], withinMs: within), within),
                awaitOperation(.close(code: code, withinMs: within), within),
            ]
        }
    }

    /// Performs those parts that are possible now. `isOver` is true if no more events can arrive
    /// before the time that the last call returned.
    ///
    /// - Returns: the time until which events are awaited. Nil if the step is done.
    /// - Throws: if the step fails.
    mutating func advance(
        _ run: inout ScenarioRun, isOver: Bool
    ) async throws(StepFailure) -> Instant? {
        var isOver = isOver
        while next < operations.count {
            if let moment = try await execute(&operations[next], &run, isOver: isOver) {
                return moment
            }
            next += 1
            isOver = false
        }
        return nil
    }

    private func execute(
        _ operation: inout StepOperation, _ run: inout ScenarioRun, isOver: Bool
    ) async throws(StepFailure) -> Instant? {
        // A wait takes its full time even if the connection is closed. If the connection is closed,
        // no other operation waits.
        if case .wait(let moment) = operation { return isOver ? nil : moment }
        let isOver = isOver || run.closeEvent != nil
        switch operation {
        case .wait: return nil
        case .send(let messages, let asBatch, let lateMs):
            try await run.send(messages, asBatch: asBatch, lateMs: lateMs)
        case .sendText(let text, let lateMs): try await run.sendText(text, lateMs: lateMs)
        case .sample(let sample): try await run.send(sample)
        case .sendMarker: await run.sendMarker()
        case .awaitMarker(let deadline):
            return try run.isMarkerAnswered(isOver: isOver) ? nil : deadline
        case .awaitExpectation(var watch):
            let isMet = try run.check(&watch, isOver: isOver)
            operation = .awaitExpectation(watch)
            return isMet ? nil : watch.deadline
        case .markAllRead: run.markAllRead()
        case .feedEvent(let word, let feed): try run.simulate(word, ofFeed: feed)
        case .assign(let name, let value): run.variables[name] = try run.resolvedValue(of: value)
        }
        return nil
    }
}

extension ScenarioRun {
    /// The operation that waits for the answer to the `ping` of a preceding `sendMarker`.
    fileprivate var awaitMarkerOperation: StepOperation {
        .awaitMarker(until: now(plus: Expectation.defaultTimeoutMs))
    }

    /// Performs one step of a scenario that uses only this connection.
    package mutating func perform(_ action: Step.Action) async throws(StepFailure) {
        var execution = try StepExecution(action, of: &self)
        var isOver = false
        while let moment = try await execution.advance(&self, isOver: isOver) {
            isOver = try await !receive(until: moment)
        }
    }

    /// Returns the script of a gesture and updates the position of the finger.
    mutating func compileGesture(
        for view: String, _ write: (inout GestureCompiler) throws(StepFailure) -> Void
    ) throws(StepFailure) -> [StepOperation] {
        var compiler = GestureCompiler(
            view: view, finger: fingers[view] ?? Finger(), at: now, reading: variables)
        try write(&compiler)
        fingers[view] = compiler.finger
        return compiler.operations
    }
}
