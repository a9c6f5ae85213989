package import RefreshProtocol

/// The behaviour of a view's load-more edge. Source: docs/protocol.md, "Profiles and edge options".
///
/// Distances are in points, and times are in whole milliseconds. The members are ordered by size,
/// which leaves no padding.
package struct LoadMoreOptions: Hashable, Sendable, Codable {
    /// A length above 0. It is the length of the zone before the threshold, in which the approach
    /// is shown, and the length of the indicator's room. With the mode `user`, it is also the
    /// distance from the end of the content to the threshold.
    package var length: Double
    /// The distance by which the threshold is moved, so that the list reaches it earlier.
    package var preload = 0.0

    /// The next page is requested when this number of items is left before the end. If the number
    /// is 0, this option has no effect.
    package var preloadItems: UInt32 = 0
    /// The time between the request for the next page and the moment at which the list would reach
    /// its end. The latency of earlier loads is added to this time. If the value is nil, this
    /// option has no effect.
    package var leadTime: UInt32? {
        @inline(__always) get { sparseLeadTime.value }
        set { sparseLeadTime.value = newValue }
    }
    private var sparseLeadTime = SparseTime()
    package var insetDuration: UInt32 = 100
    /// The time after a failed load in which gestures do not request a page. It doubles with each
    /// further failure, up to `backOffMax`.
    package var backOff: UInt32 = 0
    package var backOffMax: UInt32 = 30_000
    /// The time after which a load times out. If it is nil, the daemon's limit applies.
    package var deadline: UInt32? {
        get { sparseDeadline.value }
        set { sparseDeadline.value = newValue }
    }
    private var sparseDeadline = SparseTime()

    /// The maximum number of consecutive pages that are requested automatically because the content
    /// is short.
    package var fillPagesMax: UInt16

    package var isEnabled = true
    package var trigger = TriggerStyle.reach
    package var mode = LoadMoreMode.limit
    package var holdsInset = true
    package var rearm = RearmPolicy.content
    /// Whether a gesture requests a page only if the list moves towards its end.
    package var needsApproach = true
    package var onCancel = CancelPolicy.disarm
    /// Whether a gesture that continues at the end requests a page again after its load has failed.
    @OmittedIfUsual package var asksAgain: Bool
    /// The intents (`Intents`, kinds of input) that may load more.
    package var intents = Intents.all
    /// The policy for a load-more that is requested while a refresh runs.
    package var whileRefreshing = ConflictPolicy.reject

    package init(length: Double, fillPagesMax: UInt16 = 0) {
        self.length = length
        self.fillPagesMax = fillPagesMax
    }
}
