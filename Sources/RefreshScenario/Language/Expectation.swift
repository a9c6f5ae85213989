/// What a scenario wants to see. Times are milliseconds.
package enum Expectation: Hashable, Sendable {
    /// All of `messages` come in any order, perhaps after others.
    case messages([Pattern], withinMs: Double)
    /// The very next unread message matches.
    case next(Pattern, withinMs: Double)
    /// All of `messages` come in one frame.
    case together([Pattern], withinMs: Double)
    /// Nothing is unread and nothing comes.
    case nothing(forMs: Double)
    /// No unread message matches and none comes.
    case none(Pattern, forMs: Double)
    /// What the view's messages add up to matches, now or in time.
    case state(view: String, Pattern, withinMs: Double)
    /// The daemon closes; nil: with any code.
    case close(code: Int?, withinMs: Double)
    /// The connection that was left behind is told so, and closed.
    case fenced(withinMs: Double)

    /// How long an expectation waits unless it says so.
    package static let patienceMs = 5_000.0
    /// How long silence is listened to unless it is said.
    package static let silenceMs = 200.0
}
