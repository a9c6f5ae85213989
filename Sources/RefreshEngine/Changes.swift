/// The state of a view with regard to newer data in its feed. Source: docs/protocol.md, "Changes".
struct Changes: Hashable, Sendable {
    /// Whether the last notification to the client says that the feed has newer data.
    var isNotified = false
    /// The reasons for which the engine has work to do at the end of every event. They are bits of
    /// one byte, so that the engine needs only one comparison for each event.
    private var attention: Attention = []
    /// What is known of the running refresh, and of the arrivals that are held back.
    private var course: Course = []
    /// The number of arrivals that are held back.
    private(set) var heldCount: UInt8 = 0
    /// The load number of an invisible refresh; 0 if no invisible refresh runs.
    var silentLoad: UInt32 = 0

    private struct Attention: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let pendingChange = Attention(rawValue: 1)
        static let unread = Attention(rawValue: 2)
        static let operations = Attention(rawValue: 4)
        static let held = Attention(rawValue: 8)
    }

    private struct Course: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let awaited = Course(rawValue: 1)
        static let outrun = Course(rawValue: 2)
        static let release = Course(rawValue: 4)
    }

    /// Whether the running refresh delivers a change. The client is notified of this change only if
    /// the refresh ends without success.
    private(set) var isAwaited: Bool {
        get { course.contains(.awaited) }
        set { set(.awaited, newValue) }
    }

    /// Whether the client was notified of a change that came after the running refresh had begun.
    var isNewerThanLoad: Bool {
        get { course.contains(.outrun) }
        set { set(.outrun, newValue) }
    }

    /// Whether the arrivals that are held back are shown as soon as operations may be applied.
    var mustRelease: Bool {
        get { course.contains(.release) }
        set { set(.release, newValue) }
    }

    private mutating func set(_ fact: Course, _ isSet: Bool) {
        if isSet { course.insert(fact) } else { course.remove(fact) }
    }

    /// Whether the feed has newer data than the client shows.
    var hasNewer: Bool { isNotified || heldCount > 0 }

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

    /// Whether operations on items wait until the list rests.
    var hasOperations: Bool {
        get { attention.contains(.operations) }
        set { set(.operations, newValue) }
    }

    /// Records the number of arrivals that are held back.
    mutating func hold(_ count: Int) {
        heldCount = UInt8(clamping: count)
        guard count == 0 else { return }
        watchesArrivals = false
        mustRelease = false
    }

    /// Whether the movement of the list can release the arrivals that are held back.
    var watchesArrivals: Bool {
        get { attention.contains(.held) }
        set { set(.held, newValue) }
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

/// The form in snapshots and journals. It does not contain `hasUnread` and `watchesArrivals`, which
/// follow from other members of the engine.
extension Changes: Codable {
    private enum CodingKeys: String, CodingKey {
        case isNotified = "isTold"
        case isPending, isAwaited, isNewerThanLoad, silentLoad, hasOperations, heldCount
        case mustRelease
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        isNotified = try members.decode(Bool.self, forKey: .isNotified)
        isAwaited = try members.decode(Bool.self, forKey: .isAwaited)
        isNewerThanLoad = try members.decode(Bool.self, forKey: .isNewerThanLoad)
        silentLoad = try members.decode(UInt32.self, forKey: .silentLoad)
        isPending = try members.decode(Bool.self, forKey: .isPending)
        hasOperations = try members.decodeIfPresent(Bool.self, forKey: .hasOperations) ?? false
        hold(Int(try members.decodeIfPresent(UInt8.self, forKey: .heldCount) ?? 0))
        mustRelease = try members.decodeIfPresent(Bool.self, forKey: .mustRelease) ?? false
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(isNotified, forKey: .isNotified)
        try members.encode(isPending, forKey: .isPending)
        try members.encode(isAwaited, forKey: .isAwaited)
        try members.encode(isNewerThanLoad, forKey: .isNewerThanLoad)
        try members.encode(silentLoad, forKey: .silentLoad)
        if hasOperations { try members.encode(true, forKey: .hasOperations) }
        if heldCount > 0 { try members.encode(heldCount, forKey: .heldCount) }
        if mustRelease { try members.encode(true, forKey: .mustRelease) }
    }
}
