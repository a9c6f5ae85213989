internal import WebSocketTransport

// Connections before their first request: which ones count, and which ones are refused because
// there are too many.
extension LoopHandler {
    func connectionAccepted(_ arrival: IncomingConnection) -> ArrivalDecision {
        // An operator must be able to look especially when there are too many clients.
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

    /// Whether the address that a proxy forwards for may have another connection. From now on this
    /// connection counts for that address. For clients without a proxy this was checked on arrival.
    func hasRoom(for client: String, of peer: String, at place: ConnectionContext) -> Bool {
        guard client != peer, let place = place.object as? ConnectionPlace,
            !proxies.contains(client)
        else { return true }
        return connectionLimiter.assign(place, toClient: client)
    }

    private func recordRefusal(_ reason: ConnectionRefusal) {
        metrics.connections.recordConnectionRefused(reason)
    }
}
