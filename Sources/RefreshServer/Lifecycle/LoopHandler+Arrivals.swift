internal import WebSocketTransport

// Connections before they have asked for anything: who is counted, and who is told that there are
// too many.
extension LoopHandler {
    func arrived(_ arrival: IncomingConnection) -> ArrivalDecision {
        // An operator must be able to look just when there are too many clients.
        let isAdmin = gate.isAdmin(address: arrival.localAddress, port: arrival.localPort)
        let decision =
            isAdmin ? doorkeeper.arriveAtAdmin() : doorkeeper.arrive(from: arrival.peerAddress)
        switch decision {
        case .welcome: break
        case .hearOut: refused(.tooManyConnections)
        case .turnAway: refused(.turnedAway)
        }
        return decision
    }

    func left(_ place: HeldPlace) {
        if let place = place.object as? ConnectionPlace { doorkeeper.leave(place) }
    }

    func headTimedOut() { refused(.headTimeout) }

    func cannotAccept(for shortage: Shortage) -> HTTPResponse? {
        metrics.acceptFailed(shortage)
        return GateRefusal.outOfFiles.response
    }

    /// Whether the address that a proxy speaks for may have a connection more: from here on this
    /// one is that address's. Of connections that speak for themselves it was asked when they
    /// arrived.
    func hasRoom(for client: String, of peer: String, at place: HeldPlace) -> Bool {
        guard client != peer, let place = place.object as? ConnectionPlace,
            !proxies.contains(client)
        else { return true }
        return doorkeeper.place(place, isFor: client)
    }

    private func refused(_ reason: ConnectionRefusal) {
        metrics.connectionRefused(reason)
    }
}
