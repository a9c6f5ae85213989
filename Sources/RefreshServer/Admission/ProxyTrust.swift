internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

/// The proxies that the current configuration trusts to forward client addresses. May be used on
/// any thread.
final class ProxyTrust: Sendable {
    private let proxies: Mutex<TrustedProxies>
    private let warnings = MinuteInterval()

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
        warnings.isDue(at: now)
    }

    /// Replaces the trusted proxies.
    func update(_ proxies: TrustedProxies) {
        self.proxies.withLock { $0 = proxies }
    }
}
