/// The state of a view with regard to newer data in its feed. Source: docs/protocol.md, "Changes".
struct Changes: Hashable, Sendable {
    /// Whether the last notification to the client says that the feed has newer data.
    var isNotified = false
    /// The reasons for which the engine has work to do at the end of every event. They are bits of
    /// one byte, so that the engine needs only one comparison for each event.
    private var attention: Attention = []
    /// Whether the running refresh delivers a change. The client is notified of this change only if
    /// the refresh ends without success.
    private(set) var isAwaited = false
    /// Whether the client was notified of a change that came after the running refresh had begun.
    var isNewerThanLoad = false
    /// The load number of an invisible refresh; 0 if no invisible refresh runs.
    var silentLoad: UInt32 = 0

    private struct Attention: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let pendingChange = Attention(rawValue: 1)
        static let unread = Attention(rawValue: 2)
    }

    /// Whether the engine has work to do at the end of the current event.
    var needsAttention: Bool { !attention.isEmpty }

    /// Whether a refresh for newer data, or a poll, waits until no finger is down, and no pull,
    /// refresh or load is in progress.
    var isPending: Bool {
        get { attention.contains(.pendingChange) }
        set { set(.pendingChange, newValue) }
    }

    /// Whether the client has the feature `unread`.
    var hasUnread: Bool {
        get { attention.contains(.unread) }
        set { set(.unread, newValue) }
    }

    private mutating func set(_ reason: Attention, _ isSet: Bool) {
        if isSet { attention.insert(reason) } else { attention.remove(reason) }
    }

    /// Records that a refresh begins to load. The refresh delivers every change that was reported
    /// before.
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

/// The form in snapshots and journals. It does not contain `hasUnread`, which follows from another
/// member of the engine.
extension Changes: Codable {
    private enum CodingKeys: String, CodingKey {
        case isNotified = "isTold"
        case isPending, isAwaited, isNewerThanLoad, silentLoad
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        isNotified = try members.decode(Bool.self, forKey: .isNotified)
        isAwaited = try members.decode(Bool.self, forKey: .isAwaited)
        isNewerThanLoad = try members.decode(Bool.self, forKey: .isNewerThanLoad)
        silentLoad = try members.decode(UInt32.self, forKey: .silentLoad)
        isPending = try members.decode(Bool.self, forKey: .isPending)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(isNotified, forKey: .isNotified)
        try members.encode(isPending, forKey: .isPending)
        try members.encode(isAwaited, forKey: .isAwaited)
        try members.encode(isNewerThanLoad, forKey: .isNewerThanLoad)
        try members.encode(silentLoad, forKey: .silentLoad)
    }
}
