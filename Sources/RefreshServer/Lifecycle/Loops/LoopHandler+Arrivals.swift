internal import WebSocketTransport

// Connections before their first request: which ones count, and which ones are refused because
// there are too many.
extension LoopHandler {
    func arrived(_ arrival: IncomingConnection) -> ArrivalDecision {
        // An operator must be able to look especially when there are too many clients.
        let isAdmin = gate.isAdmin(address: arrival.localAddress, port: arrival.localPort)
        let decision =
            isAdmin
            ? connectionLimiter.arriveAtAdmin()
            : connectionLimiter.arrive(from: arrival.peerAddress)
        switch decision {
        case .welcome: break
        case .hearOut: refused(.tooManyConnections)
        case .turnAway: refused(.turnedAway)
        }
        return decision
    }

    func left(_ place: ConnectionContext) {
        if let place = place.object as? ConnectionPlace { connectionLimiter.leave(place) }
    }

    func headTimedOut() { refused(.headTimeout) }

    func cannotAccept(for shortage: AcceptFailure) -> HTTPResponse? {
        metrics.acceptFailed(shortage)
        return GateRefusal.outOfFiles.response
    }

    /// Whether the address that a proxy forwards for may have another connection. From now on this
    /// connection counts for that address. For clients without a proxy this was checked on arrival.
    func hasRoom(for client: String, of peer: String, at place: ConnectionContext) -> Bool {
        guard client != peer, let place = place.object as? ConnectionPlace,
            !proxies.contains(client)
        else { return true }
        return connectionLimiter.place(place, isFor: client)
    }

    private func refused(_ reason: ConnectionRefusal) {
        metrics.connectionRefused(reason)
    }
}
