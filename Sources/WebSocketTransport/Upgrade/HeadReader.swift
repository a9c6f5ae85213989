/// The state of the loop's inspection of a peer's next request head, before libwebsockets reads the
/// head.
final class HeadReader {
    /// The parser for the current head.
    var check = HeadCheck()
    /// How many of the bytes pending in the socket were already passed to `check`. All of them
    /// belong to this head.
    var inspectedCount = 0
    /// The bytes after the end of the previous head that libwebsockets has already taken. They
    /// belong to the current head.
    var kept: [UInt8] = []
    /// Whether libwebsockets reads the current head from its buffer, and not from the socket.
    var isBuffered = false
    /// The number of heads that libwebsockets has reported; it may wrap.
    var headsRead: UInt = 0
    /// Whether libwebsockets has written an answer and waits for the report that the socket is
    /// writable.
    var awaitsWritable = false
    /// Whether libwebsockets has taken bytes that were not inspected. If it has, the connection
    /// ends after the current answer.
    var isLastAnswer = false
    /// Whether the connection is about to end. Further input is discarded.
    var isClosing = false

    /// Starts with the next head. `kept` contains the bytes of this head that libwebsockets has
    /// already taken.
    func reset(with kept: some Sequence<UInt8>) {
        check = HeadCheck()
        inspectedCount = 0
        self.kept = Array(kept)
    }
}
