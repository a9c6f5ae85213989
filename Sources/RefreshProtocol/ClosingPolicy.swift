/// How long a refresh that ended is still `finishing`. Nothing waits for it: the next refresh may
/// begin at any moment. Source: docs/protocol.md, "Policies".
package enum ClosingPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Not at all.
    case atOnce
    /// While its room closes.
    case animated
    /// Until the finger has left the list; that it is over is told before its room closes.
    case atRelease
    /// Until the step of the indicator's programme that is under way has ended.
    case atStep
}
