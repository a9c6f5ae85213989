/// A change of the list by the user of a client. Source: docs/protocol.md, "Edits".
package struct ItemEdit: Hashable, Sendable, Codable {
    /// The maximum number of bytes of an operation.
    package static let operationBytesMax = 16_384
    /// The longest delay, in milliseconds.
    package static let delayMsMax = 60_000
    /// The number of bytes of a name.
    package static let nameBytes = 8...64

    /// The client's name for this edit. It consists of ASCII letters, digits, `-` and `_`.
    package var name: String
    /// The JSON text of the operation, byte for byte as the client has sent it. Its form is
    /// checked, but not whether its item has a key.
    package var operation: [UInt8]
    /// How long the user can undo the edit, in milliseconds.
    package var delayMs: Int
    /// Whether the client may have sent the edit before.
    package var isRepeated: Bool

    package init(
        name: String, operation: [UInt8], delayMs: Int = 0, isRepeated: Bool = false
    ) {
        self.name = name
        self.operation = operation
        self.delayMs = delayMs
        self.isRepeated = isRepeated
    }

    /// Whether an edit can have this name.
    package static func isName(_ text: String) -> Bool {
        nameBytes.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

/// The members of an operation on an item. Source: docs/protocol.md, "Live items".
enum OperationMember: String, CaseIterable, WireNamed, Sendable {
    case insert, update, remove, move, refresh
    case at, before, after

    /// The members of which an operation has exactly one.
    static let kinds: [OperationMember] = [.insert, .update, .remove, .move, .refresh]
    /// The members of which an operation with a place has exactly one.
    static let places: [OperationMember] = [.at, .before, .after]
}
