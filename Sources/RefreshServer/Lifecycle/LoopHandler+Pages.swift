internal import RefreshProtocol
internal import WebSocketTransport

/// Plain HTTP: pages, and what operators ask.
extension LoopHandler {
    func respond(to request: HTTPRequest, ticket: HTTPTicket) -> HTTPResponse? {
        // A daemon that is full lives, and must not be restarted for it.
        if request.path != ServedPath.health,
            let refusal = doorkeeper.refusal(
                ofRequestAt: request.place.object as? ConnectionPlace)
        {
            return refusal.response
        }
        if let refusal = refusal(ofUnknownProxyFor: request) {
            return HTTPPages.safe(refusal.response)
        }
        switch operators.verdict(on: request) {
        case .foreign: return respond(to: request)
        case .refused(let response): return HTTPPages.safe(response)
        case .granted(let order):
            operators.begin(order, for: ticket, at: now)
            wakeForOperators()
            return nil
        }
    }

    /// Whoever comes by a proxy that nobody has told the daemon of is told no more than whether it
    /// lives and is ready, on `admin` listeners too: what can connect there is the proxy, and who
    /// is behind it may be anybody.
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
