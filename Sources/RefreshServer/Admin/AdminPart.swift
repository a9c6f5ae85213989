internal import WebSocketTransport

/// What one loop has to say to an order.
enum AdminPart: Sendable {
    /// Its sessions, for the list.
    case rows([SessionRow])
    /// The session is on this loop: the answer.
    case answer(HTTPResponse)
    /// The session is not on this loop.
    case nothing
}
