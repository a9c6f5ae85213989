internal import Synchronization
internal import WebSocketTransport

/// Who is believed whom it speaks for, at this moment. From any thread.
final class ProxyTrust: Sendable {
    private let proxies: Mutex<TrustedProxies>

    init(_ proxies: TrustedProxies) {
        self.proxies = Mutex(proxies)
    }

    /// Whether that address is of a proxy.
    func contains(_ address: String) -> Bool {
        proxies.withLock { $0 }.contains(address)
    }

    /// From now on these are.
    func adopt(_ proxies: TrustedProxies) {
        self.proxies.withLock { $0 = proxies }
    }
}
