/// An expectation of a scenario. A received message is unread until an expectation or a `skip` has
/// consumed it. Times are milliseconds.
package enum Expectation: Hashable, Sendable {
    /// For each pattern, a message that matches it arrives. The order does not matter, and other
    /// messages may arrive between these messages.
    case messages([Pattern], withinMs: Double)
    /// The next unread message matches.
    case next(Pattern, withinMs: Double)
    /// For each pattern, a message that matches it arrives, and all these messages are in one
    /// frame.
    case together([Pattern], withinMs: Double)
    /// There is no unread message, and none arrives during this time.
    case nothing(forMs: Double)
    /// No unread message matches, and no matching message arrives during this time.
    case none(Pattern, forMs: Double)
    /// The state of the view, merged from all its messages, matches now or within this time.
    case state(view: String, Pattern, withinMs: Double)
    /// The daemon closes the connection; a nil code matches any code.
    case close(code: Int?, withinMs: Double)
    /// The connection that `reconnect` has abandoned receives `sessionTaken`, and the daemon closes
    /// it.
    case fenced(withinMs: Double)

    /// The default time within which an expectation must be met.
    package static let defaultTimeoutMs = 5_000.0
    /// The default duration for which nothing may arrive.
    package static let silenceMs = 200.0
}
