/// What a client of a load test has received of the list of one view.
struct ReceivedList {
    /// The maximum number of loads with which a load is compared. If there are more, the oldest are
    /// dropped. Each frame with items also has a snapshot, so a daemon that rebuilds the session
    /// from the last snapshot can repeat only the newest loads.
    static let loadsMax = 64

    /// The load whose items came last; nil if the view has no items.
    private(set) var lastLoad: String?
    /// The `seq` of the client's last message that discards the pages. Nil if there is none, or if
    /// a first page has replaced the list since.
    var discardedBy: Int?
    /// The loads whose items came, the newest last.
    private var loads: [String] = []
    private var count = 0
    /// Whether a first page has come since the last comparison.
    private var isReplaced = false

    /// The limit of the sum of the counts, so that it cannot overflow.
    private static let countMax = Int.max / 4

    /// Applies `items` with `count` items. Every `mode` except `replace` adds a page to the list.
    /// Returns whether the items of this load came before.
    mutating func apply(load: String, mode: String?, count added: Int) -> Bool {
        let isRepeated = loads.contains(load)
        if !isRepeated { loads.append(load) }
        if loads.count > Self.loadsMax { loads.removeFirst() }
        lastLoad = load
        isReplaced = isReplaced || mode == "replace"
        count = min((mode == "replace" ? 0 : count) + added, Self.countMax)
        return isRepeated
    }

    /// Compares the list with the number of items that the daemon counts, after a whole frame was
    /// applied. `ack` is the last `seq` that the daemon has handled. Returns whether the client has
    /// these items. An empty list is right if the daemon has handled a message that discards the
    /// pages: the client shows its items until a first page replaces them.
    mutating func matches(daemonCount: Int, ack: Int) -> Bool {
        defer { isReplaced = false }
        let isDiscarded = discardedBy.map { $0 <= ack } ?? false
        if daemonCount == count {
            if isReplaced, isDiscarded { discardedBy = nil }
            return true
        }
        if daemonCount == 0, isDiscarded { return true }
        count = daemonCount
        return false
    }

    /// Records that the session has no page of this view, so that the client reports no load of it.
    mutating func forgetLastLoad() { lastLoad = nil }
}
