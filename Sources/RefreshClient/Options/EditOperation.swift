public import RefreshProtocol

/// A change of the list by the user. Source: docs/protocol.md, "Edits".
public enum EditOperation: Hashable, Sendable {
    /// A new item. If the list has its key, the item takes the place of the item with this key.
    case insert(JSONValue, Place)
    /// The item takes the place of the item with its key.
    case update(JSONValue)
    /// The item with this key, a string or an integer, is removed.
    case remove(JSONValue)
    /// The item with this key moves.
    case move(JSONValue, Place)
    /// The item with this key is requested anew. Nothing is shown until the answer comes.
    case refresh(JSONValue)

    /// The kind of an operation.
    public enum Kind: String, CaseIterable, Sendable {
        case insert, update, remove, move, refresh
    }

    /// Where an inserted or moved item is afterwards.
    public enum Place: Hashable, Sendable {
        /// The end of the list that has the refresh edge: in a reversed view, behind the last item.
        case start
        /// The other end of the list.
        case end
        /// Before the item with this key.
        case before(JSONValue)
        /// Behind the item with this key.
        case after(JSONValue)
    }

    /// The kind of the operation.
    public var kind: Kind {
        switch self {
        case .insert: .insert
        case .update: .update
        case .remove: .remove
        case .move: .move
        case .refresh: .refresh
        }
    }

    /// The operation of a message.
    var json: JSONValue {
        switch self {
        case .insert(let value, let place), .move(let value, let place):
            .object([.init(kind.rawValue, value), place.json])
        case .update(let value), .remove(let value), .refresh(let value):
            .object([.init(kind.rawValue, value)])
        }
    }

    /// Whether the daemon accepts the keys in the operation. `pointer`: the place of the key in an
    /// item.
    func hasKeys(at pointer: JSONPointer) -> Bool {
        switch self {
        case .insert(let item, let place):
            item.isContainer && (item.value(at: pointer)?.isKey ?? false) && place.hasKey
        case .update(let item):
            item.isContainer && (item.value(at: pointer)?.isKey ?? false)
        case .remove(let key), .refresh(let key): key.isKey
        case .move(let key, let place): key.isKey && place.hasKey
        }
    }
}

extension EditOperation.Place {
    fileprivate var json: JSONValue.Member {
        switch self {
        case .start: .init("at", .string("start"))
        case .end: .init("at", .string("end"))
        case .before(let key): .init("before", key)
        case .after(let key): .init("after", key)
        }
    }

    /// Whether the key of the neighbour is valid, if there is one.
    fileprivate var hasKey: Bool {
        switch self {
        case .start, .end: true
        case .before(let key), .after(let key): key.isKey
        }
    }
}

extension JSONValue {
    /// Whether this value can be the key of an item: a string without escape sequences, or an
    /// integer of at most 15 digits.
    fileprivate var isKey: Bool {
        switch self {
        case .string(let text): self.text.utf8.count == text.utf8.count + 2
        case .number(let number): number.rounded() == number && abs(number) < 1e15
        case .null, .bool, .array, .object: false
        }
    }

    fileprivate var isContainer: Bool {
        switch self {
        case .object, .array: true
        case .null, .bool, .number, .string: false
        }
    }
}

/// Why the client refuses an edit. Nothing was changed, and nothing is sent.
public enum EditError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no view of this name.
    case unknownView
    /// The client is closed.
    case clientClosed
    /// The feed does not accept this operation, or the view was never attached.
    case notAccepted(EditOperation.Kind)
    /// The edit needs a name of 8 to 64 ASCII letters, digits, `-` and `_`.
    case invalidName
    /// Another edit of the view that has no answer has this name.
    case nameInUse
    /// An item or a place has no key: a string without escape sequences, or an integer of at most
    /// 15 digits.
    case missingKey
    /// The operation has more than 16,384 bytes.
    case tooLarge
    /// `delayMs` is not 0 to 60000.
    case delayOutOfRange
    /// The daemon would refuse the message, for this reason: a text is too long, or a number is not
    /// finite.
    case invalid(reason: String)
    /// The most edits of the view have no answer.
    case tooManyEdits

    /// The reason in a sentence.
    public var description: String {
        switch self {
        case .unknownView: "There is no view of this name."
        case .clientClosed: "The client is closed."
        case .notAccepted(let kind): "The feed does not accept the operation \(kind.rawValue)."
        case .invalidName:
            "The name of an edit has 8 to 64 ASCII letters, digits, hyphens and underscores."
        case .nameInUse: "Another edit without an answer has this name."
        case .missingKey:
            "An item or a place has no key: a string without escapes, or an integer of at most"
                + " 15 digits."
        case .tooLarge: "The operation has more than \(ItemEdit.operationBytesMax) bytes."
        case .delayOutOfRange: "delayMs is not 0 to \(ItemEdit.delayMsMax)."
        case .invalid(let reason): "The daemon would refuse the edit, because \(reason)."
        case .tooManyEdits:
            "\(PendingEdits.countMax) edits of the view have no answer yet."
        }
    }
}
