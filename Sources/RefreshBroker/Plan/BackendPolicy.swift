/// The broker's policy for a backend, shared by all its feeds. Source: docs/backends.md, "What the
/// broker does".
package struct BackendPolicy: Hashable, Sendable {
    /// The retry policy. Source: docs/backends.md, "Retries".
    package struct Retry: Hashable, Sendable {
        /// The maximum number of calls for one load, 1...10.
        package var attempts = 1
        package var baseMs = 100
        package var capMs = 2000
        /// The maximum number of retries, in percent of the first calls of loads, 0...100.
        package var budgetPercent = 10

        package init() {}
    }

    /// The circuit breaker policy. Source: docs/backends.md, "Circuit breaker".
    package struct Breaker: Hashable, Sendable {
        /// The number of consecutive failures that opens the breaker; 0 disables it.
        package var failures = 0
        package var openMs = 10_000

        package init() {}
    }

    /// The maximum number of concurrent calls, 1...10,000.
    package var calls = 64
    /// The maximum number of loads queued for a call, 0...100,000.
    package var queue = 256
    package var retry = Retry()
    package var breaker = Breaker()

    package init() {}
}
