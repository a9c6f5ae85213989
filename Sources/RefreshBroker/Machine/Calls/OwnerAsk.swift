internal import RefreshProtocol

/// The ask of this node for a load that another node performs: the owner of the request. An ask is
/// no backend call. It needs no place in the call gate and no retry budget.
struct OwnerAsk: Sendable {
    /// The number of the load (`SharedLoad`).
    let flight: UInt64
    /// The number of the load's feed.
    let feed: Int
    let owner: NodeID
    /// The cached pages that the load accepts.
    let keptPages: KeptPages
    /// The deadline of the load.
    let deadline: Instant
    /// The nodes that were asked for the load before.
    let earlier: [NodeID]
    /// Whether the owner's page has arrived. It is being read.
    var hasAnswered = false

    /// The longest silence of an owner, in milliseconds. A longer silence ends the ask.
    static var silenceMs: Double { 1000 }

    /// The time at which the ask ends if the owner, which was asked at `now`, reports nothing.
    /// It is at the latest in the middle between `now` and the deadline of the load, so that this
    /// node has time to perform the load itself.
    func timeoutOfFirstEvent(after now: Instant) -> Instant {
        let halfTimeMs = deadline.milliseconds(since: now) / 2
        return now.advanced(byMilliseconds: min(Self.silenceMs, max(0, halfTimeMs)))
    }

    /// The time at which the ask ends if the owner reports nothing after an event at `now`.
    static func timeout(after now: Instant) -> Instant { now.advanced(byMilliseconds: silenceMs) }
}
