/// A command to move the content offset along the axis.
///
/// Even the command for a flight takes little memory, because its wire form is computed only when
/// it is sent.
package struct OffsetCommand: Hashable, Sendable, Codable {
    /// How the list reaches its target.
    package enum Movement: Hashable, Sendable, Codable {
        /// The list glides from its current offset to `target`, in points.
        case glide(target: Double, Timeline)
        /// The list moves as it would move after a finger has released it.
        case flight(Flight)
    }

    package let movement: Movement

    // The name of the member in journals.
    private enum CodingKeys: String, CodingKey {
        case movement = "way"
    }

    package init(target: Double, timeline: Timeline) {
        movement = .glide(target: target, timeline)
    }

    package init(_ flight: Flight) {
        movement = .flight(flight)
    }

    /// The offset at which the list comes to rest, in points.
    package var target: Double {
        switch movement {
        case .glide(let target, _): target
        case .flight(let flight): flight.rest
        }
    }

    package var start: Instant {
        switch movement {
        case .glide(_, let timeline): timeline.start
        case .flight(let flight): flight.start
        }
    }

    /// The duration in milliseconds; 0: the list moves immediately.
    package var duration: Double {
        switch movement {
        case .glide(_, let timeline): timeline.duration
        case .flight(let flight): flight.duration
        }
    }
}
