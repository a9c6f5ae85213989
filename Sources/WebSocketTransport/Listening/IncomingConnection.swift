/// An accepted connection that has not sent anything yet.
package struct IncomingConnection: Hashable, Sendable {
    /// The peer's numeric address, without the port; empty if the peer has already disconnected.
    package var peerAddress: String
    /// The numeric address to which the peer connected, without the port.
    package var localAddress: String
    /// The port to which the peer connected.
    package var localPort: UInt16

    /// Creates a value for tests and fakes. The transport creates its own values.
    package init(
        peerAddress: String = "127.0.0.1", localAddress: String = "127.0.0.1", localPort: UInt16 = 0
    ) {
        self.peerAddress = peerAddress
        self.localAddress = localAddress
        self.localPort = localPort
    }
}

/// The decision about a connection that was just accepted.
package enum ArrivalDecision: Sendable {
    /// The connection may send requests. `place` is passed with each request, and to
    /// `TransportHandler.connectionEnded`.
    case accept(place: (any AnyObject & Sendable)?)
    /// The connection may send one request, which is refused. The connection is closed after the
    /// refusal.
    case acceptToRefuse(place: (any AnyObject & Sendable)?)
    /// The connection is closed immediately without an answer.
    case closeImmediately
}

/// The object that the handler assigned to a connection when the connection arrived. It is the same
/// for all requests of that connection.
package struct ConnectionContext: Hashable, Sendable {
    /// The object from the `ArrivalDecision`.
    package let object: (any AnyObject & Sendable)?

    package init(_ object: (any AnyObject & Sendable)? = nil) { self.object = object }

    package static func == (left: Self, right: Self) -> Bool { left.object === right.object }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(object.map { ObjectIdentifier($0) })
    }
}
