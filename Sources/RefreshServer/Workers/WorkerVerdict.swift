/// What the daemon thinks of the token that a worker shows, and of the feeds that it names.
/// Source: docs/configuration.md, "tokens".
package enum WorkerVerdict: Hashable, Sendable {
    /// `name` is how logs call the token.
    case admitted(name: String)
    /// No token that is known, or one that may not `work`, or not for these feeds.
    case unknownToken
    /// One of the feeds is not served by workers.
    case feedRefused
}
