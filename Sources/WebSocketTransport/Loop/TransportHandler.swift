/// Receives the events of a loop. There is one handler per loop. Every method is called on the
/// loop's thread and must not block.
package protocol TransportHandler: AnyObject {
    /// A connection was accepted. If the result is not `closeImmediately`, `connectionEnded` is
    /// called later.
    func connectionAccepted(_ arrival: IncomingConnection) -> ArrivalDecision

    /// An accepted connection has ended, in any state. Called exactly once for each connection that
    /// was not closed by `closeImmediately`.
    func connectionEnded(_ place: ConnectionContext)

    /// The head or the body of a request did not arrive in time. The connection will be cut.
    func headTimedOut()

    /// A connection cannot be accepted. If possible, the returned answer is sent without reading
    /// the request. If the result is nil, the connection is closed without an answer.
    func acceptFailureResponse(for shortage: AcceptFailure) -> HTTPResponse?

    /// The lower-case names of the additional upgrade headers that `admit` needs. The loop reads
    /// this property before each upgrade. Keep the list short, because each header costs a search.
    var capturedHeaderNames: [String] { get }

    /// Returns the decision about a well-formed WebSocket upgrade request. The handler must check
    /// path, origin, host and capacity.
    func admit(_ request: UpgradeRequest) -> UpgradeDecision

    /// The connection of an accepted upgrade is open, and messages may be sent.
    func opened(_ connection: Connection)

    /// A complete message was received. The span is valid only during the call. The bytes of a text
    /// message are valid UTF-8.
    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection)

    /// A piece of `bytes` bytes of an incomplete message was received. The piece is kept in memory
    /// until the message is complete.
    func buffered(bytes: Int)

    /// A message was refused because of `breach`, and the connection will be closed. The handler
    /// may send a last message and close the connection itself, with the same code.
    func messageRefused(_ breach: MessageBreach, on connection: Connection)

    /// A complete message arrived after this side had closed the connection. The message is
    /// dropped.
    func messageDropped(on connection: Connection)

    /// The peer has begun to close the connection with this code and reason. The transport answers
    /// the close frame, and `closed` follows. The code is 1005 if the frame has none. Not called if
    /// this side has already sent a close frame.
    func closeReceived(code: UInt16, reason: String, on connection: Connection)

    /// The transport refused an upgrade with `status`, before `admit` was called.
    func upgradeRefused(status: Int)
    /// A tick has occurred. The time between two ticks is about a twenty-fifth of
    /// `LoopConfiguration.pingAfterMs`, by default one second. Not called while there are no
    /// connections.
    func ticked()

    /// The connection can accept a frame, as requested by `Connection.requestWritable`.
    func becameWritable(_ connection: Connection)

    /// The connection is closed. Called exactly once for each `opened`, as the last call for it.
    func closed(_ connection: Connection)

    /// Returns the decision about a request with a body that is not an upgrade. Called only for a
    /// `POST`, after its head and before its body is read. `request` has no body yet.
    func bodyDecision(for request: HTTPRequest) -> BodyDecision

    /// Returns the answer to an HTTP request that is not an upgrade. The method is GET, HEAD, POST
    /// or DELETE. If the request has a body, the body has arrived completely.
    func respond(to request: HTTPRequest) -> HTTPResponse

    /// Returns the answer to an HTTP request that is not an upgrade, or nil if the handler needs
    /// more time. After a nil result, `EventLoop.answer` must be called for the ticket within
    /// `EventLoop.awaitedAnswerSeconds`.
    func respond(to request: HTTPRequest, ticket: HTTPTicket) -> HTTPResponse?

    /// The time passed to `EventLoop.scheduleWakeup(at:)` has been reached.
    func wakeupFired()
}

extension TransportHandler {
    package var capturedHeaderNames: [String] { [] }
    package func buffered(bytes: Int) {}
    package func messageRefused(_ breach: MessageBreach, on connection: Connection) {}
    package func messageDropped(on connection: Connection) {}
    package func closeReceived(code: UInt16, reason: String, on connection: Connection) {}
    package func upgradeRefused(status: Int) {}
    package func ticked() {}
    package func connectionAccepted(_ arrival: IncomingConnection) -> ArrivalDecision {
        .accept(place: nil)
    }
    package func connectionEnded(_ place: ConnectionContext) {}
    package func headTimedOut() {}
    package func acceptFailureResponse(for shortage: AcceptFailure) -> HTTPResponse? { nil }
    package func bodyDecision(for request: HTTPRequest) -> BodyDecision { .read(bytesMax: 0) }
    package func respond(to request: HTTPRequest, ticket: HTTPTicket) -> HTTPResponse? {
        respond(to: request)
    }
}
