import RefreshProtocol

/// The decoder and the output buffer of a loop. Only one session uses them at a time.
struct FrameScratch: ~Copyable {
    /// The number of bytes before the payload that stay free for the header of the frame.
    static let headroom = 64

    var decoder: MessageDecoder
    var frame = ByteBuffer(headroom: FrameScratch.headroom, capacity: 4096)

    init(limits: Limits) {
        decoder = MessageDecoder(limits: limits)
    }
}
