package import RefreshProtocol

/// How the load-more edge of a view behaves. Source: docs/protocol.md, "Profiles and edge options".
///
/// Distances are points, times milliseconds in whole numbers. In order of size, which leaves no
/// gap.
package struct LoadMoreOptions: Hashable, Sendable, Codable {
    /// The way over which the end approaches, and the indicator's room; above 0.
    package var length: Double
    /// By how much the threshold lies nearer.
    package var preload = 0.0

    /// So many items before the end the next page is asked for; 0: by distance alone.
    package var preloadItems: UInt32 = 0
    /// The time before the end is reached, beyond what a load has taken so far, at which the next
    /// page is asked for; nil: by distance alone.
    package var leadTime: UInt32? {
        @inline(__always) get { sparseLeadTime.value }
        set { sparseLeadTime.value = newValue }
    }
    private var sparseLeadTime = SparseTime()
    package var insetDuration: UInt32 = 100
    /// The time after a failure in which no gesture asks again; it doubles with each further one.
    package var backOff: UInt32 = 0
    package var backOffMax: UInt32 = 30_000
    /// The time after which a load has taken too long; nil: the daemon's limit.
    package var deadline: UInt32? {
        get { sparseDeadline.value }
        set { sparseDeadline.value = newValue }
    }
    private var sparseDeadline = SparseTime()

    /// Pages in a row that a short content may ask for by itself.
    package var fillPagesMax: UInt16

    package var isEnabled = true
    package var trigger = TriggerStyle.reach
    package var mode = LoadMoreMode.limit
    package var holdsInset = true
    package var rearm = RearmPolicy.content
    /// Whether the list must move towards its end to ask.
    package var needsApproach = true
    package var onCancel = CancelPolicy.disarm
    /// Whether a gesture that goes on at the end asks again where the last page failed.
    @OmittedIfUsual package var asksAgain: Bool
    /// Who may load more.
    package var intents = Intents.all
    /// What a load-more does to a refresh that runs.
    package var whileRefreshing = ConflictPolicy.reject

    package init(length: Double, fillPagesMax: UInt16 = 0) {
        self.length = length
        self.fillPagesMax = fillPagesMax
    }
}
