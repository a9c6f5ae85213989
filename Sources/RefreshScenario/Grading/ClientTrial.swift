internal import RefreshProtocol

/// The run of a case against a client: the server's side of its connections, and the client's
/// driver.
///
/// Used from one thread, which waits for what is expected. All messages from the client are checked
/// against the contract as they arrive.
final class ClientTrial {
    let server: GradingServer
    private let driver: ClientDriver
    private let checks: ConformanceChecks
    let patienceMs: Double
    private let startMs = GradingServer.nowMs

    /// The number of the current connection; 0 if there is none.
    var line = 0
    /// Connections that were opened or refused, and are not yet used.
    var newLines: [LineEvent] = []
    /// Connections that have ended.
    var leftLines: Set<Int> = []
    /// Upgrades that were refused.
    private(set) var refusedLines: Set<Int> = []
    /// When upgrades were requested, by connection.
    var askedAtMs: [Int: Double] = [:]
    /// The subprotocols in the last upgrade request.
    var subprotocols: [String] = []
    /// Messages from the client that no expectation has matched.
    var heard: [HeardMessage] = []
    /// The display of the client, as of the last order.
    private(set) var shown = JSONValue.object([])
    /// The exchanges, for the report.
    private(set) var talk: [CaseResult.Talk] = []
    /// Violations by the client, and members in its messages that the contract does not name.
    private(set) var findings: [String] = []
    private(set) var excess: [String] = []
    var watch = LineWatch()
    /// Whether the case is over for the client: it was expected to leave.
    var isOver = false
    /// The state of the session as sent to the client.
    var session = PlayedSession()

    /// The orders that every driver must execute. Source: docs/conformance.md, "Orders".
    private static let ordersOfAll: Set<String> = ["connect", "report", "reset"]

    init(
        _ server: GradingServer, _ driver: ClientDriver, _ checks: ConformanceChecks,
        patienceMs: Double
    ) {
        self.server = server
        self.driver = driver
        self.checks = checks
        self.patienceMs = patienceMs
        server.beginAnew()
        talk = [CaseResult.Talk(connection: "client", phase: "")]
    }

    // MARK: Orders

    /// Sends the driver an order with the members of `text`. `takesMs` is the duration of the order
    /// itself.
    @discardableResult
    func order(
        _ deed: String, _ text: String = "{}", takesMs: Double = 0
    ) throws(TrialEnd) -> JSONValue {
        guard case .object(let members) = try? JSONValue(parsing: text) else {
            throw .failed(expected: "valid JSON in an order of the suite", came: text)
        }
        if deed != "report" { note(.client, "(\(deed)\(text == "{}" ? "" : " \(text)"))") }
        let answer = driver.order(deed, members, withinMs: patienceMs + takesMs)
        try take(untilMs: 0)
        switch answer {
        case .shown(let shown):
            self.shown = shown
            return shown
        case .cannot(let reason) where Self.ordersOfAll.contains(deed):
            throw .unserved(
                StepFailure(
                    expected: "that the driver executes \(deed), which every driver must support",
                    came: "cannot: \(reason)"))
        case .cannot(let reason): throw .notOffered("the order \(deed): \(reason)")
        case .failed(let reason):
            throw .failed(expected: "that the driver executes \(deed)", came: reason)
        case .none(let reason):
            throw .unserved(
                StepFailure(expected: "an answer to the order \(deed)", came: reason))
        }
    }

    // MARK: Messages of the server

    /// Sends messages in one frame: a single one as an object, several as an array. They are
    /// checked against the contract, unless they deliberately violate it.
    func say(_ messages: String..., isStrange: Bool = false) throws(TrialEnd) {
        try say(messages, isStrange: isStrange)
    }

    func say(_ messages: [String], isStrange: Bool = false) throws(TrialEnd) {
        let text =
            messages.count == 1 ? messages[0] : "[" + messages.joined(separator: ",") + "]"
        if !isStrange, let finding = checks.closed.findings(inFrame: text, from: .daemon).first {
            throw .failed(
                expected: "a message of the suite that matches the contract",
                came: "\(finding) in \(text): an error of the suite")
        }
        for message in messages { session.note(message) }
        server.note(handled: session.ack)
        note(.daemon, text)
        server.say(text, on: line)
    }

    /// Sends an update of a view; `change` has its members.
    func update(
        _ change: String = "", ack: Int = 0, of view: String = "list"
    ) throws(TrialEnd) {
        try say(ServerMessages.update(change, ack: ack, of: view))
    }

    /// Sends a page of items.
    func items(
        _ ids: [String], load: String, mode: String = "replace", view: String = "list"
    ) throws(TrialEnd) {
        try say(ServerMessages.items(ids, load: load, mode: mode, view: view))
    }

    /// Sends that a load began, and waits until the client shows it.
    func begin(load: String, kind: String = "refresh") throws(TrialEnd) {
        try say(ServerMessages.began(load, kind: kind))
        try expectShown("{loads: [\"\(load)\"]}")
    }

    /// Closes the connection and returns the time.
    @discardableResult
    func close(_ code: UInt16) -> Double {
        note(.daemon, "(closed with \(code))")
        server.close(line, code: code)
        return GradingServer.nowMs
    }

    /// Cuts the connection and returns the time.
    @discardableResult
    func cut() -> Double {
        note(.daemon, "(cut off)")
        server.cut(line)
        return GradingServer.nowMs
    }

    // MARK: Events of the client

    /// Receives events until `deadline` or the first event, and in any case those that have already
    /// arrived.
    func take(untilMs deadline: Double) throws(TrialEnd) {
        var deadline = deadline
        while let event = server.next(untilMs: deadline) {
            take(event)
            deadline = 0
        }
    }

    private func take(_ event: LineEvent) {
        switch event.deed {
        case .asked(let subprotocols, let isLetIn):
            self.subprotocols = subprotocols
            askedAtMs[event.line] = event.atMs
            note(.client, "(connects\(isLetIn ? "" : ", and is refused with 503"))")
            guard !isLetIn else { return }
            refusedLines.insert(event.line)
            newLines.append(event)
        case .opened: newLines.append(event)
        case .said(let text):
            note(.client, text)
            hear(text, event)
        case .saidBinary:
            findings.append("a binary frame")
        case .left:
            leftLines.insert(event.line)
            note(.client, "(connection \(event.line) has ended)")
        }
    }

    private func hear(_ text: String, _ event: LineEvent) {
        findings += checks.open.findings(inFrame: text, from: .client).map {
            "a message violates the contract: \($0)"
        }
        excess += checks.closed.findings(inFrame: text, from: .client).map(\.description)
        guard let frame = try? JSONValue(parsing: text) else { return }
        let messages = frame.array ?? [frame]
        findings += watch.findings(
            in: messages, bytes: text.utf8.count, on: event.line, of: session)
        for message in messages {
            heard.append(
                HeardMessage(
                    value: message, line: event.line, frame: watch.frameCount, atMs: event.atMs))
        }
    }

    private func note(_ side: Exchange.Side, _ text: String) {
        talk[talk.count - 1].exchanges.append(
            Exchange(side: side, afterMs: GradingServer.nowMs - startMs, text: text))
    }
}

/// A message from the client.
struct HeardMessage {
    var value: JSONValue
    var line: Int
    /// The number of the frame, the same for all its messages.
    var frame: Int
    var atMs: Double

    var type: String { value["type"]?.string ?? "" }
    var seq: Int { value["seq"]?.wholeNumber ?? 0 }
}
