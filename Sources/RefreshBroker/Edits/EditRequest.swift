package import RefreshProtocol

/// An edit of a feed's list by the user of a client. Source: docs/protocol.md, "Edits".
package struct EditRequest: Hashable, Sendable {
    /// The feed's name in the configuration.
    @Bytewise package var feed: String
    package var operation: ItemOperation
    /// The parameters of the view, sorted by name.
    package var parameters: [LoadParameter]
    /// The headers that the feed forwards, sorted by name.
    package var headers: [HeaderField]
    /// The subject of an authenticated session, even if the feed is shared.
    @Bytewise package var subject: String?
    /// The key by which the backend recognizes the edit, with at most 128 ASCII characters. It is
    /// the same in each attempt, session and node.
    package var idempotencyKey: String
    /// The name of the sequence to which the edit belongs. The edits of a sequence are performed
    /// one after another, in the order in which they were requested. An edit without a sequence
    /// waits for no other edit.
    @Bytewise package var sequence: String?
    /// Whether the backend may have performed the edit before. Then it is not known where among the
    /// other changes it was.
    package var isRepeated: Bool

    package init(
        feed: String, _ operation: ItemOperation, idempotencyKey: String,
        parameters: [LoadParameter] = [], headers: [HeaderField] = [], subject: String? = nil,
        sequence: String? = nil, isRepeated: Bool = false
    ) {
        self.feed = feed
        self.operation = operation
        self.parameters = parameters.sorted { $0.name < $1.name }
        self.headers = headers.sorted { $0.name < $1.name }
        self.subject = subject
        self.idempotencyKey = idempotencyKey
        self.sequence = sequence
        self.isRepeated = isRepeated
    }

    /// Returns what has happened to the list when the backend has performed the edit. `item` is the
    /// item that the backend has returned; nil if it has returned none. An item that was refreshed
    /// and not returned does not exist any more.
    package func operations(replacedBy item: EditedItem?) -> [ItemOperation] {
        guard let item, operation.kind != .remove else {
            return [operation.kind == .refresh ? operation.removal : operation]
        }
        var update = operation
        update.kind = .update
        update.place = nil
        update.replaceItem(by: item)
        guard operation.kind != .insert else {
            var insert = operation
            insert.replaceItem(by: item)
            return [insert]
        }
        guard item.key != operation.key else {
            return operation.kind == .move ? [operation, update] : [update]
        }
        // The item has another key now, so another item takes its place.
        var insert = update
        insert.kind = .insert
        insert.place = .after(operation.key)
        return (operation.kind == .move ? [operation] : []) + [insert, operation.removal]
    }
}

extension ItemOperation {
    /// The removal of the item.
    fileprivate var removal: ItemOperation {
        var remove = self
        remove.kind = .remove
        remove.place = nil
        remove.item = []
        remove.contentHash = 0
        return remove
    }

    fileprivate mutating func replaceItem(by item: EditedItem) {
        key = item.key
        self.item = item.item
        contentHash = item.contentHash
    }
}

/// One call of a backend that performs an edit.
package struct EditCall: Sendable {
    /// The identity of the call. No other call, of a load or of an edit, has it.
    package let id: CallID
    package let request: EditRequest
    /// The number of the attempt: 1 for the first call, and one more for each retry.
    package let attempt: Int
    /// The time at which the edit ends, on the system's monotonic clock.
    package let deadline: Instant

    package init(
        id: CallID = CallID(0), _ request: EditRequest, attempt: Int = 1,
        deadline: Instant = .never
    ) {
        self.id = id
        self.request = request
        self.attempt = attempt
        self.deadline = deadline
    }

    /// The remaining time in milliseconds, at least 0 and at most one day.
    package var remainingMs: Int { deadline.remainingMs }
}
