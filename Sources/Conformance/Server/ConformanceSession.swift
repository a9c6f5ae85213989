internal import RefreshProtocol
package import ScenarioKit
internal import WireContract

/// The exchange of one case with the server, over one or more connections. It is used from one
/// task.
package final class ConformanceSession {
    private let server: ServerUnderTest
    /// The server's description of itself.
    package let survey: ServerSurvey
    private let checks: ConformanceChecks
    /// The time in which an expectation without a limit of its own must be met.
    let timeoutMs: Double
    private var connections: [String: CaseConnection] = [:]
    /// The connection that was used last.
    private var lastConnection: String?
    /// Whether the case accepts `error` messages that match no expectation.
    var acceptsUnexpectedErrors = false
    /// The frames sent and received, in order.
    private(set) var transcript: [CaseResult.PhaseTranscript] = []

    /// A connection and its state.
    private struct CaseConnection {
        let peer: CheckedPeer
        /// A peer that checks the same frames, and also reports every member that docs/protocol.md
        /// does not name.
        let strictPeer: CheckedPeer
        var run: ScenarioRun
        var isCut = false
    }

    init(
        _ server: ServerUnderTest, _ survey: ServerSurvey, _ checks: ConformanceChecks,
        timeoutMs: Double
    ) {
        self.server = server
        self.survey = survey
        self.checks = checks
        self.timeoutMs = timeoutMs
    }

    /// Runs steps of the scenario language over a connection. If there is no connection of this
    /// name, one is opened.
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
        try await perform(.sendRaw(text), on: name)
    }

    /// Sends the same frame `count` times, or until the connection is closed.
    func flood(
        _ text: String, count: Int, on name: String = "client"
    ) async throws(StepFailure) {
        var line = connection(named: name)
        try await line.run.flood(text, count: count)
        collectExchanges(from: &line, name)
    }

    /// Returns the variable of that name, captured over the connection that was used last.
    func variable(_ name: String) -> JSONValue? {
        lastConnection.flatMap { connections[$0]?.run.variables[name] }
    }

    func play(_ phase: Scenario.Phase, on name: String) async throws(StepFailure) {
        transcript.append(CaseResult.PhaseTranscript(connection: name, phase: phase.name))
        for step in phase.steps { try await self.perform(step.action, on: name, step) }
        if !acceptsUnexpectedErrors {
            try connection(named: name).run.failOnUnmatchedErrors(amongUnread: false)
        }
    }

    /// Cuts a connection.
    package func cut(_ name: String) async {
        await connections[name]?.peer.cut()
        connections[name]?.isCut = true
    }

    /// Ends the exchange. The case fails if a request is unanswered, the server has closed a
    /// connection, or an unexpected error has arrived.
    func end() async throws(StepFailure) {
        for name in connections.keys.sorted() where connections[name]?.isCut == false {
            var line = connection(named: name)
            do throws(StepFailure) {
                try await line.run.end()
            } catch {
                connections[name] = line
                throw error
            }
            connections[name] = line
            if !acceptsUnexpectedErrors { try line.run.failOnUnmatchedErrors(amongUnread: true) }
        }
    }

    /// Closes all connections.
    func closeAllConnections() async {
        for line in connections.values where !line.isCut { await line.peer.close() }
    }

    /// The violations of the contract in received messages.
    var violations: [String] { connections.values.flatMap(\.peer.violations).map(\.description) }

    /// The members of received messages that the contract does not name.
    var undocumentedMembers: [String] {
        connections.values.flatMap(\.strictPeer.violations).map(\.description)
    }

    private func perform(
        _ action: Step.Action, on name: String, _ step: Step? = nil
    ) async throws(StepFailure) {
        var line = connection(named: name)
        if transcript.isEmpty {
            transcript.append(CaseResult.PhaseTranscript(connection: name, phase: ""))
        }
        defer { lastConnection = name }
        do throws(StepFailure) {
            if case .expect(let expectation) = action {
                try await compareReceived(with: expectation, over: &line.run)
            } else {
                try await line.run.perform(action)
            }
        } catch {
            collectExchanges(from: &line, name)
            throw StepFailure(
                expected: error.expected, came: error.came, mismatches: error.mismatches,
                step: step.map { "\($0.text)    (line \($0.position.line))" })
        }
        collectExchanges(from: &line, name)
    }

    private func collectExchanges(from line: inout CaseConnection, _ name: String) {
        transcript[transcript.count - 1].exchanges += line.run.drainExchanges()
        connections[name] = line
    }

    private func connection(named name: String) -> CaseConnection {
        if let line = connections[name] { return line }
        let strictPeer = CheckedPeer(server.makePeer(), check: checks.closed)
        let peer = CheckedPeer(strictPeer, check: checks.open)
        let run =
            lastConnection.flatMap { connections[$0] }
            .map { ScenarioRun(peer: peer, continuing: $0.run) } ?? ScenarioRun(peer: peer)
        if lastConnection == nil { run.variables = ConformanceVariables.all }
        let line = CaseConnection(peer: peer, strictPeer: strictPeer, run: run)
        connections[name] = line
        return line
    }
}

/// The predefined variables of every case. Source: docs/conformance.md, "Writing cases".
enum ConformanceVariables {
    static let all: [String: JSONValue] = values.mapValues { text in
        (try? JSONValue(parsing: text)) ?? .null
    }

    private static let values = [
        // A geometry whose content is longer than the viewport. The load-more threshold is at the
        // offset 1200 or beyond.
        "size":
            #"{"viewport":{"width":390,"height":800},"content":{"width":390,"height":2000}}"#,
        // A refresh edge without delays, so that a case does not wait for minimum display times.
        "quick":
            #"{"length":60,"hysteresis":0,"slop":0,"minVisible":0,"successHold":0,"failureHold":0,"closing":"atOnce","insetDuration":100,"offsetDuration":100}"#,
        // The same with `arrivals`, and an edge whose view ignores changes.
        "inserting": #"{"arrivals":"insert","minVisible":0,"successHold":0,"closing":"atOnce"}"#,
        "sticking": #"{"arrivals":"stick","minVisible":0,"successHold":0,"closing":"atOnce"}"#,
        "deaf": #"{"changes":"ignore","minVisible":0,"successHold":0,"closing":"atOnce"}"#,
        // A load-more edge whose threshold is the end of the content.
        "end":
            #"{"length":60,"preload":0,"leadTime":null,"fill":0,"backOff":0,"insetDuration":100}"#,
    ]
}

extension ConformanceSession {
    /// Returns a limit from the server's `welcome`. Returns 0 if the server does not announce the
    /// limit. A case that calls this function must name the limit in its `requirements`.
    func limit(_ name: String) -> Int { survey.limit(name).flatMap { Int(exactly: $0) } ?? 0 }
}
