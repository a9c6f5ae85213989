/// What the daemon thinks of the token that a worker shows, and of the feeds that it names.
/// Source: docs/configuration.md, "tokens".
package enum WorkerVerdict: Hashable, Sendable {
    /// `name` is how logs call the token.
    case admitted(name: String)
    /// No token that is known, or one that may not `work`.
    case unknownToken
    /// It may not work for all of these feeds.
    case feedRefused
}
