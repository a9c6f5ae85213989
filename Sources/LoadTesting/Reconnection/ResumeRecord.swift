internal import RefreshProtocol

/// What a client of a load test has received of its session, so that it can resume the session on
/// another connection. Source: docs/protocol.md, "Coming back".
///
/// The record also checks that each page arrives exactly once. A server may send any numbers.
struct ResumeRecord {
    /// What a frame has shown.
    enum Finding: Hashable {
        /// The daemon has resumed the session.
        case resumed
        /// The session is a new one, for this reason; nil for the first session of the client.
        case fresh(reason: String?)
        /// The items of a load came a second time.
        case itemsRepeated
        /// The daemon counts another number of items than the client has received.
        case itemsMissing
        /// A number is not a whole number from 0 to 2^53 - 1.
        case invalidNumber
    }

    /// The largest whole number of the protocol.
    private static let numberMax = (1 << 53) - 1

    private var session: String?
    private var token: String?
    private var ack = 0
    /// The last snapshot, encrypted by the daemon, and the last `seq` that it contains.
    private var snapshot: (sealed: String, ack: Int)?
    private var kept = KeptMessages()
    private var views: [String: ReceivedList] = [:]
    /// The views of the resumed session whose first `update` has not arrived.
    private var returningViews: Set<String> = []
    /// The time without sent messages after which the client must send `ping`, in microseconds; nil
    /// before the first `welcome`.
    private(set) var heartbeat: Int64?

    /// Applies the messages of a received frame.
    mutating func apply(_ messages: [JSONValue]) -> [Finding] {
        var findings: [Finding] = []
        var counts: [String: Int] = [:]
        for message in messages {
            let messageAck = Self.wholeNumber(message["ack"], &findings)
            ack = max(ack, messageAck ?? 0)
            let view = message["view"]?.string ?? ""
            switch message["type"]?.string {
            case "welcome": applyWelcome(message, &findings)
            case "snapshot":
                snapshot = message["sealed"]?.string.map { ($0, messageAck ?? ack) }
            case "attached": views[view] = views[view] ?? ReceivedList()
            case "update":
                if let count = daemonCount(message, of: view, &findings) { counts[view] = count }
            case "items": applyItems(message, of: view, &findings)
            default: break
            }
        }
        // A frame is one transaction, so the numbers are compared after all of its messages.
        for (view, count) in counts
        where views[view]?.matches(daemonCount: count, ack: ack) == false {
            findings.append(.itemsMissing)
        }
        // A session that is rebuilt from the snapshot has not handled the messages after it.
        kept.removeHandled(upTo: snapshot?.ack ?? ack)
        return findings
    }

    /// Returns a whole number from 0 to 2^53 - 1; nil if there is no value. Any other value is a
    /// finding.
    private static func wholeNumber(_ value: JSONValue?, _ findings: inout [Finding]) -> Int? {
        guard let value else { return nil }
        guard let number = value.number.flatMap({ Int(exactly: $0) }),
            (0...numberMax).contains(number)
        else {
            if !findings.contains(.invalidNumber) { findings.append(.invalidNumber) }
            return nil
        }
        return number
    }

    private mutating func applyWelcome(_ message: JSONValue, _ findings: inout [Finding]) {
        session = message["session"]?.string
        token = message["token"]?.string
        if let milliseconds = Self.wholeNumber(message["heartbeat"], &findings) {
            heartbeat = Int64(milliseconds) * 1_000
        }
        guard message["resumed"]?.bool != true else {
            returningViews = Set(views.keys)
            return findings.append(.resumed)
        }
        views = [:]
        returningViews = []
        snapshot = nil
        kept.removeAll()
        ack = 0
        findings.append(.fresh(reason: message["reason"]?.string))
    }

    /// Returns the number of items that an `update` states; nil if it states none. The first
    /// `update` of a resumed view has the whole state. If it has no list, there are no items.
    private mutating func daemonCount(
        _ update: JSONValue, of view: String, _ findings: inout [Finding]
    ) -> Int? {
        let isWhole = returningViews.remove(view) != nil
        guard let list = update["list"] else {
            guard isWhole else { return nil }
            views[view]?.forgetLastLoad()
            return 0
        }
        return Self.wholeNumber(list["count"], &findings)
    }

    private mutating func applyItems(
        _ message: JSONValue, of view: String, _ findings: inout [Finding]
    ) {
        let count = Self.wholeNumber(message["count"], &findings) ?? 0
        let isRepeated = views[view, default: ReceivedList()].apply(
            load: message["load"]?.string ?? "", mode: message["mode"]?.string, count: count)
        if isRepeated { findings.append(.itemsRepeated) }
    }

    /// Whether `hello` requests to resume a session.
    var resumesSession: Bool { session != nil }

    /// Records a sent message, which the client may have to send again (see `KeptMessages.add`), or
    /// which discards the pages of a view.
    mutating func recordSent(_ message: LoadMessage, seq: Int, clockMs: Double) {
        kept.add(message, seq: seq, clockMs: clockMs)
        if let view = message.discardedView {
            views[view, default: ReceivedList()].discardedBy = seq
        }
    }

    /// Returns the messages that follow `hello`, as JSON: those that the daemon may not have
    /// handled. A client without a session begins anew.
    mutating func repeatedMessages() -> [[UInt8]] {
        if !resumesSession { kept.removeAll() }
        return kept.texts
    }

    /// The members that `hello` has in addition, as JSON that begins with a comma.
    /// `requestsSnapshots` states whether the recorded `hello` requests snapshots.
    func helloMembers(requestsSnapshots: Bool = false) -> [UInt8] {
        var members = requestsSnapshots ? "" : #","snapshots":true"#
        if let session, let token {
            let loads = views.values.compactMap(\.lastLoad).sorted().map(JSONValue.string)
            var resume: [JSONValue.Member] = [
                .init("session", .string(session)), .init("token", .string(token)),
                .init("ack", .number(Double(ack))), .init("received", .array(loads)),
            ]
            if let snapshot { resume.append(.init("snapshot", .string(snapshot.sealed))) }
            members += #","resume":"# + JSONValue.object(resume).text
        }
        return Array(members.utf8)
    }
}
