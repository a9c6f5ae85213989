internal import RefreshProtocol
internal import RefreshSession
internal import WebSocketTransport

/// The channel from a session to its connection. It also contains the state that the loop keeps for
/// the connection. Used on the loop's thread only.
///
/// The connection and the link refer to each other. The transport releases the link when the
/// connection is closed.
final class SessionLink: Channel {
    private let connection: Connection
    /// The address of a client behind a proxy; nil if the client is connected directly.
    private let client: ClientAddress?
    /// The session; nil before it is created and after the connection is gone.
    var session: Session?

    /// Whether output has waited for the socket since this property was last set to false.
    var isWaiting = false
    /// Whether a frame was sent since this property was last set to false. If a frame was sent, a
    /// wait for the socket concerns only the rest of that frame.
    var hasSent = false
    /// The arrival time of the message whose update waits for the socket; nil if no update waits.
    var waitingSince: Instant?

    /// The details of the client's upgrade, until they are consumed; nil if no authenticator needs
    /// them.
    private var arrival: UpgradeContext?

    init(connection: Connection) {
        self.connection = connection
        arrival = connection.owner as? UpgradeContext
        client = arrival?.client ?? connection.owner as? ClientAddress
    }

    func consumeArrival() -> AuthenticationRequest.Arrival? {
        defer { arrival = nil }
        return arrival?.arrival
    }

    var isWritable: Bool { connection.isWritable }

    func send(_ frame: inout ByteBuffer) { _ = sendReportingCompletion(&frame) }

    func sendReportingCompletion(_ frame: inout ByteBuffer) -> Bool {
        hasSent = true
        guard frame.headroom >= Connection.headroom else {
            connection.enqueue(frame.bytes, isBinary: false)
            return false
        }
        return unsafe connection.send(frame.payload)
    }

    func requestWritable() {
        isWaiting = !hasSent
        // `limits.queueAgeMs` bounds the wait.
        connection.requestWritable(isBounded: true)
    }

    func setReadingPaused(_ isPaused: Bool) { connection.setReadingPaused(isPaused) }

    var peer: String? { client?.text ?? connection.peerAddress }

    func closeImmediately(_ code: CloseCode, reason: String) {
        connection.closeImmediately(code: code.rawValue, reason: reason)
    }

    func close(_ code: CloseCode, reason: String) {
        connection.close(code: code.rawValue, reason: reason)
    }
}
