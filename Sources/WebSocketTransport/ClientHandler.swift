/// What a client loop tells its owner. Every call comes on that loop's thread and must not block.
package protocol ClientHandler: AnyObject {
    /// A dialed connection stands; it may be written to from now on.
    func opened(_ connection: ClientConnection)

    /// The connection of that number never came to stand, and nothing more is said of it.
    func failed(_ number: Int, _ failure: DialFailure)

    /// One whole message came, text unless it is binary. The span lives as long as the call.
    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: ClientConnection)

    /// The connection is gone, with the code of the peer's close frame: 1005 when that had none,
    /// 1006 when there was no such frame. Exactly once for each `opened`.
    func closed(_ connection: ClientConnection, code: UInt16)

    /// The time given to `ClientCore.wake(at:)` has come.
    func woken()
}
