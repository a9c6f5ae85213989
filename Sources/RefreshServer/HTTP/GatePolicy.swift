/// Who may come in: the daemon's part of the upgrade gate, and the host check of plain requests.
///
/// Pure: tests run it as tables. What makes an upgrade well formed (method, `Upgrade`, version,
/// subprotocol) the transport has checked before. Source: docs/protocol.md, "Transport";
/// docs/configuration.md, "origins".
package struct GatePolicy: Sendable {
    /// What an upgrade is for.
    package enum Route: Hashable, Sendable { case session, worker, echo }

    /// How full the daemon is.
    package struct Occupancy: Hashable, Sendable {
        package var sessions: Int
        package var workers: Int
        package var isDraining: Bool
        /// Why nobody new is let in just now, whatever he wants.
        package var refusal: GateRefusal?

        package init(
            sessions: Int = 0, workers: Int = 0, isDraining: Bool = false,
            refusal: GateRefusal? = nil
        ) {
            self.sessions = sessions
            self.workers = workers
            self.isDraining = isDraining
            self.refusal = refusal
        }

        /// What holds for every path that is served.
        var general: GateRefusal? { isDraining ? .draining : refusal }
    }

    private let listeners: [BoundListener]
    private let origins: Set<WebOrigin>
    private let servesEcho: Bool
    private let sessionsMax: Int
    private let workersMax: Int

    /// `workersMax` 0: there are no feeds for workers, and nothing is served at their path.
    package init(
        listeners: [BoundListener], origins: Set<WebOrigin>, servesEcho: Bool, sessionsMax: Int,
        workersMax: Int = 0
    ) {
        self.listeners = listeners
        self.origins = origins
        self.servesEcho = servesEcho
        self.sessionsMax = sessionsMax
        self.workersMax = workersMax
    }

    /// Where an upgrade leads, or why it is refused. The checks that keep foreign pages out come
    /// first, so that such a page learns nothing else.
    package func route(
        path: String, host: String?, origin: String?, localAddress: String, occupancy: Occupancy
    ) -> Result<Route, GateRefusal> {
        if let refusal = refusal(host: host, localAddress: localAddress) {
            return .failure(refusal)
        }
        if let origin, !admits(origin: origin, localAddress: localAddress) {
            return .failure(.originNotAllowed)
        }
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
            return occupancy.sessions < sessionsMax
                ? .success(.session) : .failure(.tooManySessions)
        default:
            return .failure(.notFound)
        }
    }

    /// Why a request to `localAddress` with this `Host` is refused; nil lets it in.
    ///
    /// On a loopback listener the name must be a loopback name with the port of a listener there: a
    /// browser that was led here by a foreign name says that name (DNS rebinding).
    package func refusal(host: String?, localAddress: String) -> GateRefusal? {
        guard let host, let name = HostAndPort(host) else { return .hostMalformed }
        guard isLoopbackListener(localAddress) else { return nil }
        let isOwn = name.isLoopbackName && ports(at: localAddress).contains(name.port ?? 80)
        return isOwn ? nil : .hostNotAllowed
    }

    /// Whether that is the address and port of a listener for operators.
    package func isAdmin(address: String, port: UInt16) -> Bool {
        guard let address = IPAddress(address) else { return false }
        return listeners.contains { $0.isAdmin && $0.port == port && $0.address == address }
    }

    /// Whether a page of that origin is the daemon's own, or listed.
    func admits(origin: String, localAddress: String) -> Bool {
        guard let origin = WebOrigin(origin) else { return false }
        return origins.contains(origin) || isOwnPage(origin, localAddress: localAddress)
    }

    /// The daemon's own page, opened on this machine. From another machine a loopback origin is
    /// somebody else's page, hence the check of the address the request came to.
    private func isOwnPage(_ origin: WebOrigin, localAddress: String) -> Bool {
        origin.scheme == "http"
            && HostAndPort(origin.host)?.isLoopbackName == true
            && IPAddress(localAddress)?.isLoopback == true
            && ports(at: localAddress).contains(origin.port)
    }

    private func isLoopbackListener(_ localAddress: String) -> Bool {
        guard let address = IPAddress(localAddress), address.isLoopback else { return false }
        return listeners.contains { $0.address == address }
    }

    /// The ports that lead to the daemon at `localAddress`.
    private func ports(at localAddress: String) -> Set<UInt16> {
        guard let address = IPAddress(localAddress) else { return [] }
        return Set(listeners.filter { $0.accepts(at: address) }.map(\.port))
    }
}
