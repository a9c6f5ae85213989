/// Receives the events of a client loop. Every method is called on the loop's thread and must not
/// block.
package protocol ClientHandler: AnyObject {
    /// A dialed connection is open. Messages may be sent from now on.
    func opened(_ connection: ClientConnection)

    /// The connection with this number could not be opened. No other event follows for it.
    func failed(_ number: Int, _ failure: DialFailure)

    /// A complete message was received; it is text unless `isBinary`. The span is valid only during
    /// the call.
    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: ClientConnection)

    /// The connection is closed. `code` is that of the peer's close frame: 1005 if the frame had no
    /// code, and 1006 if there was no such frame. Called exactly once for each `opened`.
    func closed(_ connection: ClientConnection, code: UInt16)

    /// The time passed to `ClientCore.wake(at:)` has been reached.
    func wakeupFired()
}
