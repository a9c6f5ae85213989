import Dispatch
import Synchronization

/// Dials WebSocket connections for `refresh-probe` and the tests. One loop and one thread serve all
/// connections of a dialer. Its methods may be called from any thread or task. Methods named
/// `…Blocking` block their thread, so tasks must not call them.
package final class Dialer: Sendable {
    private let loop: EventLoop
    private let lastNumber = Atomic<Int>(0)

    /// Whether `wss` can be dialed.
    private let speaksTLS: Bool

    /// Starts the dialer's thread. `wss` can be dialed only if `authorities` are given. A server's
    /// certificate must then be issued by one of these authorities, for the host of the URL.
    package init(trusting authorities: TLSAuthorities? = nil) throws(TransportError) {
        speaksTLS = authorities != nil
        loop = try EventLoop(
            LoopConfiguration(), [], nil, TrustedProxies(), authorities: authorities
        ) { DialerCore(loop: $0) }
        loop.start()
    }

    /// Cuts all connections and ends the thread. Callers that wait for a connection or an event
    /// receive a failure or `closed`.
    package func stop() {
        run { $0.endAll() }
        loop.stop()
    }

    /// Dials a `ws` or `wss` URL. `origin` and `authorization` are the values of the Origin and the
    /// Authorization header. A header whose value is nil is not sent. Clients that are not browsers
    /// send no Origin header.
    package func connect(
        _ url: String, subprotocol: String? = "refresh.v1", origin: String? = nil,
        authorization: String? = nil, within limit: Duration = .seconds(5)
    ) async throws(DialFailure) -> DialedClient {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let failure = await withCheckedContinuation { continuation in
            dial(url, subprotocol, origin, limit, number, authorization) {
                continuation.resume(returning: $0)
            }
        }
        if let failure { throw failure }
        return DialedClient(number: number, dialer: self)
    }

    /// The blocking form of `connect`, for threads that are not part of Swift's concurrency.
    package func connectBlocking(
        _ url: String, subprotocol: String? = "refresh.v1", origin: String? = nil,
        within limit: Duration = .seconds(5)
    ) throws(DialFailure) -> DialedClient {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let failure = Self.blocking { completion in
            dial(url, subprotocol, origin, limit, number, nil, completion)
        }
        if let failure { throw failure }
        return DialedClient(number: number, dialer: self)
    }

    /// Passes the dialed connections to `job` on the loop's thread. Returns false if the dialer has
    /// stopped.
    @discardableResult
    func run(_ job: @escaping @Sendable (DialerCore) -> Void) -> Bool {
        loop.post { [loop] in
            if let core = loop.handler as? DialerCore { job(core) }
        }
    }

    /// Blocks this thread until `begin` has called its callback, and returns the value passed to
    /// it.
    static func blocking<Value: Sendable>(
        _ begin: (@escaping @Sendable (Value) -> Void) -> Void
    ) -> Value {
        let didReport = DispatchSemaphore(value: 0)
        let box = Box<Value>()
        begin { value in
            box.value.withLock { $0 = value }
            didReport.signal()
        }
        while true {
            didReport.wait()
            if let value = box.value.withLock({ $0 }) { return value }
        }
    }

    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private func dial(
        _ url: String, _ subprotocol: String?, _ origin: String?, _ limit: Duration, _ number: Int,
        _ authorization: String?, _ completion: @escaping @Sendable (DialFailure?) -> Void
    ) {
        guard let target = DialTarget(url: url), speaksTLS || !target.isEncrypted else {
            completion(.urlInvalid(url))
            return
        }
        let deadline = MonotonicClock.nowMicroseconds + limit.wholeMicroseconds
        let isPosted = run { core in
            core.dial(
                target, subprotocol: subprotocol, origin: origin, authorization: authorization,
                number: number, deadline: deadline, dialed: completion)
        }
        if !isPosted { completion(.unreachable(reason: "the dialer stopped")) }
    }
}

extension Duration {
    /// The duration in microseconds. A duration that does not fit is clamped to a value of some
    /// centuries.
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, -1), 10_000_000_000) * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
