import CLWS

/// The frames of one connection that wait for their turn. Exists only while there are any.
final class Outbox {
    private struct Frame {
        /// The payload, after `Connection.headroom` bytes for the library.
        var bytes: [UInt8]
        var isBinary: Bool
    }

    private var frames: [Frame] = []
    private var first = 0
    /// The payload bytes of all frames waiting.
    private(set) var byteCount = 0

    /// Whether nothing waits.
    var isEmpty: Bool { first == frames.count }

    /// Adds a frame behind the others.
    func append(_ payload: some Collection<UInt8>, isBinary: Bool) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Connection.headroom + payload.count)
        bytes.append(contentsOf: repeatElement(0, count: Connection.headroom))
        bytes.append(contentsOf: payload)
        byteCount += payload.count
        frames.append(Frame(bytes: bytes, isBinary: isBinary))
    }

    /// Takes out the frame that waited longest and gives its payload, which has headroom, to
    /// `body`.
    func withNext<Result>(
        _ body: (UnsafeMutableBufferPointer<UInt8>, Bool) -> Result
    ) -> Result? {
        guard !isEmpty else { return nil }
        var frame = frames[first]
        frames[first].bytes = []
        first += 1
        // The dead head is dropped in bulk, so that taking out is constant on average.
        if first > 32, first * 2 > frames.count {
            frames.removeFirst(first)
            first = 0
        }
        byteCount -= frame.bytes.count - Connection.headroom
        return unsafe frame.bytes.withUnsafeMutableBufferPointer { bytes in
            let payload = unsafe UnsafeMutableBufferPointer(
                rebasing: bytes[Connection.headroom...])
            return unsafe body(payload, frame.isBinary)
        }
    }
}
