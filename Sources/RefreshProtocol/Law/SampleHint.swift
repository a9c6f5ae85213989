/// What a client that paints by itself says beside a sample. Source: docs/protocol.md, "The control law".
package struct SampleHint: Hashable, Sendable {
    /// The state that the client shows of the refresh edge from then on.
    package var predicted: Prediction?
    /// With `began`: the offset at which the finger came down; the sample's own is one that it came to later.
    package var origin: Double?

    package init(predicted: Prediction? = nil, origin: Double? = nil) {
        self.predicted = predicted
        self.origin = origin
    }
}
