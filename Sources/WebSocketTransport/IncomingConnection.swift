/// A connection that was accepted and has not said anything yet.
package struct IncomingConnection: Hashable, Sendable {
    /// The peer's numeric address, without the port; empty when it has gone already.
    package var peerAddress: String
    /// The numeric address the peer connected to, without the port.
    package var localAddress: String
    /// The port the peer connected to.
    package var localPort: UInt16

    /// An arrival as given; for tests and fakes, the transport makes its own.
    package init(
        peerAddress: String = "127.0.0.1", localAddress: String = "127.0.0.1", localPort: UInt16 = 0
    ) {
        self.peerAddress = peerAddress
        self.localAddress = localAddress
        self.localPort = localPort
    }
}

/// What becomes of a connection that was just accepted.
package enum ArrivalDecision: Sendable {
    /// It may ask. `place` comes back with each of its requests, and with `TransportHandler.left`.
    case welcome(place: (any AnyObject & Sendable)?)
    /// It may ask once, only to be refused: it is closed after that answer.
    case hearOut(place: (any AnyObject & Sendable)?)
    /// It is closed at once, without a word.
    case turnAway
}
