/// Opens WebSocket connections for a client.
///
/// The module has no transport of its own. `RefreshClientDialer` has one for Linux, and
/// `RefreshClientURLSession` one for Foundation's URLSession.
public protocol ClientTransport: Sendable {
    /// Opens a connection to a `ws` or `wss` URL with this subprotocol.
    ///
    /// - Throws: Any error if there is no connection. The client connects again with back-off. If
    ///   the error is an `HTTPStatusError` with the status 400, 403 or 404, and the client had no
    ///   `welcome` yet, it does not connect again.
    func connect(to url: String, subprotocol: String) async throws -> any TransportConnection
}

/// An error of a transport that knows the HTTP status with which the upgrade was answered. Source:
/// docs/coming-back.md, "Reconnect and refresh".
public protocol HTTPStatusError: Error {
    /// The status, such as 404; nil if there was no answer.
    var status: Int? { get }
}

/// One open WebSocket connection.
public protocol TransportConnection: Sendable {
    /// Sends one text message, after all earlier ones. It is lost if the connection has ended.
    func send(_ text: String)

    /// Returns the next message, or the end of the connection. After the end, every further call
    /// returns the end.
    func receive() async -> ConnectionEvent

    /// Closes the connection with this code.
    func close(code: UInt16)

    /// Ends the connection without a close frame. `receive` then returns the end.
    func cut()
}

/// An event of a connection.
public enum ConnectionEvent: Hashable, Sendable {
    /// A complete text message.
    case text(String)
    /// The connection has ended. The code is 1005 if the close frame had no code, and 1006 if there
    /// was no close frame.
    case closed(code: Int)
}
