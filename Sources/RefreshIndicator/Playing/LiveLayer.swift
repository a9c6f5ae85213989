/// A layer of which something changes.
struct LiveLayer: Sendable {
    /// Its place among the programme's layers.
    let index: Int
    let hasStateTexts: Bool
    /// The layer's name as a JSON string, with the colon behind it and the brace of its object.
    let opening: [UInt8]
}
