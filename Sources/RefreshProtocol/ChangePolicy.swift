/// What a view does when its feed has newer data. Source: docs/protocol.md, "Changes".
package enum ChangePolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Nothing.
    case ignore
    /// It tells the client.
    case cue
    /// It refreshes, and nothing of that is seen but the items.
    case silent
    /// It refreshes.
    case visible
}
