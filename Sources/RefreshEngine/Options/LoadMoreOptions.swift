package import RefreshProtocol

/// The behaviour of a view's load-more edge. Source: docs/protocol.md, "Profiles and edge options".
///
/// Distances are in points, times in whole milliseconds. The members are ordered by size, which
/// leaves no padding.
package struct LoadMoreOptions: Hashable, Sendable, Codable {
    /// The length of the zone in which the approach to the threshold is shown, and of the
    /// indicator's room; above 0.
    package var length: Double
    /// The distance by which the threshold is moved earlier.
    package var preload = 0.0

    /// The number of items before the end at which the next page is requested. If it is 0, only the
    /// distance counts.
    package var preloadItems: UInt32 = 0
    /// The time before the list reaches its end at which the next page is requested. The latency of
    /// earlier loads is added to this time. If it is nil, only the distance counts.
    package var leadTime: UInt32? {
        @inline(__always) get { sparseLeadTime.value }
        set { sparseLeadTime.value = newValue }
    }
    private var sparseLeadTime = SparseTime()
    package var insetDuration: UInt32 = 100
    /// The time after a failure in which no gesture requests again; it doubles with each further
    /// failure.
    package var backOff: UInt32 = 0
    package var backOffMax: UInt32 = 30_000
    /// The time after which a load times out; nil: the daemon's limit.
    package var deadline: UInt32? {
        get { sparseDeadline.value }
        set { sparseDeadline.value = newValue }
    }
    private var sparseDeadline = SparseTime()

    /// The maximum number of consecutive pages that short content may request automatically.
    package var fillPagesMax: UInt16

    package var isEnabled = true
    package var trigger = TriggerStyle.reach
    package var mode = LoadMoreMode.limit
    package var holdsInset = true
    package var rearm = RearmPolicy.content
    /// Whether the list must move towards its end for a request.
    package var needsApproach = true
    package var onCancel = CancelPolicy.disarm
    /// Whether a gesture that continues at the end requests a page again whose load failed.
    @OmittedIfUsual package var asksAgain: Bool
    /// The intents that may load more.
    package var intents = Intents.all
    /// The effect of a load-more on a running refresh.
    package var whileRefreshing = ConflictPolicy.reject

    package init(length: Double, fillPagesMax: UInt16 = 0) {
        self.length = length
        self.fillPagesMax = fillPagesMax
    }
}
