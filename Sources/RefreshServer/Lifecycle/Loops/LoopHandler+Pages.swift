internal import RefreshProtocol
internal import WebSocketTransport

/// HTTP requests that are not upgrades: requests for pages, and requests of operators.
extension LoopHandler {
    func bodyDecision(for request: HTTPRequest) -> BodyDecision {
        if let refusal = refusal(of: request) { return .refuse(refusal) }
        guard hasRoom(for: request) else {
            return .refuse(GateRefusal.tooManyConnections.response)
        }
        let decision = pages.bodyDecision(for: request)
        if case .refuse(let response) = decision { logRefusal(response, of: request) }
        return decision
    }

    func respond(to request: HTTPRequest, ticket: HTTPTicket) -> HTTPResponse? {
        if let refusal = refusal(of: request) { return refusal }
        switch operators.verdict(on: request) {
        case .foreign: return respond(to: request)
        case .refused(let response): return HTTPPages.addingSafetyHeaders(to: response)
        case .granted(let order):
            operators.start(order, for: ticket, at: now)
            scheduleOperatorDeadline()
            return nil
        }
    }

    private func refusal(of request: HTTPRequest) -> HTTPResponse? {
        // Health is reported even if the daemon is full, so that the service manager does not
        // restart it.
        if request.path != ServedPath.health,
            let refusal = connectionLimiter.refusal(
                ofRequestAt: request.place.object as? ConnectionPlace)
        {
            return refusal.response
        }
        return refusal(ofUnknownProxyFor: request).map {
            HTTPPages.addingSafetyHeaders(to: $0.response)
        }
    }

    /// Refuses requests through a proxy that is not configured, except those for health and
    /// readiness. This applies to `admin` listeners too: the proxy can connect there, but the
    /// client behind it is unknown.
    private func refusal(ofUnknownProxyFor request: HTTPRequest) -> GateRefusal? {
        let isPublic = [ServedPath.health, ServedPath.readiness].contains(request.path)
        guard !isPublic, gate.isUnknownProxy(GatePolicy.Peer(request)) else { return nil }
        warnOfProxy(at: request.peerAddress)
        return .proxyNotConfigured
    }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        guard hasRoom(for: request) || request.path == ServedPath.health else {
            return GateRefusal.tooManyConnections.response
        }
        let response = pages.respond(to: request)
        logRefusal(response, of: request)
        return response
    }

    private func hasRoom(for request: HTTPRequest) -> Bool {
        hasRoom(for: request.clientAddress, of: request.peerAddress, at: request.place)
    }

    private func logRefusal(_ response: HTTPResponse, of request: HTTPRequest) {
        guard response.status == 400 else { return }
        log(
            .requestRefused,
            [.path: request.path, .host: request.host ?? "", .peer: request.clientAddress])
    }
}
