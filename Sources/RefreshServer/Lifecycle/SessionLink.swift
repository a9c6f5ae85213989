internal import RefreshProtocol
internal import WebSocketTransport

/// Ties a session to its connection: the connection as the session's channel, and what the loop
/// keeps for the connection. On the loop's thread only.
///
/// The connection holds the link and the link the connection; the transport lets go of the link
/// when the connection is closed.
final class SessionLink: Channel {
    private let connection: Connection
    /// Nil: the client is the other side.
    private let client: ClientAddress?
    /// Nil before it is made and after the connection is gone.
    var session: Session?

    /// Whether something waits for the socket since this was last set to false.
    var isWaiting = false
    /// Whether a frame has gone out since this was last set to false: then what waits is its rest.
    var hasSent = false
    /// When the message came whose update could not be sent at once; nil when none waits.
    var waitingSince: Instant?

    /// Until it is asked for; nil where nobody will.
    private var arrival: KeptArrival?

    init(connection: Connection) {
        self.connection = connection
        arrival = connection.owner as? KeptArrival
        client = arrival?.client ?? connection.owner as? ClientAddress
    }

    func takeArrival() -> Visitor.Arrival? {
        defer { arrival = nil }
        return arrival?.arrival
    }

    var isWritable: Bool { connection.isWritable }

    func send(_ frame: inout ByteBuffer) { _ = sendsWhole(&frame) }

    func sendsWhole(_ frame: inout ByteBuffer) -> Bool {
        hasSent = true
        guard frame.headroom >= Connection.headroom else {
            connection.enqueue(frame.bytes, isBinary: false)
            return false
        }
        return unsafe connection.send(frame.payload)
    }

    func requestWritable() {
        isWaiting = !hasSent
        // By `limits.queueAgeMs`.
        connection.requestWritable(isBounded: true)
    }

    func holdBack(_ isHeldBack: Bool) { connection.holdBack(isHeldBack) }

    var peer: String? { client?.text ?? connection.peerAddress }

    func shut(_ code: CloseCode, reason: String) {
        connection.shut(code: code.rawValue, reason: reason)
    }

    func close(_ code: CloseCode, reason: String) {
        connection.close(code: code.rawValue, reason: reason)
    }
}
