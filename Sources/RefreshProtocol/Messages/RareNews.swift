/// What a view has to tell seldom: kept together, so that the usual update asks once whether there is any.
package struct RareNews: Hashable, Sendable {
    /// The second floor's state and progress.
    package var floor: (state: FloorState, progress: Double)? {
        get { floorState.map { ($0, floorProgress) } }
        set {
            floorState = newValue?.state
            floorProgress = newValue?.progress ?? 0
        }
    }
    private var floorState: FloorState?
    private var floorProgress = 0.0

    /// Items that the list has, and whether there are more.
    package var list: (count: Int, hasMore: Bool)? {
        get { hasList ? (listCount, hasMore) : nil }
        set {
            hasList = newValue != nil
            listCount = newValue?.count ?? 0
            hasMore = newValue?.hasMore ?? false
        }
    }
    private var hasList = false
    private var hasMore = false
    private var listCount = 0

    /// Whether there is newer data than what is shown; nil: nothing to tell.
    package var hasNewer: Bool?
    package var cues = SpokenCues()
    /// When the list was refreshed last, `never` if that is forgotten; nil: nothing to tell.
    package var lastUpdated: Instant?

    package init() {}
}
