import RefreshProtocol

/// What a client needs to resume its session at any daemon.
struct SessionCredentials {
    let session: String
    let token: String
    let snapshot: String
}

/// The course of a connection that presents credentials which must not be accepted any more.
enum Replay {
    case waiting
    /// The session was resumed, and the connection is open.
    case resumed
    /// The daemon has refused the credentials.
    case refused(reason: String)
    /// The daemon has closed the connection.
    case closed
}

// A client that presents the credentials of another one again, as its subject.
extension SimulatedClient {
    /// Connects to the daemon at a place with the credentials of this client, which must not be
    /// accepted any more. `number` is another one for each connection of this client.
    func replay(_ credentials: SessionCredentials, at place: Int, number: Int) -> SimulatedClient {
        let thief = SimulatedClient(self.number, in: simulation, plan: simulation.plan)
        thief.connections = 1000 + number
        thief.daemonIndex = place
        thief.session = (credentials.session, credentials.token)
        thief.snapshot = credentials.snapshot
        thief.replay = .waiting
        thief.connect()
        return thief
    }

    func receiveReplayed(_ messages: [JSONValue], on connection: SimulatedConnection) {
        guard case .waiting? = replay,
            let welcome = messages.first(where: { $0["type"]?.string == "welcome" })
        else { return }
        link = .open(connection)
        if welcome["resumed"]?.bool == true {
            replay = .resumed
        } else {
            replay = .refused(reason: welcome["reason"]?.string ?? "no reason")
            leave()
        }
    }

    func endReplay(_ code: CloseCode?) {
        link = .left
        switch replay {
        case .waiting?, .resumed?: replay = .closed
        case .refused?, .closed?, nil: break
        }
    }
}
