/// What a client must know to paint a view without asking, and what the daemon wants to hear of it.
/// All offsets are physical. Source: docs/protocol.md, "The control law".
package struct ControlLaw: Hashable, Sendable, Codable {
    /// The least and the largest offset at which the list rests, points.
    package var rest: ClosedRange<Double>
    package var refresh: EdgeSight
    package var loadMore: EdgeSight
    /// Offsets; a sample on another side of one than the last that was sent is wanted.
    package var crossings: [Double]
    /// Where each sample is wanted.
    package var follow: [OffsetRange]
    /// Where the daemon wants to hear of a list at all.
    package var interest: [OffsetRange]
    /// How the list follows a finger of `pan`; nil: not told.
    package var resistance: Resistance?

    /// Samples a second that are wanted at most where the daemon wants to hear of a list.
    package static let rate = 60

    package init(
        rest: ClosedRange<Double>, refresh: EdgeSight, loadMore: EdgeSight, crossings: [Double],
        follow: [OffsetRange], interest: [OffsetRange]
    ) {
        self.rest = rest
        self.refresh = refresh
        self.loadMore = loadMore
        self.crossings = crossings
        self.follow = follow
        self.interest = interest
    }

    /// Whether the other one is not the same. Both are read in place and not changed.
    package mutating func differs(from other: inout ControlLaw) -> Bool {
        rest != other.rest || refresh != other.refresh || loadMore != other.loadMore
            || crossings != other.crossings || follow != other.follow
            || interest != other.interest || resistance != other.resistance
    }

    /// What is seen of an edge.
    package enum EdgeSight: Hashable, Sendable, Codable {
        /// The view has no such edge.
        case absent
        /// Nothing of a pull is seen there: its state is what was told.
        case unseen
        case seen(EdgeLaw)
    }
}
