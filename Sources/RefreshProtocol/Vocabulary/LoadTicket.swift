/// Identifies the session, the view and the load that wait for an answer. It is a value and may
/// cross threads. The broker knows this module, so that the compiler can specialize it for tickets.
package struct LoadTicket: Hashable, Sendable {
    package var session: SessionKey
    package var view: ViewID
    package var load: LoadID

    package init(session: SessionKey, view: ViewID, load: LoadID) {
        self.session = session
        self.view = view
        self.load = load
    }
}
