/// The kind of input behind a movement or request. Source: docs/protocol.md, "Policies".
package enum Intent: String, CaseIterable, WireNamed, Sendable, Codable {
    /// A finger on the list, or its release.
    case finger
    /// The inertia after the finger has left the list.
    case fling
    case wheel
    case key
    case accessibility
    /// The program.
    case code
    case retry
}
