internal import RefreshProtocol
internal import ScenarioKit
internal import WireContract

/// The run of a case against a client. A trial has the server's side of the connections, and the
/// connection to the client's driver.
///
/// A trial is used from one thread, which blocks until an expectation is met. All messages from the
/// client are checked against the contract as they arrive.
final class ClientTrial {
    let server: GradingServer
    private let driver: ClientDriver
    private let checks: ConformanceChecks
    let timeoutMs: Double
    private let startMs = GradingServer.nowMs

    /// The number of the current connection. 0 if there is none.
    var connection = 0
    /// The connections that were opened or refused, and that no step has used yet.
    var newConnections: [ConnectionEvent] = []
    /// Connections that have ended.
    var endedConnections: Set<Int> = []
    /// Upgrades that were refused.
    private(set) var refusedConnections: Set<Int> = []
    /// The times at which upgrades were requested, by connection.
    var upgradeRequestedAtMs: [Int: Double] = [:]
    /// The subprotocols in the last upgrade request.
    var subprotocols: [String] = []
    /// Messages from the client that no expectation has matched.
    var unmatchedMessages: [ReceivedClientMessage] = []
    /// The display of the client, from the driver's last answer.
    private(set) var shown = JSONValue.object([])
    /// The frames that were sent and received, for the report.
    private(set) var transcript: [CaseResult.PhaseTranscript] = []
    /// The client's violations of the contract and of the rules for connections.
    private(set) var violations: [String] = []
    /// The members of the client's messages that the contract does not name.
    private(set) var undocumentedMembers: [String] = []
    var watch = ConnectionRules()
    /// Whether the client may end its connection.
    var expectsDisconnect = false
    /// The state of the session as sent to the client.
    var session = PlayedSession()

    /// The values of variables: `hello`, `body`, `now`, and those that steps store.
    var variables: [String: JSONValue] = [:]
    /// Whether a step has ended the case.
    var isFinished = false
    /// The number of views with which the client was ordered to connect.
    var viewCount = 0
    /// The last order other than `report`: the time at which it was sent, and the duration that its
    /// member `ms` gives.
    private(set) var lastOrder = (startMs: 0.0, takesMs: 0.0)
    /// The time limit for an immediate reaction, in milliseconds.
    var promptMs = 1500.0
    /// The time at which the last connection ended or the last upgrade was refused.
    var connectionEndedMs = 0.0

    /// The orders that every driver must execute. Source: docs/conformance.md, "Orders".
    private static let ordersOfAll: Set<String> = ["connect", "report", "reset"]

    init(
        _ server: GradingServer, _ driver: ClientDriver, _ checks: ConformanceChecks,
        timeoutMs: Double
    ) {
        self.server = server
        self.driver = driver
        self.checks = checks
        self.timeoutMs = timeoutMs
        server.reset()
        transcript = [CaseResult.PhaseTranscript(connection: "client", phase: "")]
    }

    // MARK: Orders

    /// Sends the driver an order. The member `ms` of an order is the time that the order takes to
    /// execute.
    @discardableResult
    func order(_ name: String, _ order: JSONValue = .object([])) throws(TrialEnd) -> JSONValue {
        guard case .object(let members) = order else {
            throw .failed(expected: "an order with members in the suite", came: order.text)
        }
        let takesMs = order["ms"]?.number ?? 0
        if name != "report" {
            recordExchange(.client, "(\(name)\(members.isEmpty ? "" : " \(order.text)"))")
            lastOrder = (GradingServer.nowMs, takesMs)
        }
        let answer = driver.order(name, members, withinMs: timeoutMs + takesMs)
        try receiveEvents(untilMs: 0)
        switch answer {
        case .shown(let shown):
            self.shown = shown
            return shown
        case .cannot(let reason) where Self.ordersOfAll.contains(name):
            throw .driverFailed(
                StepFailure(
                    expected: "that the driver executes \(name), which every driver must support",
                    came: "cannot: \(reason)"))
        case .cannot(let reason): throw .notOffered("the order \(name): \(reason)")
        case .failed(let reason):
            throw .failed(expected: "that the driver executes \(name)", came: reason)
        case .none(let reason):
            throw .driverFailed(
                StepFailure(expected: "an answer to the order \(name)", came: reason))
        }
    }

    // MARK: Messages of the server

    /// Sends messages in one frame: a single message as an object, and several messages as an
    /// array. If `isStrange` is false, the messages are checked against the contract.
    func send(_ messages: [JSONValue], isStrange: Bool = false) throws(TrialEnd) {
        let text = messages.count == 1 ? messages[0].text : JSONValue.array(messages).text
        if !isStrange, let finding = checks.closed.violations(inFrame: text, from: .daemon).first {
            throw .failed(
                expected: "a message of the suite that matches the contract",
                came: "\(finding) in \(text): an error of the suite")
        }
        for message in messages { session.update(from: message) }
        server.setHandled(seq: session.ack)
        recordExchange(.daemon, text)
        server.send(text, on: connection)
    }

    /// Closes the connection.
    func close(_ code: UInt16) {
        recordExchange(.daemon, "(closed with \(code))")
        server.close(connection, code: code)
        connectionEndedMs = GradingServer.nowMs
    }

    /// Cuts the connection without a close frame.
    func cut() {
        recordExchange(.daemon, "(cut off)")
        server.cut(connection)
        connectionEndedMs = GradingServer.nowMs
    }

    // MARK: Events of the client

    /// Receives events until `deadline` or until the first event arrives. Events that have already
    /// arrived are always received.
    func receiveEvents(untilMs deadline: Double) throws(TrialEnd) {
        var deadline = deadline
        while let event = server.nextEvent(untilMs: deadline) {
            handleEvent(event)
            deadline = 0
        }
    }

    private func handleEvent(_ event: ConnectionEvent) {
        switch event.kind {
        case .upgradeRequested(let subprotocols, let isLetIn):
            self.subprotocols = subprotocols
            upgradeRequestedAtMs[event.connection] = event.atMs
            recordExchange(.client, "(connects\(isLetIn ? "" : ", and is refused with 503"))")
            guard !isLetIn else { return }
            refusedConnections.insert(event.connection)
            newConnections.append(event)
        case .opened: newConnections.append(event)
        case .message(let text):
            recordExchange(.client, text)
            handleMessages(text, event)
        case .binaryMessage:
            violations.append("a binary frame")
        case .disconnected:
            endedConnections.insert(event.connection)
            recordExchange(.client, "(connection \(event.connection) has ended)")
        }
    }

    private func handleMessages(_ text: String, _ event: ConnectionEvent) {
        violations += checks.open.violations(inFrame: text, from: .client).map {
            "a message violates the contract: \($0)"
        }
        undocumentedMembers += checks.closed.violations(inFrame: text, from: .client).map(
            \.description)
        guard let frame = try? JSONValue(parsing: text) else { return }
        let messages = frame.array ?? [frame]
        violations += watch.violations(
            in: messages, bytes: text.utf8.count, on: event.connection, of: session)
        for message in messages {
            unmatchedMessages.append(
                ReceivedClientMessage(
                    value: message, connection: event.connection, frame: watch.frameCount,
                    atMs: event.atMs))
        }
    }

    private func recordExchange(_ side: Exchange.Side, _ text: String) {
        transcript[transcript.count - 1].exchanges.append(
            Exchange(side: side, afterMs: GradingServer.nowMs - startMs, text: text))
    }
}

/// A message from the client.
struct ReceivedClientMessage {
    var value: JSONValue
    var connection: Int
    /// The number of the frame. All messages of a frame have the same number.
    var frame: Int
    var atMs: Double

    var type: String { value["type"]?.string ?? "" }
    var seq: Int { value["seq"]?.wholeNumber ?? 0 }
}
