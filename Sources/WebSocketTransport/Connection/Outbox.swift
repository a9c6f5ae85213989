import CLWS

/// The queued frames of one connection. The object exists only while frames are queued.
final class Outbox {
    private struct Frame {
        /// The payload, after `Connection.headroom` bytes for libwebsockets.
        var bytes: [UInt8]
        var isBinary: Bool
    }

    private var frames: [Frame] = []
    private var first = 0
    /// The number of payload bytes in all queued frames.
    private(set) var byteCount = 0

    /// Whether the queue is empty.
    var isEmpty: Bool { first == frames.count }

    /// Appends a frame to the queue.
    func append(_ payload: some Collection<UInt8>, isBinary: Bool) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Connection.headroom + payload.count)
        bytes.append(contentsOf: repeatElement(0, count: Connection.headroom))
        bytes.append(contentsOf: payload)
        byteCount += payload.count
        frames.append(Frame(bytes: bytes, isBinary: isBinary))
    }

    /// Removes the oldest frame and passes its payload to `body`. Before the payload there are
    /// `Connection.headroom` bytes that `body` may overwrite.
    func withNext<Result>(
        _ body: (UnsafeMutableBufferPointer<UInt8>, Bool) -> Result
    ) -> Result? {
        guard !isEmpty else { return nil }
        var frame = frames[first]
        frames[first].bytes = []
        first += 1
        // Sent frames are removed from the array in bulk, so that the average cost of a frame is
        // constant.
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
