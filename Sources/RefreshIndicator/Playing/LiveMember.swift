import RefreshProtocol

/// A part of a layer that can change, as sent in frames. It contains no references, so that
/// iterating over all parts is cheap.
struct LiveMember: Sendable {
    enum Content: Sendable {
        /// The index of the number among the live numbers.
        case number(Int)
        /// The index of the first of the three numbers of the colour among the live numbers.
        case color(Int)
        /// The text of a state. The value is the index of the layer in the programme.
        case text(Int)
    }

    /// The index of the layer among the live layers.
    let layer: Int
    let content: Content
    /// The text before the value if it is the first of its layer. It ends the object of the
    /// previous layer, and begins the object of this layer.
    let opening: PreparedTexts.Text
    /// The text before the value if it follows another member of the same layer.
    let next: PreparedTexts.Text
}

/// A number that can change.
struct LiveNumber: Sendable {
    /// The precision of most numbers on the wire, in steps per 1.
    static let fraction = 10_000.0

    let slot: Int
    /// The precision on the wire, in steps per 1. It is 1 for a colour, and 10,000 (four decimal
    /// places) for all other numbers.
    let parts: Double
}

/// A layer that can change.
struct LiveLayer: Sendable {
    /// The index of the layer in the programme.
    let index: Int
    let hasStateTexts: Bool
}
