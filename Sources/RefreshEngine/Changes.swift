/// What a view knows of newer data in its feed. Source: docs/protocol.md, "Changes".
struct Changes: Hashable, Sendable, Codable {
    /// Whether the client was told that there is newer data.
    var isTold = false
    /// Whether a refresh by a change waits for the view to rest.
    var isPending = false
    /// Whether the refresh that runs is to bring a change which the client was not told of.
    private(set) var isAwaited = false
    /// Whether the client was told of a change that came after the refresh which runs had begun.
    var isNewerThanLoad = false
    /// The number of the load of a refresh that is not seen; 0: none runs.
    var silentLoad: UInt32 = 0

    /// A refresh begins to load, which brings all that changed before.
    mutating func refreshBegins(isChange: Bool) {
        isAwaited = isChange || isPending
        isPending = false
        isNewerThanLoad = false
    }

    /// It has ended.
    mutating func refreshEnded() {
        isAwaited = false
        isNewerThanLoad = false
    }
}
