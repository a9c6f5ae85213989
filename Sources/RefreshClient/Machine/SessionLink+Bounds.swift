import RefreshProtocol

/// The bound of the kept messages: later messages supersede earlier ones, and beyond the limit the
/// least important ones are dropped. Source: docs/coming-back.md, "What the client sends again".
extension SessionLink {
    /// The largest number of kept messages. They need at most a few frames after `hello`.
    static let keptMessagesMax = 128
    /// With this many kept messages, the client asks the daemon to confirm them.
    static let confirmationCount = 64

    /// Drops the messages that the last one supersedes, and those beyond the limit.
    mutating func compact() {
        supersede()
        while outbox.count > Self.keptMessagesMax { outbox.remove(at: leastImportant) }
    }

    /// Whether the client should ask the daemon to confirm the kept messages now: by a snapshot, or
    /// without snapshots by an `ack`. It is true once for each `confirmationCount` messages.
    mutating func shouldConfirm() -> Bool {
        guard outbox.count >= Self.confirmationCount,
            seq >= confirmationSeq + UInt64(Self.confirmationCount)
        else { return false }
        confirmationSeq = seq
        return true
    }

    /// The frames that contain the messages in order, within the limits of the daemon.
    func frames(_ messages: [JSONValue]) -> [(text: String, count: Int)] {
        var frames: [(text: String, count: Int)] = []
        var texts: [String] = []
        var size = 2
        func close() {
            guard let first = texts.first else { return }
            let text = texts.count == 1 ? first : "[" + texts.joined(separator: ",") + "]"
            frames.append((text, texts.count))
        }
        for message in messages {
            let text = message.text
            let length = text.utf8.count + 1
            let isFull = texts.count >= bounds.messagesMax || size + length > bounds.frameBytesMax
            if !texts.isEmpty, isFull {
                close()
                (texts, size) = ([], 2)
            }
            texts.append(text)
            size += length
        }
        close()
        return frames
    }

    /// Removes the kept messages that the daemon would refuse, and returns the reasons.
    mutating func takeFlawed() -> [(message: KeptMessage, flaw: MessageFlaw)] {
        let flawed = outbox.compactMap { message in
            bounds.flaw(of: message.body).map { (message, $0) }
        }
        outbox.removeAll { message in flawed.contains { $0.0.seq == message.seq } }
        return flawed
    }

    private mutating func supersede() {
        guard let last = outbox.last, let index = previous(of: outbox.count - 1) else { return }
        let before = outbox[index]
        switch last.type {
        case "scroll", "pan":
            // The sizes that were reported between the two samples stay.
            var place = Int?.some(index)
            while let at = place, outbox[at].isPlainGeometry { place = previous(of: at) }
            if let place, last.supersedes(outbox[place]) { outbox.remove(at: place) }
        case "geometry" where last.isPlainGeometry:
            var place = Int?.some(index)
            while let at = place, outbox[at].isIntermediate { place = previous(of: at) }
            guard let place, outbox[place].isPlainGeometry else { return }
            outbox[outbox.count - 1].body = ViewMachine.merged(outbox[place].body, last.body)
            outbox.remove(at: place)
        case "enable" where before.type == "enable" && before.body["edge"] == last.body["edge"],
            "read" where before.type == "read":
            outbox.remove(at: index)
        case "disappear", "appear":
            // The view is what it was before the last two messages.
            guard let first = previous(of: index), outbox[first].type == last.type,
                before.type == "appear" || before.type == "disappear"
            else { return }
            outbox.remove(at: index)
            outbox.remove(at: first)
        default: break
        }
    }

    /// The position of the message about the same view before this one.
    private func previous(of index: Int) -> Int? {
        outbox[..<index].lastIndex { $0.view == outbox[index].view }
    }

    /// The position of the message to drop: a sample of an earlier movement, then a sample within a
    /// movement, then a report of sizes, which `hello` contains too, then the oldest request. The
    /// answers to `load` are last.
    private var leastImportant: Int {
        earlierSample
            ?? outbox.firstIndex { $0.isSample && $0.isWithinMovement }
            ?? outbox.firstIndex { $0.type == "geometry" }
            ?? outbox.firstIndex { $0.type != "loadBegan" && $0.type != "loadFinished" } ?? 0
    }

    /// The position of the oldest sample of a movement that is not the last one of its view.
    private var earlierSample: Int? {
        var found: Int?
        var views: Set<String> = []
        var earlier: Set<String> = []
        for (index, message) in outbox.enumerated().reversed() where message.isSample {
            let phase = message.body["phase"]?.string
            if phase == "idle", views.contains(message.view) { earlier.insert(message.view) }
            if earlier.contains(message.view) { found = index }
            if phase == "began" { earlier.insert(message.view) }
            views.insert(message.view)
        }
        return found
    }
}

extension SessionLink.KeptMessage {
    var type: String { body["type"]?.string ?? "" }
    var isSample: Bool { type == "scroll" || type == "pan" }

    /// Whether the message reports sizes, and neither an offset nor an anchor.
    var isPlainGeometry: Bool {
        type == "geometry" && body["offset"] == nil && body["anchor"] == nil
    }

    /// Whether the message is a sample between the first and the last one of a movement.
    var isWithinMovement: Bool {
        let phase = body["phase"]?.string
        return phase == "dragging" || phase == "decelerating"
    }

    /// Whether the message is such a sample, and has not changed a state.
    var isIntermediate: Bool { !isKey && isWithinMovement }

    /// Whether this later sample replaces an earlier one.
    func supersedes(_ earlier: Self) -> Bool {
        isIntermediate && earlier.isIntermediate && view == earlier.view && type == earlier.type
            && body["cause"] == earlier.body["cause"]
    }
}
