import RefreshProtocol

/// A movement of the list that follows an offset command. The engine assumes that the client
/// performs the command. The movement is expressed in places and in instants of the engine.
struct Glide: Hashable, Sendable, Codable {
    var origin: Double
    var target: Double
    var timeline: Timeline
    /// True if a reveal brings the start of the list into sight.
    var revealsStart: Bool?

    var end: Instant { timeline.start.advanced(byMilliseconds: timeline.duration) }

    /// The list's place at `now`, in points.
    func offset(at now: Instant) -> Double {
        guard now < end else { return target }
        let time = now.milliseconds(since: timeline.start) / timeline.duration
        return origin + (target - origin) * timeline.curve.fraction(at: time)
    }

    /// The same glide, with both of its places moved by `distance`.
    func shifted(by distance: Double) -> Glide {
        Glide(
            origin: origin + distance, target: target + distance, timeline: timeline,
            revealsStart: revealsStart)
    }
}

/// The engine's own movement of the list. A list that the client scrolls has no such movement. A
/// flight and a glide are rare. They are stored apart, because there are many views.
enum Motion: Hashable, Sendable, Codable {
    /// A finger holds the list. `travel` is its physical travel in points; positive travel
    /// decreases the offset.
    case held(DragAnchor, travel: Double)
    /// The list was released, or returns into its range. The flight is in places, not in physical
    /// offsets.
    indirect case flying(Flight)
    /// The list follows a command, or has followed it. The glide is kept after its end, because a
    /// finger can still interrupt the movement on the client's screen.
    indirect case gliding(Glide)
}
