/// How far the loop has looked at the head that is awaited of a peer, ahead of the library.
final class HeadReader {
    /// Of this head.
    var check = HeadCheck()
    /// How many of the bytes that wait in the system were read by `check`; all of this head.
    var looked = 0
    /// What the library has taken already beyond the head before. It belongs to this one.
    var kept: [UInt8] = []
    /// How many heads the library has told of; it may wrap.
    var headsRead: UInt = 0
    /// Whether the library waits to be told that it can write, after an answer.
    var isUnsettled = false
    /// Whether the library has taken what was not looked at: the answer under way is the last.
    var isOver = false
    /// Whether the connection is about to end: what still comes is thrown away.
    var isParting = false

    /// From now on the next head is awaited, of which these bytes were taken already.
    func begin(with kept: some Sequence<UInt8>) {
        check = HeadCheck()
        looked = 0
        self.kept = Array(kept)
    }
}
