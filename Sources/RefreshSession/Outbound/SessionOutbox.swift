import RefreshProtocol

/// The messages that wait to be sent to a client, in order, and the time since which the client has
/// not read.
struct SessionOutbox {
    var messages: [QueuedMessage] = []
    /// The generation of the view whose update is the only pending message. In that case `messages`
    /// is empty. Nil if no message is pending, or if all pending messages are in `messages`.
    var loneUpdate: UInt32?
    /// The bytes of `messages` that count against the limit of the queue (`byteCount`).
    var queuedBytes = 0
    /// The bytes of the frame that the channel has partly sent; 0 if there is none.
    var halfSentBytes = 0
    /// The time since which output, or the rest of a frame, has waited for the client; nil if
    /// nothing waits.
    var waitsSince: Instant?
    /// Whether reading from the client is paused until the client reads its output.
    var hasPausedReading = false
    /// Whether messages were dropped because the queue was full.
    var hasDropped = false
    /// Whether a snapshot is among the messages; there is never more than one.
    var holdsSnapshot = false
    /// Until when a frame waits for the first items of a view; nil if it does not wait.
    var firstItemsDue: Instant?
    /// The number of messages that wait with the frame; nil if it is not known yet.
    var heldCount: Int?

    var isEmpty: Bool {
        @inline(__always) get { loneUpdate == nil && messages.isEmpty }
    }

    @inline(__always)
    mutating func appendUpdate(of generation: UInt32) {
        if messages.isEmpty, loneUpdate == nil {
            loneUpdate = generation
        } else {
            append(.update(generation: generation))
        }
    }

    mutating func removeUpdate(of generation: UInt32) {
        if loneUpdate == generation { loneUpdate = nil }
        messages.removeAll { $0.isUpdate && $0.concernsView(generation) }
    }

    mutating func append(_ message: consuming QueuedMessage) {
        if let first = loneUpdate {
            loneUpdate = nil
            messages.append(.update(generation: first))
        }
        queuedBytes += message.byteCount
        messages.append(message)
    }

    /// Queues a sealed snapshot, at most once. It is sent as the last message of the next frame.
    mutating func appendSnapshot() {
        guard !holdsSnapshot else { return }
        holdsSnapshot = true
        append(.snapshot)
    }

    /// Queues a progress message of a load. It replaces an unsent progress message of the same
    /// load.
    mutating func appendProgress(_ text: [UInt8], of load: LoadID) {
        let message = QueuedMessage.progress(generation: load.generation, load, text)
        guard let index = messages.firstIndex(where: { $0.isProgress(of: load) }) else {
            return append(message)
        }
        replace(at: index, by: message)
    }

    /// Drops the queued progress message of a load that has ended.
    mutating func removeProgress(of load: LoadID) {
        guard let index = messages.firstIndex(where: { $0.isProgress(of: load) }) else { return }
        queuedBytes -= messages[index].byteCount
        messages.remove(at: index)
    }

    /// After a reset of a view, replaces each of its queued pages by a message which says that the
    /// page's load was cancelled. A page that was queued before a reset is never delivered. Returns
    /// whether a page was replaced.
    @discardableResult
    mutating func cancelPages(of view: ViewID, generation: UInt32) -> Bool {
        var hasPages = false
        for index in messages.indices {
            let (load, kind): (LoadID, LoadKind)
            switch messages[index] {
            case .items(let page, let own, _, _, _): (load, kind) = (page, own)
            case .operations(let number, _, _, _): (load, kind) = (number, .refresh)
            case .update, .text, .passing, .began, .snapshot, .progress: continue
            }
            guard load.generation == generation else { continue }
            replace(
                at: index,
                by: .text(ServerText.loadingEnded(load, kind, .cancelled, view: view)))
            hasPages = true
        }
        return hasPages
    }

    /// Drops the operations for a view. Returns whether there were any.
    mutating func removeOperations(of generation: UInt32) -> Bool {
        let before = messages.count
        messages.removeAll { message in
            guard case .operations(let load, _, _, _) = message else { return false }
            return load.generation == generation
        }
        queuedBytes = messages.reduce(0) { $0 + $1.byteCount }
        return messages.count < before
    }

    /// Drops the answers to edits.
    mutating func removeAnswers() {
        messages.removeAll { message in
            guard case .text(let text) = message else { return false }
            return text.starts(with: ServerText.editedStart)
        }
        queuedBytes = messages.reduce(0) { $0 + $1.byteCount }
    }

    /// Drops the messages that are useful on this connection only, and the snapshot.
    mutating func removePassing() {
        stopHolding()
        messages.removeAll { $0.isConnectionSpecific }
        queuedBytes = messages.reduce(0) { $0 + $1.byteCount }
        holdsSnapshot = false
    }

    /// Ends the wait for first items.
    mutating func stopHolding() {
        firstItemsDue = nil
        heldCount = nil
    }

    /// Removes the messages after they were written to a frame.
    mutating func removeWritten() {
        queuedBytes = 0
        guard messages.capacity <= 8 else { return messages = [] }
        // For a few messages, this takes fewer instructions than `removeAll`.
        while !messages.isEmpty { messages.removeLast() }
    }

    /// Drops everything.
    mutating func removeAll() {
        stopHolding()
        loneUpdate = nil
        messages.removeAll()
        queuedBytes = 0
        holdsSnapshot = false
    }

    /// The number of bytes that may be queued for a slow client. A frame that was sent in part
    /// counts in full, but a quarter of the limit is always left for the queue. Therefore the
    /// longest page that a backend may return can reach a client on a slow connection.
    func slowClientBytesMax(_ limits: Limits) -> Int {
        let most = limits.queueBytesMax
        return max(most - halfSentBytes, most / 4)
    }

    private mutating func replace(at index: Int, by message: QueuedMessage) {
        queuedBytes += message.byteCount - messages[index].byteCount
        messages[index] = message
    }
}

/// The members that a journal's checkpoint contains. The other members are derived from the
/// messages.
extension SessionOutbox: Codable {
    private enum CodingKeys: String, CodingKey {
        case loneUpdate, halfSentBytes, waitsSince, firstItemsDue, heldCount
        case messages = "queue"
        case hasPausedReading = "isHeldBack"
        case hasDropped = "isLost"
    }

    /// Returns the outbox with the token masked in its messages.
    func masking(_ token: ResumeToken) -> SessionOutbox {
        var copy = self
        copy.messages = messages.map { $0.masking(token) }
        return copy
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        messages = try members.decode([QueuedMessage].self, forKey: .messages)
        loneUpdate = try members.decodeIfPresent(UInt32.self, forKey: .loneUpdate)
        halfSentBytes = try members.decodeIfPresent(Int.self, forKey: .halfSentBytes) ?? 0
        waitsSince = try members.decodeIfPresent(Instant.self, forKey: .waitsSince)
        firstItemsDue = try members.decodeIfPresent(Instant.self, forKey: .firstItemsDue)
        heldCount = try members.decodeIfPresent(Int.self, forKey: .heldCount)
        hasPausedReading = try members.decode(Bool.self, forKey: .hasPausedReading)
        hasDropped = try members.decode(Bool.self, forKey: .hasDropped)
        holdsSnapshot = messages.contains { $0.isSnapshot }
        queuedBytes = messages.reduce(0) { $0 + $1.byteCount }
    }
}
