import RefreshProtocol

/// The part of a client that outlives its connections: the credentials of its session, and the
/// messages that the daemon may not have handled. Source: docs/protocol.md, "Coming back".
struct SessionLink: Hashable, Sendable {
    /// A message that may have to be sent again.
    struct KeptMessage: Hashable, Sendable {
        var seq: UInt64
        var view: String
        var body: JSONValue
        /// Whether the sample has changed a state, so that it must not be thinned out.
        var isKey = false
    }

    /// A received snapshot of the session.
    struct Snapshot: Hashable, Sendable {
        var sealed: String
        var ack: UInt64
    }

    private(set) var seq: UInt64 = 0
    private(set) var session: String?
    private(set) var token: String?
    private(set) var ack: UInt64 = 0
    /// By view, the last load whose items were received.
    private(set) var received: [String: String] = [:]
    /// The views whose whole state has not arrived yet after a resumption.
    private(set) var returning: Set<String> = []
    private(set) var snapshot: Snapshot?
    /// The views that a snapshot may still have, although they are detached.
    var detachments = Detachments()
    /// The messages that may have to be sent again, at most `keptMessagesMax`.
    var outbox: [KeptMessage] = []
    /// The last number when the client last asked the daemon to confirm messages.
    var confirmationSeq: UInt64 = 0
    private(set) var wasWelcomed = false
    /// The features in the last `welcome`; nil if it had none.
    private(set) var served: Set<String>?
    /// Milliseconds of silence after which the client sends `ping`.
    private(set) var heartbeat = 25_000.0
    private(set) var bounds = MessageBounds()
    /// Milliseconds after which the daemon considers a silent gesture lost.
    private(set) var gestureSilence = 5000.0
    /// The daemon's limit `heartbeatMs` is in this range.
    static let heartbeatRange = 100.0...600_000.0
    /// The daemon's limit `gestureSilenceMs` is in this range.
    static let silenceRange = 0.0...600_000.0

    /// Numbers a message and keeps it. Returns the message with its number.
    mutating func keep(_ message: JSONValue, isKey: Bool = false) -> KeptMessage {
        seq += 1
        var body = message
        body["seq"] = .number(Double(seq))
        let kept = KeptMessage(
            seq: seq, view: message["view"]?.string ?? "", body: body, isKey: isKey)
        outbox.append(kept)
        return kept
    }

    /// Returns the number of a message that is not kept.
    mutating func reserveNumber() -> UInt64 {
        seq += 1
        return seq
    }

    /// Marks the last kept message: it has changed a state.
    mutating func markLastAsKey() {
        guard !outbox.isEmpty else { return }
        outbox[outbox.count - 1].isKey = true
    }

    /// Whether the daemon has still to handle a kept message about the view, up to this number.
    func isPending(_ view: String, upTo seq: UInt64) -> Bool {
        outbox.contains { $0.view == view && $0.seq > ack && $0.seq <= seq }
    }

    /// Gives the kept messages about a view new numbers, behind all others. Returns the new number
    /// of each earlier one.
    mutating func renumber(_ view: String) -> [UInt64: UInt64] {
        var numbers: [UInt64: UInt64] = [:]
        let moved = outbox.filter { $0.view == view }
        outbox.removeAll { $0.view == view }
        for message in moved { numbers[message.seq] = keep(message.body, isKey: message.isKey).seq }
        return numbers
    }

    /// Drops the kept messages about a view.
    mutating func removeView(_ name: String) {
        outbox.removeAll { $0.view == name }
        received[name] = nil
        returning.remove(name)
    }

    /// Drops the kept messages of these views up to a number. Returns them without the samples that
    /// a later sample replaces.
    mutating func takeMessages(of views: Set<String>, upTo seq: UInt64) -> [KeptMessage] {
        let taken = thinned().filter { views.contains($0.view) && $0.seq <= seq }
        outbox.removeAll { views.contains($0.view) && $0.seq <= seq }
        return taken
    }

    /// Drops kept messages that the daemon does not know.
    mutating func removeMessages(where isUnknown: (JSONValue) -> Bool) {
        outbox.removeAll { isUnknown($0.body) }
    }

    /// Forgets the session, so that the next one is a fresh one. The numbers of messages continue.
    /// The messages of the views `late` are kept: the daemon has not received them yet, because
    /// these views were attached after `hello`.
    mutating func reset(keeping late: Set<String> = []) {
        session = nil
        token = nil
        ack = 0
        received = [:]
        returning = []
        snapshot = nil
        detachments = Detachments()
        outbox.removeAll { !late.contains($0.view) }
    }

    /// The member `resume` of `hello`; nil without a session that can be resumed.
    var resume: JSONValue? {
        guard let session, let token else { return nil }
        var members: [JSONValue.Member] = [
            .init("session", .string(session)), .init("token", .string(token)),
            .init("ack", .number(Double(ack))),
            .init(
                "received",
                .array(received.sorted { $0.key < $1.key }.map { .string($0.value) })),
        ]
        if let snapshot { members.append(.init("snapshot", .string(snapshot.sealed))) }
        return .object(members)
    }

    /// Continues a saved session. Nothing happens if it has no credentials.
    mutating func restore(_ saved: JSONValue, seq: UInt64) {
        guard let session = saved["session"]?.string, let token = saved["token"]?.string else {
            return
        }
        (self.session, self.token, self.seq) = (session, token, seq)
        ack = saved["ack"]?.sequence ?? 0
        wasWelcomed = true
        confirmationSeq = seq
        served = saved["features"]?.array.map { Set($0.compactMap(\.string)) }
        if case .object(let loads)? = saved["received"] {
            for load in loads { received[load.name] = load.value.string }
        }
        snapshot = saved["snapshot"]?.string.map {
            Snapshot(sealed: $0, ack: saved["snapshotAck"]?.sequence ?? 0)
        }
        detachments = Detachments(saved["detached"])
        for message in saved["messages"]?.array ?? [] {
            guard let body = message["body"], let number = body["seq"]?.sequence,
                number > outbox.last?.seq ?? 0, number <= seq, let view = body["view"]?.string
            else { continue }
            let isKey = message["isKey"]?.bool == true
            outbox.append(KeptMessage(seq: number, view: view, body: body, isKey: isKey))
        }
    }

    /// Handles the parts of a message that a resumption needs. `views`: the views of the client.
    /// `late`: those among them that were attached after `hello`.
    mutating func handle(_ message: JSONValue, views: Set<String>, late: Set<String> = []) {
        let view = message["view"]?.string ?? ""
        switch message["type"]?.string {
        case "welcome": handleWelcome(message, views: views, late: late)
        case "snapshot":
            snapshot = message["sealed"]?.string.map {
                Snapshot(sealed: $0, ack: message["ack"]?.sequence ?? 0)
            }
            if let snapshot { detachments.settle(upTo: snapshot.ack) }
        case "items" where views.contains(view): received[view] = message["load"]?.string
        case "update" where returning.contains(view):
            returning.remove(view)
            // The daemon has handled a reset whose answer was lost.
            if message["list"] == nil { received[view] = nil }
        default: break
        }
        if let ack = message["ack"]?.sequence { self.ack = max(self.ack, ack) }
        let confirmed = snapshot?.ack ?? ack
        outbox.removeAll { $0.seq <= confirmed }
    }

    private mutating func handleWelcome(
        _ message: JSONValue, views: Set<String>, late: Set<String>
    ) {
        let isResumed = message["resumed"]?.bool == true
        if wasWelcomed, !isResumed { reset(keeping: late) }
        wasWelcomed = true
        if let limits = message["limits"] {
            bounds = MessageBounds(limits)
            gestureSilence =
                limits["gestureSilenceMs"]?.number(in: Self.silenceRange) ?? gestureSilence
        }
        served = message["features"]?.array.map { Set($0.compactMap(\.string)) }
        heartbeat = message["heartbeat"]?.number(in: Self.heartbeatRange) ?? 25_000
        session = message["session"]?.string
        token = message["token"]?.string
        ack = message["ack"]?.sequence ?? 0
        returning = isResumed ? views : []
    }

    /// The kept messages with a larger number than `seq`, without the samples that the next sample
    /// of the same movement replaces.
    func thinned(after seq: UInt64 = 0) -> [KeptMessage] {
        let kept = outbox.filter { $0.seq > seq }
        return kept.indices.filter { index in
            index + 1 == kept.count || !kept[index + 1].supersedes(kept[index])
        }.map { kept[$0] }
    }
}
