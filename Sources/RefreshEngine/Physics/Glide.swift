import RefreshProtocol

/// A list on its way along a command that the engine takes as done. Places and times are the
/// engine's.
struct Glide: Hashable, Sendable, Codable {
    var origin: Double
    var target: Double
    var timeline: Timeline

    var end: Instant { timeline.start.advanced(byMilliseconds: timeline.duration) }

    /// Where the list is at `now`, points.
    func offset(at now: Instant) -> Double {
        guard now < end else { return target }
        let time = now.milliseconds(since: timeline.start) / timeline.duration
        return origin + (target - origin) * timeline.curve.fraction(at: time)
    }

    /// The same where places are counted from elsewhere.
    func shifted(by way: Double) -> Glide {
        Glide(origin: origin + way, target: target + way, timeline: timeline)
    }
}
