/// The loop's record of one accepted connection, from accept to its end. libwebsockets retains the
/// record. Loop thread only.
@safe
final class ConnectionRecord {
    /// Whether the loop or libwebsockets reads the peer's data.
    enum Phase {
        /// The loop inspects the data of the TLS handshake and of heads before libwebsockets reads
        /// it.
        case head
        /// libwebsockets reads the body of a request, without inspection by the loop.
        case body
        /// An answer is in progress. Nothing is read.
        case answer
        /// After the upgrade, or while the connection is being ended: libwebsockets reads without
        /// inspection by the loop.
        case free
    }

    var phase = Phase.head
    /// The state of the inspection of the current head; nil when `phase` is `free`.
    var reader: HeadReader? = HeadReader()
    /// Whether libwebsockets has been instructed to end the connection, or is already ending it.
    var hasEnded = false
    /// The socket, until the connection has ended.
    let descriptor: Int32
    /// The object that the handler assigned to the connection.
    let place: ConnectionContext
    /// Whether the connection is closed after its first answer.
    let closesAfterFirstAnswer: Bool
    /// The deadline of the awaited head or body in microseconds; nil if none is awaited.
    var headDueAt: Int64?
    /// The object that is stored for the connection before the WebSocket connection is open: an
    /// `Admission`, a body that is being read, or an answer in progress.
    var held: AnyObject?
    /// libwebsockets' handle; nil after the end.
    private(set) var wsi: OpaquePointer?

    init(
        place: ConnectionContext, closesAfterFirstAnswer: Bool, descriptor: Int32,
        wsi: OpaquePointer
    ) {
        self.descriptor = descriptor
        self.place = place
        self.closesAfterFirstAnswer = closesAfterFirstAnswer
        unsafe self.wsi = wsi
    }

    func ended() {
        unsafe wsi = nil
        headDueAt = nil
        held = nil
        reader = nil
    }
}
