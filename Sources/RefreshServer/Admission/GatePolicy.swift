package import RefreshConfiguration
package import WebSocketTransport

/// Decides which requests are admitted. It makes the daemon's checks of an upgrade, and the check
/// of `Host` for all other requests.
///
/// Its results depend only on its input. The transport has already checked that an upgrade is
/// well-formed (method, `Upgrade`, version, subprotocol). `OriginPolicy` checks the
/// `Origin` header. Source: docs/protocol.md, "Transport".
package struct GatePolicy: Sendable {
    /// The purpose of an upgrade.
    package enum Route: Hashable, Sendable { case session, worker, echo }

    /// The peer of the connection that a request arrived on.
    package struct Peer: Hashable, Sendable {
        /// Numeric, without the port.
        package var address: String
        /// Whether the request has forwarding headers, which proxies add.
        package var isForwarding: Bool

        package init(address: String, isForwarding: Bool = false) {
            self.address = address
            self.isForwarding = isForwarding
        }

        /// A program on this machine that is not a proxy.
        package static let local = Peer(address: "127.0.0.1")
    }

    /// How much of its capacity the daemon uses, and whether it admits clients.
    package struct Usage: Hashable, Sendable {
        /// Admitted sessions.
        package var sessions: Int
        /// Connections for sessions whose client is not admitted. The client has not sent `hello`
        /// yet, or is being authenticated, or was refused and is not disconnected yet.
        package var unadmitted: Int
        /// The part of `unadmitted` that comes from the requesting address.
        package var unadmittedOfAddress: Int
        package var workers: Int
        package var isDraining: Bool
        /// Why no new client is admitted at present; nil if clients are admitted.
        package var refusal: GateRefusal?

        package init(
            sessions: Int = 0, unadmitted: Int = 0, unadmittedOfAddress: Int = 0, workers: Int = 0,
            isDraining: Bool = false,
            refusal: GateRefusal? = nil
        ) {
            self.sessions = sessions
            self.unadmitted = unadmitted
            self.unadmittedOfAddress = unadmittedOfAddress
            self.workers = workers
            self.isDraining = isDraining
            self.refusal = refusal
        }

        /// Whether one more connection is accepted although the sessions are at their limit,
        /// because its `hello` can resume a session.
        var hasSurplus: Bool {
            unadmitted < RefreshServer.AdmissionState.surplusMax
                && unadmittedOfAddress < RefreshServer.AdmissionState.surplusPerAddressMax
        }

        /// The refusal that applies to every path.
        var general: GateRefusal? { isDraining ? .draining : refusal }
    }

    private let listeners: [BoundListener]
    /// The check of the `Origin` header.
    let originPolicy: OriginPolicy
    private let proxies: TrustedProxies
    private let isGuarded: Bool
    private let servesEcho: Bool
    private let sessionsMax: Int
    private let workersMax: Int

    /// `servesDemo`: whether the daemon serves the demo page. `isGuarded`: whether the
    /// configuration sets `auth`. Without `auth`, only programs on this machine that are not
    /// proxies are admitted. If `workersMax` is 0, no feed uses workers, and nothing is served at
    /// the path for workers.
    package init(
        listeners: [BoundListener], origins: Set<WebOrigin>, servesDemo: Bool = false,
        proxies: TrustedProxies = TrustedProxies(), isGuarded: Bool = true, servesEcho: Bool,
        sessionsMax: Int, workersMax: Int = 0
    ) {
        self.isGuarded = isGuarded
        self.proxies = proxies
        self.listeners = listeners
        originPolicy = OriginPolicy(
            origins: origins, servesDemo: servesDemo, proxies: proxies)
        self.servesEcho = servesEcho
        self.sessionsMax = sessionsMax
        self.workersMax = workersMax
    }

    /// Returns the route of an upgrade, or why it is refused. The checks against foreign web pages
    /// come first, so that a foreign web page learns nothing else.
    package func route(
        path: String, host: String?, origin: String?, peer: Peer = .local, localAddress: String,
        localPort: UInt16, isEncrypted: Bool = false, usage: Usage
    ) -> Result<Route, GateRefusal> {
        if let refusal = refusal(host: host, localAddress: localAddress, localPort: localPort) {
            return .failure(refusal)
        }
        if let origin,
            !originPolicy.isOriginAllowed(
                origin, host: host, peer: peer, isEncrypted: isEncrypted)
        {
            return .failure(.originNotAllowed)
        }
        if isUnknownProxy(peer) { return .failure(.proxyNotConfigured) }
        switch path {
        case ServedPath.echo where servesEcho:
            return usage.general.map { .failure($0) } ?? .success(.echo)
        case ServedPath.worker where workersMax > 0:
            // Only web pages send an origin, and no web page is a worker.
            if origin != nil { return .failure(.originNotAllowed) }
            if let refusal = usage.general { return .failure(refusal) }
            return usage.workers < workersMax
                ? .success(.worker) : .failure(.tooManyWorkers)
        case ServedPath.session:
            if let refusal = usage.general { return .failure(refusal) }
            // At the limit, a few more connections are accepted, because they can resume sessions.
            return usage.sessions < sessionsMax || usage.hasSurplus
                ? .success(.session) : .failure(.tooManySessions)
        default:
            return .failure(.notFound)
        }
    }

    /// Returns why a request to that address and port with this `Host` is refused; nil: the request
    /// is admitted.
    ///
    /// On a loopback listener the host must be a loopback name with the listener's own port. This
    /// prevents DNS rebinding: if a browser has resolved a foreign name to this address, it sends
    /// the foreign name in `Host`.
    package func refusal(
        host: String?, localAddress: String, localPort: UInt16
    ) -> GateRefusal? {
        guard let host, let name = HostAndPort(host) else { return .hostMalformed }
        guard isLoopbackListener(localAddress) else { return nil }
        guard name.isLoopbackName, let address = IPAddress(localAddress) else {
            return .hostNotAllowed
        }
        let isOwn = listeners.contains {
            $0.accepts(at: address) && $0.port == localPort
                && $0.port == name.port ?? ($0.isEncrypted ? 443 : 80)
        }
        return isOwn ? nil : .hostNotAllowed
    }

    /// Returns whether `auth` is not set, and the peer sends forwarding headers but is not a
    /// configured proxy. If `auth` is not set, a proxy on this machine would make each of its
    /// clients look like a program on this machine.
    package func isUnknownProxy(_ peer: Peer) -> Bool {
        !isGuarded && peer.isForwarding && !proxies.contains(peer.address)
    }

    /// Returns whether that is the address and port of an `admin` listener.
    package func isAdmin(address: String, port: UInt16) -> Bool {
        guard let address = IPAddress(address) else { return false }
        return listeners.contains { $0.isAdmin && $0.port == port && $0.address == address }
    }

    /// Returns whether a request at that address comes from a program on this machine that is not a
    /// proxy.
    func isLocal(_ peer: Peer, localAddress: String) -> Bool {
        isLoopbackListener(localAddress) && peer.isDirectLocal(proxies)
    }

    private func isLoopbackListener(_ localAddress: String) -> Bool {
        guard let address = IPAddress(localAddress), address.isLoopback else { return false }
        return listeners.contains { $0.address == address }
    }
}
