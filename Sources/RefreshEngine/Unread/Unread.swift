import RefreshProtocol

/// The state of a view whose client has the feature `unread`. Source: docs/protocol.md, "Unread
/// items".
struct Unread: Hashable, Sendable, Codable {
    /// The number of newer items of the feed that are not in the list.
    var newerCount = NewerCount.none
    /// The part of `newerCount` that became known after the running refresh had begun. The page of
    /// that refresh possibly lacks these items.
    var countSinceLoad = NewerCount.none
    /// Whether the newest end of the list is out of sight.
    var isAway = false
    /// The name of the item up to which the user has read.
    var readMark: String?
    /// The `reveal` that is in progress.
    var reveal: Reveal?
}

/// A `reveal` that is in progress.
///
/// ```
/// ready ──▶ loading ──▶ layingOut ──▶ ready ──▶ … ──▶ the list moves
/// ```
struct Reveal: Hashable, Sendable, Codable {
    enum Target: Hashable, Sendable, Codable {
        /// The end where reading begins, which is the newest end.
        case start
        case end
        /// The item whose name has this hash.
        case item(UInt64)
    }

    enum Step: Hashable, Sendable, Codable {
        /// The reveal waits for nothing. The engine now decides the next step: a load, a movement
        /// or the end.
        case ready
        /// The load for the reveal is in progress, or waits for its turn.
        case loading
        /// The client lays out a page. After `until`, the reveal continues without the layout.
        case layingOut(until: Instant)
    }

    var target: Target
    var isAnimated: Bool
    /// The number of pages that the reveal may still load.
    var pagesLeft: Int
    var step = Step.ready
    /// The result of the load that has ended last.
    var result: LoadResult?
    /// Where the item begins, in points from the physical beginning of the content; nil if this is
    /// not known.
    var position: Double?
    /// Whether the client has laid out its content since the last load ended.
    var isLaidOut = false
}
