import RefreshProtocol

/// Something of a layer that changes, as frames tell it: no references, so that looking at all of
/// them is cheap.
struct LiveMember: Sendable {
    enum Content: Sendable {
        /// The place of its number among the live ones.
        case number(Int)
        /// The place of the first of its three.
        case color(Int)
        /// What a state says; the layer's place among the programme's.
        case text(Int)
    }

    /// The place of its layer among the live ones.
    let layer: Int
    let content: Content
    /// What stands before its value: the end of one layer's object and the beginning of this one's.
    let opening: PreparedTexts.Text
    /// The same behind another member of the layer.
    let next: PreparedTexts.Text
}

/// A number that changes.
struct LiveNumber: Sendable {
    /// Parts of 1 that are told of most.
    static let fraction = 10_000.0

    let slot: Int
    /// How many parts of 1 are told of it: whole ones of a colour, else four places.
    let parts: Double
}

/// A number that the pull moves.
struct PulledNumber: Sendable {
    /// The place of its curve among those of the pull.
    let curve: Int
    /// Its place among the live ones.
    let place: Int
    /// That of its layer.
    let layer: Int
    /// What stands before it: as the first of a frame, as the first of its layer, behind another
    /// one there.
    let first: PreparedTexts.Text
    let opening: PreparedTexts.Text
    let next: PreparedTexts.Text
}
