internal import RefreshProtocol
internal import WebSocketTransport

/// HTTP requests that are not upgrades: requests for pages, and requests of operators.
extension LoopHandler {
    func bodyBytesMax(method: String, path: String) -> Int {
        HTTPPages.bodyBytesMax(method: method, path: path)
    }

    func respond(to request: HTTPRequest, ticket: HTTPTicket) -> HTTPResponse? {
        // Health is reported even if the daemon is full, so that the service manager does not
        // restart it.
        if request.path != ServedPath.health,
            let refusal = connectionLimiter.refusal(
                ofRequestAt: request.place.object as? ConnectionPlace)
        {
            return refusal.response
        }
        if let refusal = refusal(ofUnknownProxyFor: request) {
            return HTTPPages.addingSafetyHeaders(to: refusal.response)
        }
        switch operators.verdict(on: request) {
        case .foreign: return respond(to: request)
        case .refused(let response): return HTTPPages.addingSafetyHeaders(to: response)
        case .granted(let order):
            operators.start(order, for: ticket, at: now)
            scheduleOperatorDeadline()
            return nil
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
        let hasRoom = hasRoom(
            for: request.clientAddress, of: request.peerAddress, at: request.place)
        guard hasRoom || request.path == ServedPath.health else {
            return GateRefusal.tooManyConnections.response
        }
        let response = pages.respond(to: request)
        if response.status == 400 {
            log(
                .requestRefused,
                [.path: request.path, .host: request.host ?? "", .peer: request.clientAddress])
        }
        return response
    }
}
