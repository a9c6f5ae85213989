/// A layer of which something changes, and where that is found.
struct LiveLayer: Sendable {
    /// A property that changes.
    struct Member: Sendable {
        let property: LayerProperty
        /// The place of its number among the live ones; a colour's other two follow.
        let first: Int
    }

    /// Its place among the programme's layers.
    let index: Int
    let members: [Member]
    let hasStateTexts: Bool
    /// The layer's name as a JSON string, with the colon behind it and the brace of its object.
    let opening: [UInt8]
}
