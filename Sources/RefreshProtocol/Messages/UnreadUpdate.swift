/// The changes of a view that only clients with the feature `unread` receive. Source:
/// docs/protocol.md, "Unread items".
package struct UnreadUpdate: Hashable, Sendable, Codable {
    package var newerCount: NewerCount?
    /// Whether the newest end of the list is out of sight.
    package var isAway: Bool?
    package var revealed: RevealResult?
    /// The name of the item up to which the user has read.
    package var readMark: String?

    /// The maximum number of bytes of a read mark. Every snapshot of the session contains the read
    /// mark.
    package static let readMarkBytesMax = 128

    package init() {}
}
