/// One event loop for many dialed connections, with its own thread. A load test has one client loop
/// per thread. A client loop handles all events on its own thread, whereas a `Dialer` passes each
/// event to the caller that waits for the event.
package final class ClientLoop: Sendable {
    private let loop: EventLoop

    /// Starts the thread. `wss` can be dialed only if `authorities` are given. `makeHandler` is
    /// called once on the loop's thread, before any other code runs there. `index` is the loop's
    /// number in the process, 0...255.
    package init(
        index: Int, trusting authorities: TLSAuthorities? = nil,
        makeHandler: @escaping @Sendable (ClientCore) -> any ClientHandler
    ) throws(TransportError) {
        let speaksTLS = authorities != nil
        loop = try EventLoop(
            LoopConfiguration(index: index), [], nil, TrustedProxies(), authorities: authorities
        ) { loop in
            let core = ClientCore(loop: loop, speaksTLS: speaksTLS)
            core.handler = makeHandler(core)
            return core
        }
        loop.start()
    }

    /// Passes the handler to `job` on the loop's thread. Returns false if the loop has ended.
    @discardableResult
    package func post(_ job: @escaping @Sendable (any ClientHandler) -> Void) -> Bool {
        loop.post { [loop] in
            if let handler = (loop.handler as? ClientCore)?.handler { job(handler) }
        }
    }

    /// Cuts all connections and ends the thread.
    package func stop() {
        loop.post { [loop] in (loop.handler as? ClientCore)?.endAll() }
        loop.stop()
    }
}

/// Receives the events of a client loop. Every method is called on the loop's thread and must not
/// block.
package protocol ClientHandler: AnyObject {
    /// A dialed connection is open, and messages may be sent.
    func opened(_ connection: ClientConnection)

    /// The connection with this number could not be opened. No other event follows for it.
    func failed(_ number: Int, _ failure: DialFailure)

    /// A complete message was received. If `isBinary` is false, the message is text. The span is
    /// valid only during the call.
    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: ClientConnection)

    /// The connection is closed. `code` is that of the peer's close frame: 1005 if the frame had no
    /// code, and 1006 if there was no such frame. Called exactly once for each `opened`.
    func closed(_ connection: ClientConnection, code: UInt16)

    /// The time passed to `ClientCore.scheduleWakeup(at:)` has been reached.
    func wakeupFired()
}
