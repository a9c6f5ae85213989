internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

/// Who is believed whom it speaks for, at this moment. From any thread.
final class ProxyTrust: Sendable {
    private let proxies: Mutex<TrustedProxies>
    private let warnedAt = Mutex<Instant?>(nil)

    /// Between two warnings of proxies that are not configured, milliseconds.
    private static let warningMs = 60_000.0

    init(_ proxies: TrustedProxies) {
        self.proxies = Mutex(proxies)
    }

    /// Whether that address is of a proxy.
    func contains(_ address: String) -> Bool {
        proxies.withLock { $0 }.contains(address)
    }

    /// Somebody came through a proxy that is not configured. Whether it is time to tell the
    /// operator.
    func isWarningDue(at now: Instant) -> Bool {
        warnedAt.withLock { last in
            if let last, now.milliseconds(since: last) < Self.warningMs { return false }
            last = now
            return true
        }
    }

    /// From now on these are.
    func adopt(_ proxies: TrustedProxies) {
        self.proxies.withLock { $0 = proxies }
    }
}
