/// Something of a layer that changes, as frames tell it: no references, so that looking at all of them is cheap.
struct LiveMember: Sendable {
    enum Content: Sendable {
        /// The place of its number among the live ones.
        case number(LayerProperty, Int)
        /// The place of the first of its three.
        case color(Int)
        /// What a state says.
        case text
    }

    /// The place of its layer among the live ones.
    let layer: Int
    let content: Content
}

/// A number that changes.
struct LiveNumber: Sendable {
    let slot: Int
    /// How many parts of 1 are told of it: whole ones of a colour, else four places.
    let parts: Double
}
