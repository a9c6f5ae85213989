package import RefreshProtocol

/// Which view of which session waits for a load; crosses threads by value.
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
