public import RefreshProtocol

/// An edit that has no answer yet. The items of its view are shown with it.
public struct PendingEdit: Hashable, Sendable {
    /// The name of the edit.
    public internal(set) var id: String
    /// The operation, as in the protocol: an object with `insert`, `update`, `remove` or `move`.
    public internal(set) var operation: JSONValue
    /// How long the daemon waits before it performs the edit, in milliseconds.
    public internal(set) var delayMs: Int
    /// Whether the user has undone the edit.
    public internal(set) var isUndone = false
}

/// The answer to an edit. Source: docs/protocol.md, "Edits".
public struct EditAnswer: Hashable, Sendable {
    /// What has become of the edit.
    public enum Result: String, Sendable {
        /// The backend has done what the operation says.
        case confirmed
        /// The backend has done it, and has returned the item as it is now.
        case replaced
        /// Nothing was changed.
        case rolledBack
    }

    /// The name of the edit.
    public var edit: String
    /// What has become of the edit.
    public var result: Result
    /// With `replaced`, the key of the item, which can differ from the key in the edit.
    public var key: JSONValue?
    /// With `rolledBack`, the reason: a code of the failure, `undone`, `editNotAccepted` or
    /// `tooManyEdits`.
    public var code: String?
    /// With `rolledBack`, the reason in an English sentence.
    public var message: String?
    /// Whether the same operation may succeed later.
    public var isTemporary = false
}

extension EditAnswer {
    /// Reads the message `edited`; nil if it names no edit.
    init?(_ message: JSONValue) {
        guard let edit = message["edit"]?.string,
            let result = message["result"]?.string.flatMap(Result.init)
        else { return nil }
        self.init(
            edit: edit, result: result, key: message["key"], code: message["code"]?.string,
            message: message["message"]?.string, isTemporary: message["temporary"]?.bool ?? false)
    }

    /// The answer to an edit that is not performed.
    static func rolledBack(
        _ edit: String, code: String, message: String, isTemporary: Bool = false
    ) -> Self {
        Self(
            edit: edit, result: .rolledBack, code: code, message: message, isTemporary: isTemporary)
    }

    /// The answer to an edit that was undone.
    static func undone(_ edit: String) -> Self {
        rolledBack(edit, code: EditRefusal.undone.rawValue, message: EditRefusal.undone.message)
    }
}
