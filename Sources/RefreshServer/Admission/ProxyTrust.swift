internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

/// The proxies that the current configuration trusts to forward client addresses. May be used on
/// any thread.
final class ProxyTrust: Sendable {
    private let proxies: Mutex<TrustedProxies>
    private let warnedAt = Mutex<Instant?>(nil)

    /// The minimum time between two warnings about proxies that are not configured, in
    /// milliseconds.
    private static let warningMs = 60_000.0

    init(_ proxies: TrustedProxies) {
        self.proxies = Mutex(proxies)
    }

    /// Whether the address is that of a trusted proxy.
    func contains(_ address: String) -> Bool {
        proxies.withLock { $0 }.contains(address)
    }

    /// Records a request through a proxy that is not configured. Returns whether a warning to the
    /// operator is due.
    func recordUntrustedProxy(at now: Instant) -> Bool {
        warnedAt.withLock { last in
            if let last, now.milliseconds(since: last) < Self.warningMs { return false }
            last = now
            return true
        }
    }

    /// Replaces the trusted proxies.
    func update(_ proxies: TrustedProxies) {
        self.proxies.withLock { $0 = proxies }
    }
}
