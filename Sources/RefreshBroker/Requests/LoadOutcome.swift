/// How a brokered load ended. Every load ends with exactly one of these.
package enum LoadOutcome: Hashable, Sendable {
    case page(Page)
    case failed(LoadFailure)
    /// Its last waiter left, or the daemon stops.
    case cancelled
    /// The deadline passed before an answer.
    case timedOut

    /// Whether a backend, or what was kept of it, has answered.
    package var isAnswer: Bool {
        switch self {
        case .page, .failed: true
        case .cancelled, .timedOut: false
        }
    }
}
