/// What the loop keeps of one accepted connection, from accept to the end, whatever it becomes. The
/// library holds it. On the loop's thread only.
@safe
final class Visit {
    /// Who reads what the peer says.
    enum Phase {
        /// The loop looks at it before the library does: at the handshake of TLS, and at heads.
        case head
        /// An answer is under way; nothing is read.
        case answer
        /// The library alone, from the upgrade on, or until the end.
        case free
    }

    var phase = Phase.head
    /// How far the head at hand was looked at; nil once `phase` is `free`.
    var reader: HeadReader? = HeadReader()
    /// Whether the library was told to end it, or has begun to.
    var hasEnded = false
    /// Its socket, as long as it has not ended.
    let descriptor: Int32
    /// What the handler gave it.
    let place: HeldPlace
    /// Whether it is closed after its first answer.
    let isHeardOutOnly: Bool
    /// When the head that is awaited must be there, microseconds; nil while none is awaited.
    var headDueAt: Int64?
    /// What belongs to it before it stands: an admission, or an answer under way.
    var held: AnyObject?
    /// Nil after the end.
    private(set) var wsi: OpaquePointer?

    init(place: HeldPlace, isHeardOutOnly: Bool, descriptor: Int32, wsi: OpaquePointer) {
        self.descriptor = descriptor
        self.place = place
        self.isHeardOutOnly = isHeardOutOnly
        unsafe self.wsi = wsi
    }

    func ended() {
        unsafe wsi = nil
        headDueAt = nil
        held = nil
        reader = nil
    }
}
