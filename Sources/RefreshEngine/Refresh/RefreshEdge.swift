package import RefreshProtocol

/// The refresh edge: its phase, its request, and its state from the last loads.
///
/// Its options are in `ViewOptions`, its deadlines in `Deadlines`, its room in `InsetLedger`.
package struct RefreshEdge: Hashable, Sendable {
    // The members are ordered to avoid padding.
    package internal(set) var phase: RefreshPhase
    /// Whether the last load failed, so that it can be retried.
    var hasFailed = false
    var request = EdgeRequest()
    /// The distance in points by which a shown refresh has moved the resting list. It is 0 while no
    /// refresh is shown.
    var revealedLength = 0.0
    /// The time at which the indicator became visible.
    var shownAt = Instant.origin
    /// The time at which the last load succeeded; `never` if no load has succeeded.
    var updatedAt = Instant.never
    /// The number of items that the running load requested. It is recorded, because the paging
    /// options can change during the load.
    var size: UInt32 = 0
    /// Whether a load has ended since the last finger came down, at an edge whose option
    /// `pullsAgain` is false. If one has, no pull is visible until the next finger comes down.
    package internal(set) var isPullSpent = false
    /// Whether the requested refresh is shown with an animation.
    var animates = true

    /// Creates an edge without a load.
    init(isEnabled: Bool) { phase = isEnabled ? .idle : .disabled }

    /// The visible load that is in flight.
    package var load: LoadID? { phase.load }

    /// Whether a visible load runs or waits.
    var isBusy: Bool { phase == .waiting || load != nil }

    /// The time at which the last load succeeded; nil if no load has succeeded.
    package internal(set) var lastUpdated: Instant? {
        get { updatedAt == .never ? nil : updatedAt }
        set { updatedAt = newValue ?? .never }
    }

    /// Records that a load has ended, whether it was visible or not.
    mutating func recordEnd(_ result: LoadResult, at now: Instant) {
        hasFailed = request.recordEnd(result)
        if result.isAccepted { updatedAt = now }
    }
}
