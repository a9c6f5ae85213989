import RefreshEngine
import RefreshProtocol

/// How a view is attached, refused, and attached again.
extension ViewMachine {
    /// The view is attached now: by `hello`, or by a message.
    mutating func beginAttaching(_ attachment: Attachment) {
        unanswered = attachment
        setRefusal(nil, text: nil)
    }

    /// Whether a fault answers the `attach` of the view. Faults of views in `hello` have no number.
    func isRefusal(_ fault: JSONValue) -> Bool {
        let seq = fault["seq"]?.number
        return switch unanswered {
        case nil: false
        case .inHello: seq == nil
        case .byMessage(let number): seq == Double(number)
        }
    }

    /// The daemon has refused to attach the view: what loads has failed. Returns the events.
    mutating func refuse(_ fault: JSONValue, at now: Double) -> [ClientEvent] {
        unanswered = nil
        intents = [:]
        remote.isAttached = false
        setRefusal(fault["code"]?.string ?? "", text: fault["message"]?.string)
        return failLoads(at: now)
    }

    mutating func setRefusal(_ code: String?, text: String?) {
        remote.refusal = code
        local.copyContent(of: remote)
        refusalText = text
    }

    /// Ends the loads of a refused view, which no daemon performs.
    mutating func failLoads(at now: Double) -> [ClientEvent] {
        guard let refusal = local.refusal else { return [] }
        var events: [ClientEvent] = []
        // The end of one load can begin the other, which waited for it.
        for kind in LoadKind.allCases + LoadKind.allCases {
            guard let effects = replica?.fail(kind, at: Instant(milliseconds: now)) else {
                continue
            }
            events += apply(effects, isRequest: true, at: now).events
            events.append(.loadFailed(.failed, code: refusal, message: refusalText, view: name))
        }
        return events
    }

    /// Whether a message of the daemon is about an earlier view of this name: the `attach` of this
    /// one was sent by a message, and the daemon has not answered it.
    func isOutdated(_ message: JSONValue) -> Bool {
        guard case .byMessage(let seq)? = unanswered else { return false }
        return message["type"]?.string != "attached" || message["ack"]?.sequence ?? 0 < seq
    }

    /// The messages about the view have new numbers. `attachment`: the number of the `attach` that
    /// precedes them.
    mutating func renumber(_ numbers: [UInt64: UInt64], attachment: UInt64) {
        unanswered = .byMessage(seq: attachment)
        lastSeq = numbers.values.max() ?? attachment
        if movementSeq > 0 { movementSeq = numbers[movementSeq] ?? attachment }
        hapticSeq = hapticSeq.map { numbers[$0] ?? lastSeq }
        for (kind, intent) in intents { intents[kind]?.seq = numbers[intent.seq] ?? lastSeq }
    }

    /// The messages that request the whole list, because a patch could not be applied; nil if none
    /// are due.
    mutating func takeListRequest() -> [JSONValue]? {
        guard patcher.takeRequest(), !isRefused else { return nil }
        let refreshes = remote.edges.values.contains { edge in
            edge.role == .refresh && edge.state != .disabled
        }
        return ["reset", refreshes ? "refresh" : "loadMore"].map { type in
            ClientMachine.message(type, name)
        }
    }

    /// Continues with the items and the edits of an earlier process.
    mutating func restore(_ view: SavedState.View) {
        remote.items = view.items
        local.items = view.items
        patcher.restore(view.items)
        remote.sectionKey = view.sectionKey
        remote.rows = view.rows
        local.copyContent(of: remote)
        if let saved = view.edits { edits.restore(saved) }
        showEdits()
    }

    /// No finger is on the list any more, because its process has ended.
    mutating func endEarlierTouch(at now: Double) {
        guard var sample = touch else { return }
        sample["phase"] = .string("cancelled")
        _ = record(sample, seq: lastSeq, at: now)
    }
}
