import RefreshProtocol

/// What the engine itself does with the list: one thing at a time. A list that the client scrolls
/// has none.
enum Motion: Hashable, Sendable, Codable {
    /// A finger holds it that has travelled so many points, physically, against the offset.
    case held(Grip, travel: Double)
    /// It was let go, or goes where it may be. In places, as all that the engine knows.
    case flying(Flight)
    /// It follows a command, or has: known for the finger that comes in between.
    case gliding(Glide)
}
