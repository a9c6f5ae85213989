/// How the broker treats a backend, for all its feeds together. Source: docs/backends.md, "What the
/// broker does".
package struct BackendPolicy: Hashable, Sendable {
    /// Source: docs/backends.md, "Retries".
    package struct Retry: Hashable, Sendable {
        /// Calls for one load, 1...10.
        package var attempts = 1
        package var baseMs = 100
        package var capMs = 2000
        /// Retries may be so many percent of the calls, 0...100.
        package var budgetPercent = 10

        package init() {}
    }

    /// Source: docs/backends.md, "Circuit breaker".
    package struct Breaker: Hashable, Sendable {
        /// Failures in a row that open it; 0: there is none.
        package var failures = 0
        package var openMs = 10_000

        package init() {}
    }

    /// Calls at one time, 1...10,000.
    package var calls = 64
    /// Loads that wait for a call, 0...100,000.
    package var queue = 256
    package var retry = Retry()
    package var breaker = Breaker()

    package init() {}
}
