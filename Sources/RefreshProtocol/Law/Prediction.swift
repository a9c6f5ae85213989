/// The state of the refresh edge that a client shows before it has received it. Source:
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
