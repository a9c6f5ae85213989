/// How often a cached answer was returned without a call.
package struct CacheHits: Hashable, Sendable {
    /// Pages within their lifetime.
    package var fresh = 0
    /// Pages after their lifetime, while they are revalidated.
    package var stale = 0
    /// Failures.
    package var failure = 0
    /// Refreshes that came too soon after an answered one.
    package var coolDown = 0

    package init() {}
}
