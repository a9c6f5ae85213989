/// What the broker tells of a load: any number of the first two, then the end, once.
package enum LoadNews: Hashable, Sendable {
    /// The backend says how far it is, 0...1.
    case progressed(Double)
    /// A call failed; attempt number `attempt` follows after a pause, milliseconds.
    case retrying(attempt: Int, afterMs: Int, LoadFailure)
    case ended(LoadOutcome)
}
