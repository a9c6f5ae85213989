import RefreshProtocol

/// The decoder and the output buffer that the sessions of a loop use in turn.
struct FrameScratch: ~Copyable {
    /// Bytes that a connection needs free before the payload that it sends.
    static let headroom = 64

    var decoder: MessageDecoder
    var frame = ByteBuffer(headroom: FrameScratch.headroom, capacity: 4096)

    init(limits: Limits) {
        decoder = MessageDecoder(limits: limits)
    }
}
