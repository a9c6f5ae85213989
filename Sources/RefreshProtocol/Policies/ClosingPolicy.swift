/// How long a refresh that has ended stays `finishing`. The next refresh may begin at any moment,
/// because nothing waits for this state. Source: docs/protocol.md, "Policies".
package enum ClosingPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Not at all.
    case atOnce
    /// While its room closes.
    case animated
    /// Until the finger has left the list. The end is sent before the room closes.
    case atRelease
    /// Until the current step of the indicator's programme has ended.
    case atStep
}
