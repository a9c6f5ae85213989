/// The state of the loop's inspection of a peer's next head, ahead of the library.
final class HeadReader {
    /// The parser for the current head.
    var check = HeadCheck()
    /// How many bytes pending in the socket were already passed to `check`; all belong to this
    /// head.
    var inspectedCount = 0
    /// The bytes that the library has taken beyond the previous head. They belong to the current
    /// one.
    var kept: [UInt8] = []
    /// The number of heads that the library has reported; it may wrap.
    var headsRead: UInt = 0
    /// Whether the library has written an answer and waits for the report that the socket is
    /// writable.
    var awaitsWritable = false
    /// Whether the library has taken uninspected bytes. The current answer is then the last.
    var isLastAnswer = false
    /// Whether the connection is about to end. Further input is discarded.
    var isClosing = false

    /// Starts with the next head. `kept` are its bytes that the library has already taken.
    func reset(with kept: some Sequence<UInt8>) {
        check = HeadCheck()
        inspectedCount = 0
        self.kept = Array(kept)
    }
}
