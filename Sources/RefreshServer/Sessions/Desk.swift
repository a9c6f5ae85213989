import RefreshProtocol

/// What a loop's sessions read and write with, one after the other.
struct Desk: ~Copyable {
    /// Bytes that a connection wants free before those it sends.
    static let headroom = 64

    var decoder: MessageDecoder
    var frame = ByteBuffer(headroom: Desk.headroom, capacity: 4096)

    init(limits: Limits) {
        decoder = MessageDecoder(limits: limits)
    }
}
