/// The state of a view with regard to newer data in its feed. Source: docs/protocol.md, "Changes".
struct Changes: Hashable, Sendable, Codable {
    /// Whether the client was notified of newer data.
    var isNotified = false
    /// Whether a refresh for newer data waits until no finger is down, and no pull, refresh or load
    /// is in progress.
    var isPending = false
    /// Whether the running refresh delivers a change. The client is not notified of this change.
    private(set) var isAwaited = false
    /// Whether the client was notified of a change that came after the running refresh had begun.
    var isNewerThanLoad = false
    /// The load number of an invisible refresh; 0 if no invisible refresh runs.
    var silentLoad: UInt32 = 0

    // The names in snapshots and journals.
    private enum CodingKeys: String, CodingKey {
        case isNotified = "isTold"
        case isPending, isAwaited, isNewerThanLoad, silentLoad
    }

    /// Records that a refresh begins to load. The refresh delivers every change so far.
    mutating func recordRefreshStart(isChange: Bool) {
        isAwaited = isChange || isPending
        isPending = false
        isNewerThanLoad = false
    }

    /// Records that the refresh has ended.
    mutating func recordRefreshEnd() {
        isAwaited = false
        isNewerThanLoad = false
    }
}
