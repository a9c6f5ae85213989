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
    /// The time after which this node performs the load itself, even if the owner still reports
    /// events. It is in the middle between the ask and the deadline of the load.
    let until: Instant
    /// The nodes that were asked for the load before.
    let earlier: [NodeID]

    /// The longest silence of an owner, in milliseconds. A longer silence ends the ask.
    static var silenceMs: Double { 1000 }

    /// The time at which the ask ends, if the owner reports nothing after `now`.
    func timeout(after now: Instant) -> Instant {
        min(now.advanced(byMilliseconds: Self.silenceMs), until)
    }
}
