/// An order to move the content offset along the axis.
///
/// A value of few bytes even for a flight: what the wire tells of it is worked out when it is told.
package struct OffsetCommand: Hashable, Sendable, Codable {
    /// How the list gets there.
    package enum Way: Hashable, Sendable, Codable {
        /// From wherever it is to `target`, points.
        case glide(target: Double, Timeline)
        /// Along the way of a list that was let go.
        case flight(Flight)
    }

    package let way: Way

    package init(target: Double, timeline: Timeline) {
        way = .glide(target: target, timeline)
    }

    package init(_ flight: Flight) {
        way = .flight(flight)
    }

    /// The offset that the list comes to rest at, points.
    package var target: Double {
        switch way {
        case .glide(let target, _): target
        case .flight(let flight): flight.rest
        }
    }

    package var start: Instant {
        switch way {
        case .glide(_, let timeline): timeline.start
        case .flight(let flight): flight.start
        }
    }

    /// Milliseconds; 0 moves at once.
    package var duration: Double {
        switch way {
        case .glide(_, let timeline): timeline.duration
        case .flight(let flight): flight.duration
        }
    }
}
