/// Why the daemon refuses an edit without asking the backend. Source: docs/protocol.md, "Edits".
package enum EditRefusal: String, CaseIterable, WireNamed, Sendable {
    /// The client has undone the edit.
    case undone
    case editNotAccepted
    case tooManyEdits

    package var message: String {
        switch self {
        case .undone: "The edit was undone."
        case .editNotAccepted: "The feed does not accept this operation."
        case .tooManyEdits: "Too many edits of the view have no answer yet."
        }
    }

    /// Whether the same operation may succeed later.
    package var isTemporary: Bool { self == .tooManyEdits }
}
