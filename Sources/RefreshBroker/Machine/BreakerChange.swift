/// A backend is asked from now on, or is not.
package struct BreakerChange: Hashable, Sendable {
    /// The group of the feeds that it stands behind.
    package let backend: String
    package let state: BreakerState

    package init(_ backend: String, _ state: BreakerState) {
        self.backend = backend
        self.state = state
    }
}
