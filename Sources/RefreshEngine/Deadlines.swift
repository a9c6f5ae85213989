package import RefreshProtocol

/// The deadlines of the engine, by reason. A deadline is part of the engine's state. The engine
/// therefore starts and cancels no timers, and its caller only needs `next`.
///
/// An unset deadline is `.never`, so `next` does not have to test for it.
package struct Deadlines: Hashable, Sendable, Codable {
    /// The time at which a gesture without further samples ends. If a finger is down, the gesture
    /// counts as cancelled. If not, the list counts as at rest.
    package var gesture = Instant.never
    /// When the refresh load times out. If no refresh load runs: when the awaited first page
    /// (`AwaitedPage`) is requested, or when the view polls its feed.
    package var refreshLoad = Instant.never
    /// The time at which the load-more edge stops waiting. While a load runs, the edge waits for
    /// the end of the load. If no load runs, a deferred request waits until the client has laid out
    /// the last content.
    package var loadMoreWait = Instant.never
    /// The time at which the current phase of the completion display ends. The completion display
    /// is what the refresh edge shows after the end of a load.
    package var completionDisplay = Instant.never
    /// The time at which the secondary page finishes its opening or closing, or closes
    /// automatically.
    package var floor = Instant.never
    /// The time at which the engine must next evaluate a released list. It is at the latest the
    /// time at which the list comes to rest.
    package var settle = Instant.never

    // The names in snapshots and journals.
    private enum CodingKeys: String, CodingKey {
        case gesture, refreshLoad, floor, settle
        case completionDisplay = "aftermath"
        case loadMoreWait = "moreLoad"
    }

    package init() {}

    /// The earliest deadline; nil if none is set.
    package var next: Instant? {
        @inline(__always) get {
            var next = gesture.microseconds
            next = Swift.min(next, refreshLoad.microseconds)
            next = Swift.min(next, loadMoreWait.microseconds)
            next = Swift.min(next, completionDisplay.microseconds)
            next = Swift.min(next, floor.microseconds)
            next = Swift.min(next, settle.microseconds)
            return next == .max ? nil : Instant(microseconds: next)
        }
    }
}
