/// A layer that can change.
struct LiveLayer: Sendable {
    /// The index of the layer in the programme.
    let index: Int
    let hasStateTexts: Bool
}
