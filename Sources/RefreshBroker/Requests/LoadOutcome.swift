/// The outcome of a brokered load. Every load ends with exactly one.
package enum LoadOutcome: Hashable, Sendable {
    case page(Page)
    case failed(LoadFailure)
    /// The last waiter left, or the daemon is stopping.
    case cancelled
    /// The deadline passed before an answer arrived.
    case timedOut

    /// Whether a backend or the cache has answered.
    package var isAnswer: Bool {
        switch self {
        case .page, .failed: true
        case .cancelled, .timedOut: false
        }
    }
}
