/// The reaction of a view when its feed has newer data. Source: docs/protocol.md, "Changes".
package enum ChangePolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// No reaction.
    case ignore
    /// The view notifies the client.
    case cue
    /// The view refreshes, and only the new items are visible.
    case silent
    /// The view refreshes visibly.
    case visible
}
