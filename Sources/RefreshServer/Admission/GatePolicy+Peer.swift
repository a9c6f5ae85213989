internal import RefreshConfiguration
internal import WebSocketTransport

extension GatePolicy.Peer {
    /// The peer of a request that is not an upgrade.
    init(_ request: HTTPRequest) {
        self.init(address: request.peerAddress, isForwarding: request.isForwarded)
    }

    /// The peer of an upgrade.
    init(_ request: UpgradeRequest) {
        self.init(address: request.peerAddress, isForwarding: request.isForwarded)
    }

    /// Returns whether the peer is on this machine and, as far as can be seen, not a proxy.
    func isDirectLocal(_ proxies: TrustedProxies) -> Bool {
        IPAddress(address)?.isLoopback == true && !isForwarding && !proxies.contains(address)
    }
}
