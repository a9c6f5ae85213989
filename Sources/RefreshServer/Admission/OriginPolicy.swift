internal import RefreshConfiguration
internal import WebSocketTransport

/// Decides which web pages may send requests, by the `Origin` header that browsers send. Programs
/// that are not browsers send no such header. Source: docs/protocol.md, "Transport";
/// docs/configuration.md, "origins".
struct OriginPolicy: Sendable {
    /// The origins that the configuration allows.
    private let origins: Set<WebOrigin>
    private let servesDemo: Bool
    private let proxies: TrustedProxies

    /// `servesDemo`: whether the daemon serves the demo page.
    init(origins: Set<WebOrigin>, servesDemo: Bool, proxies: TrustedProxies) {
        self.origins = origins
        self.servesDemo = servesDemo
        self.proxies = proxies
    }

    /// Returns whether a web page's origin is the daemon's own or a configured origin. `origin`:
    /// the value of the `Origin` header. `isEncrypted`: whether the browser uses TLS, with the
    /// daemon or with a trusted proxy.
    func isOriginAllowed(
        _ origin: String, host: String?, peer: GatePolicy.Peer, isEncrypted: Bool = false
    ) -> Bool {
        guard let origin = WebOrigin(origin) else { return false }
        return origins.contains(origin)
            || (isEncrypted
                ? isOwnEncryptedPage(origin, host: host)
                : isOwnPage(origin, host: host, peer: peer))
    }

    /// Returns whether the request is addressed to the host and port of the web page. The browser
    /// has verified a certificate for that host, so DNS rebinding is not possible.
    private func isOwnEncryptedPage(_ origin: WebOrigin, host: String?) -> Bool {
        guard let host = host.flatMap({ HostAndPort($0) }) else { return false }
        return origin.scheme == "https" && origin.host == host.host
            && origin.port == host.port ?? 443
    }

    /// Returns whether the web page is the daemon's own, opened on this machine.
    ///
    /// In a browser on another machine, a page with a loopback origin is a foreign page. If the
    /// browser uses a proxy on this machine, only the proxy is visible. The peer must therefore be
    /// on this machine, must not be a proxy, and must have requested exactly the name and port of
    /// the page.
    private func isOwnPage(_ origin: WebOrigin, host: String?, peer: GatePolicy.Peer) -> Bool {
        guard servesDemo, origin.scheme == "http", let host = host.flatMap({ HostAndPort($0) })
        else { return false }
        return host.isLoopbackName && origin.host == host.host && origin.port == host.port ?? 80
            && peer.isDirectLocal(proxies)
    }
}
