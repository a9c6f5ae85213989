/// The result of checking a worker's token and the feeds that the worker names. Source:
/// docs/configuration.md, "tokens".
package enum WorkerVerdict: Hashable, Sendable {
    /// `name` is the token's name in logs.
    case admitted(name: String)
    /// The token is unknown, does not permit `work`, or does not permit these feeds.
    case unknownToken
    /// One of the feeds does not use workers.
    case feedRefused
}
