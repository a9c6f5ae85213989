import RefreshProtocol

/// The engine's own movement of the list. A list that the client scrolls has none.
enum Motion: Hashable, Sendable, Codable {
    /// A finger holds the list after it has travelled this many points, physically, against the
    /// offset.
    case held(DragAnchor, travel: Double)
    /// The list was released, or returns into its range. In places, like all of the engine's
    /// values.
    case flying(Flight)
    /// The list follows a command, or has followed it. It is kept for a finger that interrupts the
    /// movement.
    case gliding(Glide)
}
