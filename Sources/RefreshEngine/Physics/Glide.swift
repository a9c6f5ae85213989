import RefreshProtocol

/// A movement of the list along a command that the engine assumes to be performed. Places and times
/// are the engine's.
struct Glide: Hashable, Sendable, Codable {
    var origin: Double
    var target: Double
    var timeline: Timeline

    var end: Instant { timeline.start.advanced(byMilliseconds: timeline.duration) }

    /// The list's place at `now`, points.
    func offset(at now: Instant) -> Double {
        guard now < end else { return target }
        let time = now.milliseconds(since: timeline.start) / timeline.duration
        return origin + (target - origin) * timeline.curve.fraction(at: time)
    }

    /// The same glide after the origin of places has moved by `way`.
    func shifted(by way: Double) -> Glide {
        Glide(origin: origin + way, target: target + way, timeline: timeline)
    }
}
