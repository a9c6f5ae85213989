/// One event loop for many dialed connections, with a thread of its own: whoever makes load has one
/// a thread. Where a `Dialer` brings each event to whoever waits for it, here all is done on the
/// loop's thread.
package final class ClientLoop: Sendable {
    private let loop: EventLoop

    /// Starts the thread. `wss` can be dialed if `authorities` are given. `makeHandler` is called
    /// once, on the loop's thread, before anything else there. `index`: which loop of the process,
    /// 0...255.
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

    /// Runs a job with the handler, on the loop's thread; false when the loop has ended.
    @discardableResult
    package func post(_ job: @escaping @Sendable (any ClientHandler) -> Void) -> Bool {
        loop.post { [loop] in
            if let handler = (loop.handler as? ClientCore)?.handler { job(handler) }
        }
    }

    /// Cuts off what is still connected and ends the thread.
    package func stop() {
        loop.post { [loop] in (loop.handler as? ClientCore)?.endAll() }
        loop.stop()
    }
}
