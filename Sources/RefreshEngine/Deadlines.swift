package import RefreshProtocol

/// When the engine wants to be asked again, by reason. Deadlines are state: there are no timers to
/// arm or cancel, only `next`.
///
/// One that is not set is `.never`, which needs no question on the way to the earliest.
package struct Deadlines: Hashable, Sendable, Codable {
    /// A gesture without a sign of life is taken as cancelled.
    package var gesture = Instant.never
    /// The refresh load has taken too long.
    package var refreshLoad = Instant.never
    /// The load-more load has taken too long. While none runs: the client has not laid out the last
    /// content in time, and a list at its end waits for that.
    package var moreLoad = Instant.never
    /// What is shown of an ended refresh has been shown long enough.
    package var aftermath = Instant.never
    /// The second floor has opened or closed, or closes by itself.
    package var floor = Instant.never
    /// The released list has come to rest.
    package var settle = Instant.never

    package init() {}

    /// The earliest; nil if none is set.
    package var next: Instant? {
        @inline(__always) get {
            var next = gesture.microseconds
            next = Swift.min(next, refreshLoad.microseconds)
            next = Swift.min(next, moreLoad.microseconds)
            next = Swift.min(next, aftermath.microseconds)
            next = Swift.min(next, floor.microseconds)
            next = Swift.min(next, settle.microseconds)
            return next == .max ? nil : Instant(microseconds: next)
        }
    }
}
