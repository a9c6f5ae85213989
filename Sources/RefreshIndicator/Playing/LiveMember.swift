import RefreshProtocol

/// A member that frames can contain: a number, a colour or a text of a layer. The type contains no
/// references, so that iterating over all members is cheap.
struct LiveMember: Sendable {
    enum Content: Sendable {
        /// The index of the number among the numbers that can change (`liveNumbers`).
        case number(Int)
        /// The index of the colour's first number among the numbers that can change. The colour has
        /// three numbers.
        case color(Int)
        /// The text of the layer in the current state. The value is the index of the layer in the
        /// programme.
        case text(Int)
    }

    /// The index of the layer among the layers that can change (`liveLayers`).
    let layer: Int
    let content: Content
    /// The JSON text before the value if the value is the first of its layer. The text ends the
    /// object of the previous layer, and begins the object of this layer.
    let opening: PreparedTexts.Text
    /// The JSON text before the value if the value follows another member of the same layer.
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
