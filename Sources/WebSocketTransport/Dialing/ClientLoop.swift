/// One event loop for many dialed connections, with its own thread; load generators have one per
/// thread. All events are handled on the loop's thread, whereas a `Dialer` passes each event to the
/// caller that waits for it.
package final class ClientLoop: Sendable {
    private let loop: EventLoop

    /// Starts the thread. `wss` can be dialed only if `authorities` are given. `makeHandler` is
    /// called once on the loop's thread, before anything else there. `index` is the loop's number
    /// in the process, 0...255.
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

    /// Runs a job with the handler on the loop's thread. Returns false if the loop has ended.
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
