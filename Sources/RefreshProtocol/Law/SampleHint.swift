/// What a client that paints by itself says beside a sample. Source: docs/protocol.md, "The control
/// law".
package struct SampleHint: Hashable, Sendable {
    /// The state that the client shows of the refresh edge from then on.
    package var predicted: Prediction?
    /// Where the list was before the sample: the daemon may not have heard. With `began` of a
    /// scroll: where the finger came down.
    package var origin: Double?

    package init(predicted: Prediction? = nil, origin: Double? = nil) {
        self.predicted = predicted
        self.origin = origin
    }
}
