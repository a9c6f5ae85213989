/// How the broker treats the loads of a feed. Source: docs/backends.md, "What the broker does".
package struct FeedPolicy: Hashable, Sendable {
    /// How answers are kept. Source: docs/backends.md, "Cache".
    package struct Cache: Hashable, Sendable {
        /// Milliseconds for which an answer is fresh that does not say so itself.
        package var lifetimeMs: Int
        /// Milliseconds after that for which it may be given while a new one is on its way.
        package var staleMs: Int
        /// Milliseconds for which a failure is given again.
        package var failureMs: Int

        package init(lifetimeMs: Int, staleMs: Int = 0, failureMs: Int = 0) {
            self.lifetimeMs = lifetimeMs
            self.staleMs = staleMs
            self.failureMs = failureMs
        }
    }

    /// Whether answers are everybody's, whoever asks.
    package var isShared = false
    /// Nil: nothing is kept.
    package var cache: Cache?
    /// Milliseconds after a refresh was answered in which an equal one gets the same answer.
    package var coolDownMs = 0
    /// Where an item's key stands.
    package var itemKey: JSONPointer?

    package init() {}
}
