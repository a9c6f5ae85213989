/// A state change of a backend's circuit breaker.
package struct BreakerChange: Hashable, Sendable {
    /// The group of the feeds that use the backend.
    package let backend: String
    package let state: BreakerState

    package init(_ backend: String, _ state: BreakerState) {
        self.backend = backend
        self.state = state
    }
}
