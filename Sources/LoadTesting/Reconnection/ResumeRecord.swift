internal import RefreshProtocol

/// What a client of a load test has received of its session, so that it can resume the session on
/// another connection. Source: docs/protocol.md, "Coming back".
///
/// The record also checks that each page arrives exactly once.
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
    }

    private var session: String?
    private var token: String?
    private var ack = 0
    /// The last snapshot, encrypted by the daemon, and the last `seq` that it contains.
    private var snapshot: (sealed: String, ack: Int)?
    private var kept = KeptMessages()
    private var views: [String: ReceivedList] = [:]

    private struct ReceivedList {
        /// The load whose items came last.
        var lastLoad: String?
        var loads: Set<String> = []
        var count = 0
    }

    /// Applies the messages of a received frame.
    mutating func apply(_ messages: [JSONValue]) -> [Finding] {
        var findings: [Finding] = []
        var counts: [String: Int] = [:]
        for message in messages {
            if let number = message["ack"]?.number.flatMap({ Int(exactly: $0) }) {
                ack = max(ack, number)
            }
            let view = message["view"]?.string ?? ""
            switch message["type"]?.string {
            case "welcome": findings.append(applyWelcome(message))
            case "snapshot":
                snapshot = message["sealed"]?.string.map {
                    ($0, message["ack"]?.number.flatMap { Int(exactly: $0) } ?? ack)
                }
            case "attached": views[view] = views[view] ?? ReceivedList()
            case "update": counts[view] = message["list"]?["count"]?.number.map { Int($0) }
            case "items":
                if applyItems(message, of: view) { findings.append(.itemsRepeated) }
            default: break
            }
        }
        // A frame is one transaction, so the numbers are compared after all of its messages.
        for (view, count) in counts where views[view]?.count != count {
            findings.append(.itemsMissing)
            views[view]?.count = count
        }
        // A session that is rebuilt from the snapshot has not handled the messages after it.
        kept.removeHandled(upTo: snapshot?.ack ?? ack)
        return findings
    }

    private mutating func applyWelcome(_ message: JSONValue) -> Finding {
        session = message["session"]?.string
        token = message["token"]?.string
        if message["resumed"]?.bool == true { return .resumed }
        views = [:]
        snapshot = nil
        kept.removeAll()
        ack = 0
        return .fresh(reason: message["reason"]?.string)
    }

    /// Returns whether the items of this load came before.
    private mutating func applyItems(_ message: JSONValue, of view: String) -> Bool {
        let load = message["load"]?.string ?? ""
        let count = Int(message["count"]?.number ?? 0)
        let isAppended = message["mode"]?.string == "append"
        var list = views[view] ?? ReceivedList()
        let isFirst = list.loads.insert(load).inserted
        list.lastLoad = load
        list.count = (isAppended ? list.count : 0) + count
        views[view] = list
        return !isFirst
    }

    /// Whether `hello` requests to resume a session.
    var resumesSession: Bool { session != nil }

    /// Records a sent message, which the client may have to send again. See `KeptMessages.add`.
    mutating func recordSent(_ message: LoadMessage, seq: Int, clockMs: Double) {
        kept.add(message, seq: seq, clockMs: clockMs)
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
