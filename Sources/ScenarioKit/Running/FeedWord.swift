/// An event from the backend of a feed that a scenario can simulate.
package enum FeedEvent: Hashable, Sendable {
    /// The feed has newer data.
    case changed
    /// The progress of its running loads, 0...1.
    case progress(Double)
    /// A call of its running loads failed. The next attempt follows after this time, in
    /// milliseconds.
    case retrying(afterMs: Double)
}
