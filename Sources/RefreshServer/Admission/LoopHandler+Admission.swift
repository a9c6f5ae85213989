internal import RefreshProtocol
internal import RefreshSession
internal import WebSocketTransport

// The admission of connections and requests. Its checks are in this folder, with two exceptions:
// WebSocketTransport/Upgrade checks the form of a request, and Access checks a client's identity.
// The order of the checks:
//
//     connection ──▶ its address          ConnectionLimiter.admitConnection
//     head ────────▶ its form             HeadCheck, UpgradeGate
//     upgrade ─────▶ proxied client       ConnectionLimiter.assign, ProxyTrust
//                    memory               ConnectionLimiter.refusal(ofRequestAt:), MemoryGauge
//                    Host, Origin, proxy  GatePolicy.route, OriginPolicy
//                    drain, places        GatePolicy.route, AdmissionState
//                    handshake rate       ConnectionLimiter.refusal(ofUpgradeAt:)
//     hello ───────▶ identity             AuthenticationService.authenticate
//                    a free place         SessionHost.reservePlace, AdmissionState
//
// The daemon acts on the results of the earlier checks only after the checks of Host and Origin, so
// that a foreign web page learns nothing else. Handshakes are counted last, so that clients that
// are refused anyway do not use up the allowance of others.
extension LoopHandler {
    // MARK: Connections

    func connectionAccepted(_ arrival: IncomingConnection) -> ArrivalDecision {
        // Connections to an `admin` listener have a separate limit, because operators need access
        // especially when there are too many clients.
        let isAdmin = gate.isAdmin(address: arrival.localAddress, port: arrival.localPort)
        let decision =
            isAdmin
            ? connectionLimiter.admitAdminConnection()
            : connectionLimiter.admitConnection(from: arrival.peerAddress)
        switch decision {
        case .accept: break
        case .acceptToRefuse: recordRefusal(.tooManyConnections)
        case .closeImmediately: recordRefusal(.turnedAway)
        }
        return decision
    }

    func connectionEnded(_ place: ConnectionContext) {
        if let place = place.object as? ConnectionPlace { connectionLimiter.release(place) }
    }

    func headTimedOut() { recordRefusal(.headTimeout) }

    func acceptFailureResponse(for shortage: AcceptFailure) -> HTTPResponse? {
        metrics.connections.recordAcceptFailure(shortage)
        return GateRefusal.outOfFiles.response
    }

    /// Returns whether the client behind a proxy may have another connection. If it may, this call
    /// counts the connection for the client's address. For clients without a proxy, this check was
    /// made when the connection arrived.
    func hasRoom(for client: String, of peer: String, at place: ConnectionContext) -> Bool {
        guard client != peer, let place = place.object as? ConnectionPlace,
            !proxies.contains(client)
        else { return true }
        return connectionLimiter.assign(place, toClient: client)
    }

    private func recordRefusal(_ reason: ConnectionRefusal) {
        metrics.connections.recordConnectionRefused(reason)
    }

    // MARK: Upgrades

    func admit(_ request: UpgradeRequest) -> UpgradeDecision {
        let unadmittedOfAddress = admissionState.unadmittedConnections(
            of: PeerNetwork(request.clientAddress))
        var usage = admissionState.usage
        usage.unadmittedOfAddress = unadmittedOfAddress
        usage.workers = workers.count
        let place = request.place.object as? ConnectionPlace
        let hasRoom = hasRoom(
            for: request.clientAddress, of: request.peerAddress, at: request.place)
        usage.refusal =
            connectionLimiter.refusal(ofRequestAt: place) ?? (hasRoom ? nil : .tooManyConnections)
        let isAdmin = gate.isAdmin(address: request.localAddress, port: request.localPort)
        if request.path == ServedPath.watch {
            // At an `admin` listener, only the limit of admin connections applies. Operators need
            // to watch especially when the daemon is overloaded.
            return admit(
                watcher: request,
                unless: isAdmin ? connectionLimiter.refusal(ofRequestAt: place) : usage.refusal)
        }
        let route =
            isAdmin
            ? .failure(.notFound)
            : gate.route(
                path: request.path, host: request.host, origin: request.origin,
                peer: GatePolicy.Peer(request), localAddress: request.localAddress,
                localPort: request.localPort, isEncrypted: request.isEncrypted,
                usage: usage)
        // Only upgrades that would be accepted count against the handshake limit. Foreign web
        // pages, and clients that are refused anyway, therefore cannot use up the allowance of
        // others.
        if case .success = route,
            let refusal = connectionLimiter.refusal(ofUpgradeAt: place, now: now)
        {
            return refuse(request, refusal)
        }
        switch route {
        case .success(.session):
            return .accept(
                messageBytesMax: limits.frameBytesMax, tag: Tag.session,
                loosePerSecondMax: limits.framesPerSecondMax, owner: upgradeContext(of: request))
        case .success(.worker):
            // A worker that has not registered is not trusted yet, so the limit for clients
            // applies. After its registration, longer messages are accepted.
            return .accept(
                messageBytesMax: limits.frameBytesMax, tag: Tag.worker, subprotocol: 1,
                loosePerSecondMax: limits.framesPerSecondMax,
                owner: ClientAddress(request.clientAddress, by: request.peerAddress))
        case .success(.echo):
            return .accept(messageBytesMax: limits.echoBytesMax, tag: Tag.echo)
        case .failure(let refusal): return refuse(request, refusal)
        }
    }

    var capturedHeaderNames: [String] {
        if case .arrival(let headers) = authenticationService.details { headers } else { [] }
    }

    /// The details of an upgrade request that are kept until its client authenticates.
    private func upgradeContext(of request: UpgradeRequest) -> (any AnyObject & Sendable)? {
        let client = ClientAddress(request.clientAddress, by: request.peerAddress)
        guard case .arrival = authenticationService.details else { return client }
        return UpgradeContext(
            client,
            AuthenticationRequest.Arrival(
                peer: request.clientAddress, origin: request.origin,
                headers: request.headers.map { HeaderField(name: $0.name, value: $0.value) }))
    }

    private func admit(
        watcher request: UpgradeRequest, unless tooMuch: GateRefusal?
    ) -> UpgradeDecision {
        let isAdmin = gate.isAdmin(address: request.localAddress, port: request.localPort)
        let place = request.place.object as? ConnectionPlace
        if let refusal = operators.refusal(ofWatch: request) ?? tooMuch
            ?? (isAdmin ? nil : connectionLimiter.refusal(ofUpgradeAt: place, now: now))
        {
            return refuse(request, refusal)
        }
        // A watcher only receives events and sends nothing.
        return .accept(
            messageBytesMax: limits.frameBytesMax, tag: Tag.watcher, subprotocol: 2,
            loosePerSecondMax: limits.framesPerSecondMax,
            owner: WatchFilter(query: request.query))
    }

    private func refuse(
        _ request: UpgradeRequest, _ refusal: GateRefusal
    ) -> UpgradeDecision {
        metrics.connections.recordUpgradeRefused(refusal)
        if refusal == .proxyNotConfigured { warnOfProxy(at: request.peerAddress) }
        if refusal == .originNotAllowed, foreignOrigins.isDue(at: now) {
            log(.originNotAllowed, [.origin: request.origin ?? "", .option: "origins"])
        }
        if refusal == .hostNotAllowed, foreignHosts.isDue(at: now) {
            log(.hostNotAllowed, [.host: request.host ?? "", .option: "listen"])
        }
        log(
            .upgradeRefused,
            [
                .status: String(refusal.status), .reason: "\(refusal)", .path: request.path,
                .host: request.host ?? "", .origin: request.origin ?? "",
                .peer: request.clientAddress,
            ])
        return .refuse(refusal.response)
    }

    /// Logs, at most once a minute, that a request came through a proxy that is not configured.
    func warnOfProxy(at address: String) {
        if proxies.recordUntrustedProxy(at: now) { log(.proxyNotConfigured, [.peer: address]) }
    }
}
