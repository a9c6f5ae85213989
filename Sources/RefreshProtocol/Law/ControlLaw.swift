/// The rules with which a client paints a view without a round trip, and the samples that it must
/// send to the daemon. All offsets are physical (see docs/protocol.md, "Units and signs"). Source:
/// docs/protocol.md, "The control law".
package struct ControlLaw: Hashable, Sendable, Codable {
    /// The smallest and the largest offset at which the list rests, in points.
    package var rest: ClosedRange<Double>
    package var refresh: EdgeSight
    package var loadMore: EdgeSight
    /// The offsets that trigger a sample. If the list has crossed such an offset since the last
    /// sample, the client must send a sample.
    package var crossings: [Double]
    /// The ranges in which the client must send every sample.
    package var follow: [OffsetRange]
    /// The ranges outside of which the daemon needs no samples.
    package var interest: [OffsetRange]
    /// How the list follows a finger if the client sends `pan`; nil if the law does not contain it.
    package var resistance: Resistance?

    /// The maximum rate of samples in the ranges of interest, in samples per second.
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

    /// Whether the two laws differ. Both are read in place and not changed.
    package mutating func differs(from other: inout ControlLaw) -> Bool {
        rest != other.rest || refresh != other.refresh || loadMore != other.loadMore
            || crossings != other.crossings || follow != other.follow
            || interest != other.interest || resistance != other.resistance
    }

    /// The visible behaviour of an edge.
    package enum EdgeSight: Hashable, Sendable, Codable {
        /// The view has no such edge.
        case absent
        /// The edge has the state that was last sent, and no pull is visible at it.
        case unseen
        case seen(EdgeLaw)
    }
}

/// A closed range of offsets. A bound that is nil does not limit the range.
package struct OffsetRange: Hashable, Sendable, Codable {
    package var from: Double?
    package var to: Double?

    package init(from: Double?, to: Double?) {
        self.from = from
        self.to = to
    }

    package static var everything: OffsetRange { OffsetRange(from: nil, to: nil) }
}
