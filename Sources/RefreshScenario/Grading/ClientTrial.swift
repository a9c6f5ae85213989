internal import RefreshProtocol

/// A case that is asked of a client: the server's side of its connections, and the client's driver.
///
/// Used from one thread, which waits for what is expected. What the client says is held to the
/// contract as it comes.
final class ClientTrial {
    let server: GradingServer
    private let driver: ClientDriver
    private let checks: ConformanceChecks
    let patienceMs: Double
    private let startMs = GradingServer.nowMs

    /// The connection that is spoken over; 0: none was made.
    var line = 0
    /// Connections that were made and not taken up yet.
    var newLines: [LineEvent] = []
    /// Those that have ended.
    var leftLines: Set<Int> = []
    /// Upgrades that were refused.
    private(set) var refusedLines: Set<Int> = []
    /// When upgrades were asked for, by connection.
    var askedAtMs: [Int: Double] = [:]
    /// The subprotocols that were named.
    var subprotocols: [String] = []
    /// What the client said and no expectation has named.
    var heard: [HeardMessage] = []
    /// What it shows, as of the last order.
    private(set) var shown = JSONValue.object([])
    /// What went on, for the report.
    private(set) var talk: [CaseResult.Talk] = []
    /// What the client did that no client may, and what it said that the contract does not name.
    private(set) var findings: [String] = []
    private(set) var excess: [String] = []
    var watch = LineWatch()
    /// Whether nothing can be wanted of the client any more: it was to go.
    var isOver = false
    /// What has been told of the session that is played.
    var session = PlayedSession()

    /// What every driver does. Source: docs/conformance.md, "Orders".
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

    /// Gives the driver an order, by the members of `text`; it may take `takesMs` by itself.
    @discardableResult
    func order(
        _ deed: String, _ text: String = "{}", takesMs: Double = 0
    ) throws(TrialEnd) -> JSONValue {
        guard case .object(let members) = try? JSONValue(parsing: text) else {
            throw .failed(expected: "an order of the suite that is JSON", came: text)
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
                    expected: "the order \(deed) to be done, which no driver may leave out",
                    came: "cannot: \(reason)"))
        case .cannot(let reason): throw .notOffered("the order \(deed): \(reason)")
        case .failed(let reason):
            throw .failed(expected: "the order \(deed) to be done", came: reason)
        case .none(let reason):
            throw .unserved(
                StepFailure(expected: "an answer to the order \(deed)", came: reason))
        }
    }

    // MARK: What the server says

    /// Says messages in one frame: one as an object, more as an array. Each is held to the
    /// contract, unless it is strange on purpose.
    func say(_ messages: String..., isStrange: Bool = false) throws(TrialEnd) {
        try say(messages, isStrange: isStrange)
    }

    func say(_ messages: [String], isStrange: Bool = false) throws(TrialEnd) {
        let text =
            messages.count == 1 ? messages[0] : "[" + messages.joined(separator: ",") + "]"
        if !isStrange, let finding = checks.closed.findings(inFrame: text, from: .daemon).first {
            throw .failed(
                expected: "a suite that says what the contract says",
                came: "\(finding) in \(text): a mistake of the suite")
        }
        for message in messages { session.note(message) }
        server.note(handled: session.ack)
        note(.daemon, text)
        server.say(text, on: line)
    }

    /// Says what changed of a view; `change` as members.
    func update(
        _ change: String = "", ack: Int = 0, of view: String = "list"
    ) throws(TrialEnd) {
        try say(ServerWords.update(change, ack: ack, of: view))
    }

    /// Says a page of items.
    func items(
        _ ids: [String], load: String, mode: String = "replace", view: String = "list"
    ) throws(TrialEnd) {
        try say(ServerWords.items(ids, load: load, mode: mode, view: view))
    }

    /// Says that a load began, and waits until the client shows it.
    func begin(load: String, kind: String = "refresh") throws(TrialEnd) {
        try say(ServerWords.began(load, kind: kind))
        try expectShown("{loads: [\"\(load)\"]}")
    }

    /// Closes the connection, and returns when that was.
    @discardableResult
    func close(_ code: UInt16) -> Double {
        note(.daemon, "(closed with \(code))")
        server.close(line, code: code)
        return GradingServer.nowMs
    }

    /// Cuts it off, and returns when that was.
    @discardableResult
    func cut() -> Double {
        note(.daemon, "(cut off)")
        server.cut(line)
        return GradingServer.nowMs
    }

    // MARK: What the client does

    /// Takes what comes until then, or at least what has come.
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
            "a message is not of the contract: \($0)"
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

/// A message of the client.
struct HeardMessage {
    var value: JSONValue
    var line: Int
    /// Messages of one frame have the same number.
    var frame: Int
    var atMs: Double

    var type: String { value["type"]?.string ?? "" }
    var seq: Int { value["seq"]?.wholeNumber ?? 0 }
}
