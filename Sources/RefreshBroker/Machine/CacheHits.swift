/// How often a kept answer was given without a call.
package struct CacheHits: Hashable, Sendable {
    /// Within its lifetime.
    package var fresh = 0
    /// After it, while a new one was on its way.
    package var stale = 0
    /// A failure.
    package var failure = 0
    /// A refresh that came too soon after one that was answered.
    package var coolDown = 0

    package init() {}
}
