/// The additional information that a client sends with a sample when it paints locally. Source:
/// docs/protocol.md, "The control law".
package struct SampleHint: Hashable, Sendable {
    /// The predicted state of the refresh edge. Beginning with this sample, the client shows this
    /// state.
    package var predicted: Prediction?
    /// The last position that the list had earlier than the sample. Possibly the client has not
    /// sent this position to the daemon. In a scroll sample with the phase `began`, it is the
    /// position of the list when the finger touched the list.
    package var origin: Double?

    package init(predicted: Prediction? = nil, origin: Double? = nil) {
        self.predicted = predicted
        self.origin = origin
    }
}

/// A state of the refresh edge that a client shows before the daemon has sent this state. Source:
/// docs/protocol.md, "What a local client predicts".
package enum Prediction: String, CaseIterable, WireNamed, Sendable {
    case idle
    case pulling
    case eligible
    case refreshing

    package var state: EdgeState {
        switch self {
        case .idle: .idle
        case .pulling: .pulling
        case .eligible: .eligible
        case .refreshing: .refreshing
        }
    }
}
