/// What a view has to tell seldom: kept together, so that the usual update asks once whether there
/// is any.
package struct RareNews: Hashable, Sendable, Codable {
    /// The second floor's state and progress.
    package var floor: (state: FloorState, progress: Double)? {
        get { floorState.map { ($0, floorProgress) } }
        set {
            floorState = newValue?.state
            floorProgress = newValue?.progress ?? 0
        }
    }
    /// Items that the list has, and whether there are more.
    package var list: (count: Int, hasMore: Bool)? {
        get { hasMore.map { (Int(listCount), $0) } }
        set {
            hasMore = newValue?.hasMore
            listCount = UInt32(clamping: newValue?.count ?? 0)
        }
    }

    /// When the list was refreshed last, `never` if that is forgotten; nil: nothing to tell.
    package var lastUpdated: Instant? {
        get { updatedAt == Self.untold ? nil : updatedAt }
        set { updatedAt = newValue ?? Self.untold }
    }

    /// Earlier than every instant.
    private static let untold = Instant(microseconds: .min)

    // In the order that leaves no gap: news wait in every view.
    private var floorProgress = 0.0
    private var updatedAt = Self.untold
    package var cues = SpokenCues()
    private var floorState: FloorState?
    /// Nil: nothing to tell of the list.
    private var hasMore: Bool?
    /// Whether there is newer data than what is shown; nil: nothing to tell.
    package var hasNewer: Bool?
    /// 32 bits, as the engine counts.
    private var listCount: UInt32 = 0

    package init() {}
}
