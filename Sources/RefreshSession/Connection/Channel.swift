package import RefreshProtocol

/// The connection of a session, as an interface. In production it is a WebSocket. Tests, the
/// scenario runner and the replay of journals use other channels. The code of a session is the same
/// for all of them.
///
/// A method must not call the session back before it returns.
package protocol Channel: AnyObject {
    /// Whether a frame can be sent now. If it is true, no earlier output waits in the layers below
    /// the session.
    var isWritable: Bool { get }
    /// Sends the bytes of `frame` as one text frame. It may be called only while `isWritable` is
    /// true. Afterwards `isWritable` is false until the whole frame has been passed to the
    /// operating system.
    func send(_ frame: inout ByteBuffer)
    /// Sends `frame` as `send` does. Returns true if the whole frame was passed to the operating
    /// system. If it was, the channel is writable after the call.
    func sendReportingCompletion(_ frame: inout ByteBuffer) -> Bool
    /// Requests one `SessionInput.writable` when `isWritable` is true again.
    func requestWritable()
    /// Pauses (true) or resumes (false) reading from the client. A new channel is not paused.
    /// During a pause, the session may receive frames that arrived before the pause.
    func setReadingPaused(_ isPaused: Bool)
    /// The peer's numeric address, for operators; nil if the channel has none.
    var peer: String? { get }
    /// Closes the connection after the frames that were already passed to `send`. Nothing is
    /// received afterwards.
    func close(_ code: CloseCode, reason: String)
    /// Closes the connection at once. Unsent frames are dropped. If a frame was partly sent, the
    /// connection is aborted.
    func closeImmediately(_ code: CloseCode, reason: String)
    /// Returns the details of the client's WebSocket upgrade if they were stored. Only the first
    /// call returns them; later calls return nil.
    func consumeArrival() -> AuthenticationRequest.Arrival?
}

extension Channel {
    package func consumeArrival() -> AuthenticationRequest.Arrival? { nil }

    package func sendReportingCompletion(_ frame: inout ByteBuffer) -> Bool {
        send(&frame)
        return isWritable
    }
}

extension Channel {
    package func closeImmediately(_ code: CloseCode, reason: String) { close(code, reason: reason) }

    package var peer: String? { nil }
}
