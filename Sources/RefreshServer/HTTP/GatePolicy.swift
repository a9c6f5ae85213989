package import WebSocketTransport

/// Who may come in: the daemon's part of the upgrade gate, and the host check of plain requests.
///
/// Pure: tests run it as tables. What makes an upgrade well formed (method, `Upgrade`, version,
/// subprotocol) the transport has checked before. Source: docs/protocol.md, "Transport";
/// docs/configuration.md, "origins".
package struct GatePolicy: Sendable {
    /// What an upgrade is for.
    package enum Route: Hashable, Sendable { case session, worker, echo }

    /// The other side of the connection that a request came by.
    package struct Peer: Hashable, Sendable {
        /// Numeric, without the port.
        package var address: String
        /// Whether it says that it speaks for somebody else, as proxies do.
        package var isForwarding: Bool

        package init(address: String, isForwarding: Bool = false) {
            self.address = address
            self.isForwarding = isForwarding
        }

        /// A program on this machine that speaks for itself.
        package static let here = Peer(address: "127.0.0.1")
    }

    /// How full the daemon is.
    package struct Occupancy: Hashable, Sendable {
        /// Those that were let in.
        package var sessions: Int
        /// Connections of sessions that have not said `hello`, or were not let in.
        package var silent: Int
        /// Of them, those of the address that asks.
        package var silentHere: Int
        package var workers: Int
        package var isDraining: Bool
        /// Why nobody new is let in just now, whatever he wants.
        package var refusal: GateRefusal?

        package init(
            sessions: Int = 0, silent: Int = 0, silentHere: Int = 0, workers: Int = 0,
            isDraining: Bool = false,
            refusal: GateRefusal? = nil
        ) {
            self.sessions = sessions
            self.silent = silent
            self.silentHere = silentHere
            self.workers = workers
            self.isDraining = isDraining
            self.refusal = refusal
        }

        /// Whether one more may be let in while all places are taken, so that its `hello` can say
        /// that it comes back.
        var hasSurplus: Bool {
            silent < RefreshServer.Occupancy.surplusMax
                && silentHere < RefreshServer.Occupancy.surplusPerAddressMax
        }

        /// What holds for every path that is served.
        var general: GateRefusal? { isDraining ? .draining : refusal }
    }

    private let listeners: [BoundListener]
    private let origins: Set<WebOrigin>
    private let servesDemo: Bool
    private let proxies: TrustedProxies
    private let isGuarded: Bool
    private let servesEcho: Bool
    private let sessionsMax: Int
    private let workersMax: Int

    /// `servesDemo`: whether there is a page of the daemon's own. `isGuarded`: whether it is
    /// written how clients say who they are; if not, only programs on this machine are let in that
    /// speak for themselves. `workersMax` 0: there are no feeds for workers, and nothing is served
    /// at their path.
    package init(
        listeners: [BoundListener], origins: Set<WebOrigin>, servesDemo: Bool = false,
        proxies: TrustedProxies = TrustedProxies(), isGuarded: Bool = true, servesEcho: Bool,
        sessionsMax: Int, workersMax: Int = 0
    ) {
        self.isGuarded = isGuarded
        self.servesDemo = servesDemo
        self.proxies = proxies
        self.listeners = listeners
        self.origins = origins
        self.servesEcho = servesEcho
        self.sessionsMax = sessionsMax
        self.workersMax = workersMax
    }

    /// Where an upgrade leads, or why it is refused. The checks that keep foreign pages out come
    /// first, so that such a page learns nothing else.
    package func route(
        path: String, host: String?, origin: String?, peer: Peer = .here, localAddress: String,
        localPort: UInt16, isEncrypted: Bool = false, occupancy: Occupancy
    ) -> Result<Route, GateRefusal> {
        if let refusal = refusal(host: host, localAddress: localAddress, localPort: localPort) {
            return .failure(refusal)
        }
        if let origin,
            !admits(origin: origin, host: host, peer: peer, isEncrypted: isEncrypted)
        {
            return .failure(.originNotAllowed)
        }
        if isUnknownProxy(peer) { return .failure(.proxyNotConfigured) }
        switch path {
        case ServedPath.echo where servesEcho:
            return occupancy.general.map { .failure($0) } ?? .success(.echo)
        case ServedPath.worker where workersMax > 0:
            // Only pages have one, and no page is a worker.
            if origin != nil { return .failure(.originNotAllowed) }
            if let refusal = occupancy.general { return .failure(refusal) }
            return occupancy.workers < workersMax
                ? .success(.worker) : .failure(.tooManyWorkers)
        case ServedPath.session:
            if let refusal = occupancy.general { return .failure(refusal) }
            // Where all places are taken somebody may come back to his own.
            return occupancy.sessions < sessionsMax || occupancy.hasSurplus
                ? .success(.session) : .failure(.tooManySessions)
        default:
            return .failure(.notFound)
        }
    }

    /// Why a request to that address and port with this `Host` is refused; nil lets it in.
    ///
    /// On a loopback listener the name must be a loopback name with the listener's own port: a
    /// browser that was led here by a foreign name says that name (DNS rebinding).
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

    /// Whether a peer speaks for others, and nobody has told the daemon of such a proxy. Where it
    /// is not written how clients say who they are, it would make everybody a program of this
    /// machine.
    package func isUnknownProxy(_ peer: Peer) -> Bool {
        !isGuarded && peer.isForwarding && !proxies.contains(peer.address)
    }

    /// Whether that is the address and port of a listener for operators.
    package func isAdmin(address: String, port: UInt16) -> Bool {
        guard let address = IPAddress(address) else { return false }
        return listeners.contains { $0.isAdmin && $0.port == port && $0.address == address }
    }

    /// Whether a request at that address comes from a program on this machine that speaks for
    /// itself.
    func isFromHere(_ peer: Peer, localAddress: String) -> Bool {
        isLoopbackListener(localAddress) && isAlone(peer)
    }

    /// Whether a page of that origin is the daemon's own, or listed. `isEncrypted`: whether the
    /// browser speaks TLS, with the daemon or with a proxy that is believed.
    func admits(
        origin: String, host: String?, peer: Peer, isEncrypted: Bool = false
    ) -> Bool {
        guard let origin = WebOrigin(origin) else { return false }
        return origins.contains(origin)
            || (isEncrypted
                ? isOwnEncryptedPage(origin, host: host)
                : isOwnPage(origin, host: host, peer: peer))
    }

    /// The page at the name that the request is for: the browser has seen a certificate of that
    /// name, so no foreign name led it here.
    private func isOwnEncryptedPage(_ origin: WebOrigin, host: String?) -> Bool {
        guard let host = host.flatMap({ HostAndPort($0) }) else { return false }
        return origin.scheme == "https" && origin.host == host.host
            && origin.port == host.port ?? 443
    }

    /// The daemon's own page, opened on this machine. On another machine a loopback origin is
    /// somebody else's page; behind a proxy on this machine all that is seen of such a request is
    /// that proxy. Hence the peer must be here, speak for itself, and have asked for the very name
    /// and port that the page is of.
    private func isOwnPage(_ origin: WebOrigin, host: String?, peer: Peer) -> Bool {
        guard servesDemo, origin.scheme == "http", let host = host.flatMap({ HostAndPort($0) })
        else { return false }
        return host.isLoopbackName && origin.host == host.host && origin.port == host.port ?? 80
            && isAlone(peer)
    }

    /// Whether a peer is on this machine and no proxy, as far as can be seen.
    private func isAlone(_ peer: Peer) -> Bool {
        IPAddress(peer.address)?.isLoopback == true
            && !peer.isForwarding && !proxies.contains(peer.address)
    }

    private func isLoopbackListener(_ localAddress: String) -> Bool {
        guard let address = IPAddress(localAddress), address.isLoopback else { return false }
        return listeners.contains { $0.address == address }
    }
}
