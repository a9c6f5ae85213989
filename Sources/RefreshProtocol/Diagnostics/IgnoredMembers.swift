/// How many members of messages were passed over, by what they are. Source: docs/protocol.md,
/// "diagnostic".
package struct IgnoredMembers: Hashable, Sendable {
    package var unknownFields = 0
    package var unknownOptions = 0
    /// What cannot be changed where it stands.
    package var notConfigurable = 0

    package var isEmpty: Bool { self == IgnoredMembers() }

    package init() {}
}
