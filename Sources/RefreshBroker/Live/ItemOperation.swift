import RefreshProtocol

/// What happened to one item of a list. Source: docs/protocol.md, "Live items".
package struct ItemOperation: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case insert, update, remove, move
        /// The item is requested anew. Only an edit has this operation.
        case refresh
    }

    /// Where an inserted or moved item is afterwards.
    package enum Place: Hashable, Sendable, Codable {
        /// At the end of the list that its refresh edge has, before the first item.
        case start
        case end
        case before(Key)
        case after(Key)
    }

    /// The key of an item: its JSON text, a string without escapes or an integer of at most 15
    /// digits, and the hash of this text.
    package struct Key: Hashable, Sendable, Codable {
        package var text: [UInt8]
        package var hash: UInt64

        package init(_ text: [UInt8], hashedBy function: SipHash) {
            self.text = text
            hash = function.hash(text.span, in: 0..<text.count)
        }
    }

    package var kind: Kind
    /// The key of the item.
    package var key: Key
    /// Nil for all kinds but `insert` and `move`.
    package var place: Place?
    /// The JSON text of the item; empty for all kinds but `insert` and `update`.
    package var item: [UInt8]
    /// The hash of `item`, as in `HashedItems.contents`; 0 without an item.
    package var contentHash: UInt64

    package init(
        _ kind: Kind, _ key: Key, at place: Place? = nil, item: [UInt8] = [],
        hashedBy function: SipHash
    ) {
        self.kind = kind
        self.key = key
        self.place = place
        self.item = item
        contentHash = item.isEmpty ? 0 : function.hash(item.span, in: 0..<item.count)
    }
}

/// The operations on the list of one query. Source: docs/backends.md, "What has changed".
package struct ItemChange: Hashable, Sendable, Codable {
    /// The largest number of operations of one report, or of merged reports.
    package static let operationsMax = 256
    /// The largest number of bytes of the body of a report.
    package static let bytesMax = 262_144

    /// The parameters of the query, in the order of their names.
    package var parameters: [LoadParameter]
    /// The subject of the sessions that show the list; nil for all sessions.
    package var subject: String?
    package var operations: [ItemOperation]

    package init(
        parameters: [LoadParameter] = [], subject: String? = nil, _ operations: [ItemOperation]
    ) {
        self.parameters = parameters
        self.subject = subject
        self.operations = operations
    }

    /// The subjects of equal changes have the same bytes.
    package static func == (left: ItemChange, right: ItemChange) -> Bool {
        left.subject.hasBytes(of: right.subject) && left.parameters == right.parameters
            && left.operations == right.operations
    }

    /// How many items are inserted.
    package var insertCount: Int {
        operations.reduce(0) { $0 + ($1.kind == .insert ? 1 : 0) }
    }
}
