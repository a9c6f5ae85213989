/// A layer of which something changes, and where that is found.
struct LiveLayer: Sendable {
    /// Its place among the programme's layers.
    let index: Int
    /// Its slots among the live ones.
    let slots: Range<Int>
    let hasStateTexts: Bool
    /// The layer's name as a JSON string, with the colon behind it and the brace of its object.
    let opening: [UInt8]
}
