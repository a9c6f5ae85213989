/// The infrequent changes of a view. They are grouped so that the usual update needs only one test
/// for all of them.
package struct InfrequentUpdate: Hashable, Sendable, Codable {
    /// The second floor's state and progress.
    package var floor: (state: FloorState, progress: Double)? {
        get { floorState.map { ($0, floorProgress) } }
        set {
            floorState = newValue?.state
            floorProgress = newValue?.progress ?? 0
        }
    }
    /// The number of items in the list, and whether there are more.
    package var list: (count: Int, hasMore: Bool)? {
        get { hasMore.map { (Int(listCount), $0) } }
        set {
            hasMore = newValue?.hasMore
            listCount = UInt32(clamping: newValue?.count ?? 0)
        }
    }

    /// The time of the last refresh, or `never` if it was reset; nil if there is nothing to send.
    package var lastUpdated: Instant? {
        get { updatedAt == Self.nothingToSend ? nil : updatedAt }
        set { updatedAt = newValue ?? Self.nothingToSend }
    }

    /// The command to move the list. It is coded as a member of `ViewUpdate`.
    var offset: OffsetCommand?
    /// The changes that only a client with the feature `unread` receives.
    package var unread: UnreadUpdate? {
        get { unreadBox?.value }
        set { unreadBox = newValue.map { Boxed($0) } }
    }

    /// Earlier than every other instant.
    private static let nothingToSend = Instant(microseconds: .min)

    // The members are ordered to leave no padding, because each view contains a value of this type.
    private var floorProgress = 0.0
    private var updatedAt = Self.nothingToSend
    package var cues = SpokenCues()
    private var floorState: FloorState?
    /// Nil: nothing to send about the list.
    private var hasMore: Bool?
    /// Whether the feed has newer data than the client shows; nil if there is nothing to send.
    package var hasNewer: Bool?
    /// Nil: nothing to send. Few clients have the feature `unread`.
    private var unreadBox: Boxed<UnreadUpdate>?
    /// The count has 32 bits, like the counts of the engine.
    private var listCount: UInt32 = 0

    // The names of the properties in journals.
    private enum CodingKeys: String, CodingKey {
        case floorProgress, updatedAt, cues, floorState, hasMore, hasNewer, unreadBox, listCount
    }

    package init() {}
}
