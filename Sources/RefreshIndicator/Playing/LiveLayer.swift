/// A layer of which something changes.
struct LiveLayer: Sendable {
    /// Its place among the programme's layers.
    let index: Int
    let hasStateTexts: Bool
}
