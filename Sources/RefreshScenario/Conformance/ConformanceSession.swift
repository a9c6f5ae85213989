internal import RefreshProtocol

/// The exchange of one case with the server, over one or more connections. Used from one task.
package final class ConformanceSession {
    private let stage: ConformanceStage
    /// The server's description of itself.
    package let survey: ConformanceSurvey
    private let checks: ConformanceChecks
    private let patienceMs: Double
    private var lines: [String: Line] = [:]
    /// The connection that was used last.
    private var last: String?
    /// Whether the case accepts errors that no expectation names.
    var takesErrors = false
    /// The frames sent and received, in order.
    private(set) var talk: [CaseResult.Talk] = []

    /// A connection and its state.
    private struct Line {
        let peer: CheckedPeer
        /// Checks the same frames and reports every member that the page does not name.
        let strictPeer: CheckedPeer
        var run: ScenarioRun
        var isCut = false
    }

    init(
        _ stage: ConformanceStage, _ survey: ConformanceSurvey, _ checks: ConformanceChecks,
        patienceMs: Double
    ) {
        self.stage = stage
        self.survey = survey
        self.checks = checks
        self.patienceMs = patienceMs
    }

    /// Plays steps of the scenario language over a connection, which is opened if it does not
    /// exist.
    package func play(_ text: String, on name: String = "client") async throws(StepFailure) {
        let scenario: Scenario
        do throws(ScenarioSyntaxError) {
            scenario = try ScenarioParser.parse(
                "description: -\nexpectation: -\n# exchange\n" + text, name: name)
        } catch {
            throw StepFailure(expected: "\(error.expected) in \(text)", came: error.found)
        }
        for phase in scenario.phases { try await play(phase, on: name) }
    }

    /// Sends a frame unchanged.
    package func send(_ text: String, on name: String = "client") async throws(StepFailure) {
        try await step(.sendRaw(text), on: name)
    }

    /// Sends the same frame repeatedly until the connection is closed.
    func flood(
        _ text: String, count: Int, on name: String = "client"
    ) async throws(StepFailure) {
        var line = line(name)
        try await line.run.flood(text, count: count)
        take(from: &line, name)
    }

    /// Returns the variable of that name, captured over the connection that was used last.
    func variable(_ name: String) -> JSONValue? {
        last.flatMap { lines[$0]?.run.variables[name] }
    }

    func play(_ phase: Scenario.Phase, on name: String) async throws(StepFailure) {
        talk.append(CaseResult.Talk(connection: name, phase: phase.name))
        for step in phase.steps { try await self.step(step.action, on: name, step) }
        if !takesErrors { try line(name).run.refuseUnmatchedErrors(amongUnread: false) }
    }

    /// Cuts a connection.
    package func cut(_ name: String) async {
        await lines[name]?.peer.cut()
        lines[name]?.isCut = true
    }

    /// Ends the case. It fails if a request is unanswered, the server has closed a connection, or
    /// an unexpected error has arrived.
    func end() async throws(StepFailure) {
        for name in lines.keys.sorted() where lines[name]?.isCut == false {
            var line = line(name)
            do throws(StepFailure) {
                try await line.run.end()
            } catch {
                lines[name] = line
                throw error
            }
            lines[name] = line
            if !takesErrors { try line.run.refuseUnmatchedErrors(amongUnread: true) }
        }
    }

    /// Closes all connections.
    func leave() async {
        for line in lines.values where !line.isCut { await line.peer.close() }
    }

    /// Messages received that violate the contract.
    var findings: [String] { lines.values.flatMap(\.peer.findings).map(\.description) }

    /// Message members received that the contract does not name.
    var excess: [String] { lines.values.flatMap(\.strictPeer.findings).map(\.description) }

    private func step(
        _ action: Step.Action, on name: String, _ step: Step? = nil
    ) async throws(StepFailure) {
        var line = line(name)
        if talk.isEmpty { talk.append(CaseResult.Talk(connection: name, phase: "")) }
        defer { last = name }
        do throws(StepFailure) {
            try await line.run.perform(patient(action))
        } catch {
            take(from: &line, name)
            throw StepFailure(
                expected: error.expected, came: error.came, mismatches: error.mismatches,
                step: step.map { "\($0.text)    (line \($0.position.line))" })
        }
        take(from: &line, name)
    }

    private func take(from line: inout Line, _ name: String) {
        talk[talk.count - 1].exchanges += line.run.takeExchanges()
        lines[name] = line
    }

    private func line(_ name: String) -> Line {
        if let line = lines[name] { return line }
        let strictPeer = CheckedPeer(stage.makePeer(), check: checks.closed)
        let peer = CheckedPeer(strictPeer, check: checks.open)
        let run =
            last.flatMap { lines[$0] }
            .map { ScenarioRun(peer: peer, continuing: $0.run) } ?? ScenarioRun(peer: peer)
        if last == nil { run.variables = ConformanceVariables.all }
        let line = Line(peer: peer, strictPeer: strictPeer, run: run)
        lines[name] = line
        return line
    }

    /// Returns the action with the patience of the command line, if its expectation does not set
    /// its own.
    private func patient(_ action: Step.Action) -> Step.Action {
        guard case .expect(let expectation) = action else { return action }
        func ms(_ within: Double) -> Double {
            within == Expectation.patienceMs ? patienceMs : within
        }
        return switch expectation {
        case .messages(let patterns, let within):
            .expect(.messages(patterns, withinMs: ms(within)))
        case .next(let pattern, let within): .expect(.next(pattern, withinMs: ms(within)))
        case .together(let patterns, let within):
            .expect(.together(patterns, withinMs: ms(within)))
        case .state(let view, let pattern, let within):
            .expect(.state(view: view, pattern, withinMs: ms(within)))
        case .close(let code, let within): .expect(.close(code: code, withinMs: ms(within)))
        case .fenced(let within): .expect(.fenced(withinMs: ms(within)))
        case .nothing, .none: action
        }
    }
}
