package import RefreshProtocol

/// Identifies the session, the view and the edit that wait for an outcome. It is a value and may
/// cross threads.
package struct EditTicket: Hashable, Sendable {
    package var session: SessionKey
    /// The generation of the view.
    package var view: UInt32
    /// The client's name for the edit.
    package var edit: String

    package init(session: SessionKey, view: UInt32, edit: String) {
        self.session = session
        self.view = view
        self.edit = edit
    }
}
