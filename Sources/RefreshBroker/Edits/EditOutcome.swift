package import RefreshProtocol

/// The outcome of an edit. Every edit ends with exactly one outcome.
package enum EditOutcome: Hashable, Sendable {
    /// The backend has done what the operation says.
    case confirmed
    /// The backend has done it, and has returned the item as it is now.
    case replaced(EditedItem)
    /// The backend has not performed the edit.
    case failed(LoadFailure)
    /// The edit has failed in such a way that the backend may have performed it.
    case unknown(LoadFailure)
    /// The daemon is stopping, so it is not known whether the edit is performed. The client gets no
    /// answer, and sends the edit again.
    case cancelled

    /// The outcome of an edit that an event of the machine ends; nil if the event does not end it.
    package init?(_ event: LoadEvent) {
        guard case .ended(let outcome) = event else { return nil }
        switch outcome {
        case .failed(let failure): self = .failed(failure)
        case .timedOut: self = .failed(LoadFailure(.backendTimedOut, "No answer arrived in time."))
        // An edit has no page.
        case .cancelled, .page: self = .cancelled
        }
    }

    /// The outcome of an edit that the backend has performed. `item`: what the backend has
    /// returned. The answer to a `remove` contains no item of the list.
    package init(performed request: EditRequest, _ item: EditedItem?) {
        guard let item, request.operation.kind != .remove else {
            self = .confirmed
            return
        }
        self = .replaced(item)
    }
}

/// The item that a backend has returned for an edit.
package struct EditedItem: Hashable, Sendable, Codable {
    package var key: ItemOperation.Key
    /// The JSON text of the item, an object, as the backend sent it.
    package var item: [UInt8]
    /// The hash of `item`, as in `HashedItems.contents`.
    package var contentHash: UInt64

    package init(_ key: ItemOperation.Key, _ item: [UInt8], hashedBy function: SipHash) {
        self.key = key
        self.item = item
        contentHash = function.hash(item.span, in: 0..<item.count)
    }

    /// Reads the key of an item that a backend has returned. Throws `backendAnswerMalformed` if the
    /// item is not an object, or has no plain key at `pointer`. Throws `backendAnswerTooLarge` if
    /// it is too large for the report of a change.
    package init(
        reading item: [UInt8], at pointer: JSONPointer, hashedBy function: SipHash
    ) throws(LoadFailure) {
        guard item.count <= ItemChange.bytesMax else {
            throw LoadFailure(
                .backendAnswerTooLarge,
                "The item of the backend's answer has more than \(ItemChange.bytesMax) bytes.")
        }
        let range = ItemKeys.keyRange(
            ofItemAt: item.indices, in: item.span, at: pointer)
        guard item.first == UInt8(ascii: "{"), let range,
            ItemKeys.isPlain(range, in: item.span)
        else {
            throw LoadFailure(
                .backendAnswerMalformed,
                "The item of the backend's answer is not an object with a key at `itemKey`.")
        }
        let key = ItemOperation.Key(Array(item[range]), hashedBy: function)
        self.init(key, item, hashedBy: function)
    }
}

extension EditOutcome: Codable {
    private enum CodingKeys: CodingKey {
        case result, item, code, message, retryAfterMs
    }

    /// The result of the edit, without its details.
    package var result: EditResult {
        switch self {
        case .confirmed: .confirmed
        case .replaced: .replaced
        case .failed: .failed
        case .unknown: .unknown
        case .cancelled: .cancelled
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(EditResult.self, forKey: .result) {
        case .confirmed: self = .confirmed
        case .replaced: self = .replaced(try container.decode(EditedItem.self, forKey: .item))
        case .failed: self = .failed(try Self.failure(in: container))
        case .unknown: self = .unknown(try Self.failure(in: container))
        case .cancelled: self = .cancelled
        }
    }

    private static func failure(
        in container: KeyedDecodingContainer<CodingKeys>
    ) throws -> LoadFailure {
        LoadFailure(
            try container.decode(FaultCode.self, forKey: .code),
            try container.decode(String.self, forKey: .message),
            retryAfterMs: try container.decodeIfPresent(Int.self, forKey: .retryAfterMs))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(result, forKey: .result)
        switch self {
        case .replaced(let item): try container.encode(item, forKey: .item)
        case .failed(let failure), .unknown(let failure):
            try container.encode(failure.code, forKey: .code)
            try container.encode(failure.message, forKey: .message)
            try container.encodeIfPresent(failure.retryAfterMs, forKey: .retryAfterMs)
        case .confirmed, .cancelled: break
        }
    }
}

/// The kind of an `EditOutcome`.
package enum EditResult: String, CaseIterable, Hashable, Sendable, Codable {
    case confirmed, replaced, failed, unknown, cancelled
}

extension LoadFailure {
    /// Whether the backend may have performed an edit whose call has failed in this way. It has
    /// not if the call did not reach the backend, or if the backend has refused it.
    var mayHavePerformedEdit: Bool {
        switch code {
        case .backendTimedOut, .backendFailed, .backendAnswerMalformed, .backendAnswerTooLarge: true
        default: false
        }
    }
}
