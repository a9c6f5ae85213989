/// The number of ignored members of messages, by kind. Source: docs/protocol.md, "diagnostic".
package struct IgnoredMembers: Hashable, Sendable {
    package var unknownFields = 0
    package var unknownOptions = 0
    /// Members that cannot be changed in this message.
    package var notConfigurable = 0

    package var isEmpty: Bool { self == IgnoredMembers() }

    package init() {}
}
