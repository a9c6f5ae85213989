/// An event of a load: any number of the first two, then `ended` exactly once.
package enum LoadEvent: Hashable, Sendable {
    /// The backend reports its progress, 0...1.
    case progressed(Double)
    /// A call failed. Attempt number `attempt` follows after a pause in milliseconds.
    case retrying(attempt: Int, afterMs: Int, LoadFailure)
    case ended(LoadOutcome)
}
