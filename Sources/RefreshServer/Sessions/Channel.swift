package import RefreshProtocol

/// What a session sees of its connection. Production gives it a WebSocket, the scenario runner and
/// the simulation a queue: the session is the same.
///
/// No method may call the session back before it returns.
package protocol Channel: AnyObject {
    /// Whether a frame would go out now: nothing waits below.
    var isWritable: Bool { get }
    /// Sends `frame`'s bytes as one text frame. Only while `isWritable`, which is false behind it
    /// until all of it has gone to the peer's side of the system.
    func send(_ frame: inout ByteBuffer)
    /// Sends likewise; whether all of it has gone, so that the channel is writable behind it.
    func sendsWhole(_ frame: inout ByteBuffer) -> Bool
    /// Asks for one `Session.becameWritable` when `isWritable` is true again.
    func requestWritable()
    /// Whether anything is read of the client; at first it is. What has come already may still
    /// arrive.
    func holdBack(_ isHeldBack: Bool)
    /// The numeric address of the other side, for operators; nil if there is none to tell.
    var peer: String? { get }
    /// Closes after what was sent; nothing is received any more.
    func close(_ code: CloseCode, reason: String)
    /// Closes at once: what has not gone yet is dropped, and where a frame has gone in part the
    /// connection is cut off.
    func shut(_ code: CloseCode, reason: String)
    /// How its client has come, if that was kept; it is given away once.
    func takeArrival() -> Visitor.Arrival?
}

extension Channel {
    package func takeArrival() -> Visitor.Arrival? { nil }

    package func sendsWhole(_ frame: inout ByteBuffer) -> Bool {
        send(&frame)
        return isWritable
    }
}

extension Channel {
    package func shut(_ code: CloseCode, reason: String) { close(code, reason: reason) }

    package var peer: String? { nil }
}
