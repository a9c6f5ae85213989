internal import RefreshProtocol
internal import RefreshSession
internal import WebSocketTransport

/// Ties a session to its connection: it is the session's channel, and holds what the loop keeps for
/// the connection. Used on the loop's thread only.
///
/// The connection and the link refer to each other. The transport releases the link when the
/// connection is closed.
final class SessionLink: Channel {
    private let connection: Connection
    /// The client's address; nil if the client is the peer.
    private let client: ClientAddress?
    /// The session; nil before it is created and after the connection is gone.
    var session: Session?

    /// Whether output has waited for the socket since this was last set to false.
    var isWaiting = false
    /// Whether a frame was sent since this was last set to false. Then what waits is the rest of
    /// that frame.
    var hasSent = false
    /// When the message arrived whose update could not be sent at once; nil if none waits.
    var waitingSince: Instant?

    /// How the client arrived, kept until it is taken; nil if it is not needed.
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
        // Bounded by `limits.queueAgeMs`.
        connection.requestWritable(isBounded: true)
    }

    func setReadingPaused(_ isHeldBack: Bool) { connection.setReadingPaused(isHeldBack) }

    var peer: String? { client?.text ?? connection.peerAddress }

    func closeImmediately(_ code: CloseCode, reason: String) {
        connection.closeImmediately(code: code.rawValue, reason: reason)
    }

    func close(_ code: CloseCode, reason: String) {
        connection.close(code: code.rawValue, reason: reason)
    }
}
