import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession

// How a client connects and resumes its session.
extension SimulatedClient {
    /// `answerTimeout` is the longest wait for `welcome` or for the answer to a `ping`. After this
    /// time, the client abandons the connection. `heartbeat` is the silence after which the client
    /// sends a `ping`. Both are in milliseconds.
    private static let answerTimeout = 5000.0
    private static let heartbeat = 4000.0

    func connect() {
        guard case .offline = link, !isLeaving else { return }
        connections += 1
        let connection = simulation.connect(self)
        link = .greeting(connection)
        hasSentHello = false
        sent = 0
        ackHere = 0
        lastReceived = simulation.agenda.now
        after(faultGenerator.milliseconds(0.1, 20)) { client in
            guard client.connection === connection else { return }
            connection.open()
            client.sendHello(on: connection)
        }
        watch(connection)
    }

    /// Detects that the connection was lost without a close frame.
    private func watch(_ connection: SimulatedConnection) {
        after(Self.heartbeat / 2) { client in
            guard client.connection === connection else { return }
            let silence = client.simulation.agenda.now.milliseconds(since: client.lastReceived)
            guard case .open = client.link else {
                if silence >= Self.answerTimeout { return client.giveUp(connection) }
                return client.watch(connection)
            }
            if silence >= Self.heartbeat + Self.answerTimeout { return client.giveUp(connection) }
            if silence >= Self.heartbeat {
                client.write(
                    [
                        .object([
                            .init("type", .string("ping")), .init("t", .number(client.t)),
                        ])
                    ], on: connection)
            }
            client.watch(connection)
        }
    }

    /// The client closes the connection and connects again later.
    func giveUp(_ connection: SimulatedConnection) {
        connection.drop()
        connectionLost(connection, code: nil)
    }

    private func sendHello(on connection: SimulatedConnection) {
        var members: [JSONValue.Member] = [
            .init("type", .string("hello")), .init("protocol", .number(1)),
            .init("client", .string("simulated/\(number)")),
            .init("frames", .string(mode.rawValue)),
            .init("views", .array(views.map { $0.body(seq: nil, at: t) })),
        ]
        if wantsSnapshots { members.append(.init("snapshots", .bool(true))) }
        if simulation.plan.readers != nil {
            members.append(.init("features", .array([.string("query"), .string("later")])))
        }
        if let subject { members.append(.init("token", .string(subject))) }
        isResumed = false
        requestedSession = nil
        if let resume = resumeRequest() { members.append(.init("resume", resume)) }
        var frame: [JSONValue] = [.object(members)]
        if requestedSession == nil {
            sessionsBegun += 1
            // The messages of the previous session are not sent to the new session.
            outbox.removeAll()
            for index in views.indices { views[index].forget(hand: hand(of: views[index].name)) }
            for index in views.indices where generator.chance(80) {
                if views[index].reader?.getsFirstItems != true { frame += first(viewAt: index) }
            }
        } else {
            frame += outbox.messages + places()
        }
        write(frame, on: connection)
        for index in views.indices { views[index].reader?.recordHello(seq: seq) }
        hasSentHello = true
        seqOfHello = seq
    }

    /// Returns a message with the offset of each list that a layout can have moved after its last
    /// sample. The daemon handles the repeated samples after `hello`. Without this message, it
    /// would take their offsets for the newest.
    private func places() -> [JSONValue] {
        guard mode == .plain else { return [] }
        return views.indices.flatMap { index -> [JSONValue] in
            guard views[index].reader != nil, outbox.hasSample(of: views[index].name) else {
                return []
            }
            let offset = views[index].hand.offset(at: t)
            views[index].hand.place(at: offset, reportedBy: seq + 1)
            return views[index].hand.prepareMessage(
                .object([
                    .init("type", .string("geometry")), .init("offset", .number(offset)),
                ]), at: t, seq: &seq)
        }
    }

    /// The messages that request the first page.
    private func first(viewAt index: Int) -> [JSONValue] {
        let messages = views[index].hand.prepareMessage(
            .object([.init("type", .string("refresh"))]), at: t, seq: &seq)
        outbox.record(messages)
        return messages
    }

    private func resumeRequest() -> JSONValue? {
        isStealing = false
        guard let session else { return nil }
        if let stolen = stolenRequest() { return stolen }
        requestedSession = session.name
        var token = session.token
        if firstAttempt?.token != token { firstAttempt = (token, t) }
        // After this window, a token is void if the daemon has issued a newer token. The window is
        // shortened by a second to allow for the time on the network.
        let window = simulation.plan.previousTokenMs - 1000
        hasSentNewestToken = t < (firstAttempt?.at ?? t) + window
        if let oldToken, !simulation.isQuiet, faultGenerator.chance(2) {
            token = oldToken
            hasSentNewestToken = false
            hasErred = true
            hasUnansweredError = true
            sessionsBegun += 1
        }
        var members: [JSONValue.Member] = [
            .init("session", .string(session.name)), .init("token", .string(token)),
            .init("ack", .number(Double(ack))),
            .init("received", .array(views.compactMap { $0.received.map { .string($0) } })),
        ]
        if let snapshot { members.append(.init("snapshot", .string(snapshot))) }
        return .object(members)
    }

    /// Occasionally, a client authenticates as itself but presents all credentials of another
    /// client.
    private func stolenRequest() -> JSONValue? {
        guard simulation.plan.authenticates, !simulation.isQuiet, faultGenerator.chance(5),
            let victim = simulation.foreignSession(than: self), let session = victim.session
        else { return nil }
        simulation.count("action", "uses another client's credentials")
        isStealing = true
        requestedSession = session.name
        sessionsBegun += 1
        var members: [JSONValue.Member] = [
            .init("session", .string(session.name)), .init("token", .string(session.token)),
            .init(
                "received", .array(victim.views.compactMap { $0.received.map { .string($0) } })),
        ]
        if let snapshot = victim.snapshot { members.append(.init("snapshot", .string(snapshot))) }
        return .object(members)
    }

    /// Handles the end of the connection. `code` is nil if the daemon sent no close code.
    func connectionLost(_ connection: SimulatedConnection, code: CloseCode?) {
        guard self.connection === connection else { return }
        simulation.count("lost", code.map { String(describing: $0) } ?? "abruptly")
        guard replay == nil else { return endReplay(code) }
        link = .offline
        settlePins()
        if isLeaving {
            link = .left
            return
        }
        if let code {
            simulation.checkClose(of: connection, code: code, by: self)
            switch code.rawValue {
            case 4100...: break
            case 4005:
                // Another connection has taken the session over. No other client has a token of
                // this session, but a daemon can have accepted an old token that this client sent
                // deliberately.
                if !hasErred, !simulation.mayLose(session?.name ?? "", on: connection) {
                    return fail(.holder, "lost its session to its own abandoned connection")
                }
                session = nil
            default: return fail("was closed with \(code)")
            }
        }
        let pause = generator.milliseconds(backOff, 2 * backOff)
        backOff = min(backOff * 2, 2000)
        after(pause) { $0.connect() }
    }

    // MARK: Welcome

    func welcome(_ message: JSONValue, on connection: SimulatedConnection) {
        guard case .greeting = link else { return fail("received a second `welcome`") }
        link = .open(connection)
        backOff = 100
        connection.isWelcomed = true
        simulation.checkPlaces(of: connection.daemon)
        if !SimulatedSettings.isConsistent(message) {
            fail("received parts of two configurations: \(message.text)")
        }
        guard let name = message["session"]?.string else {
            return fail("received a `welcome` without a session name: \(message.text)")
        }
        oldToken = session?.token
        isResumed = message["resumed"]?.bool ?? false
        if let requestedSession, message["resumed"] == nil {
            return fail("requested session \(requestedSession), and `welcome` has no result")
        }
        if isResumed {
            if isStealing { fail("resumed the session of another client") }
            simulation.count("welcome", "resumed")
            if name != requestedSession {
                fail("requested session \(requestedSession ?? "nothing") and resumed \(name)")
            }
            outbox.handled(upTo: Int(message["ack"]?.number ?? 0))
            for index in views.indices { views[index].prepareToResume() }
            if let snapshot, let snapshotToken {
                supersededCredentials = SessionCredentials(
                    session: name, token: snapshotToken, snapshot: snapshot)
            }
        } else {
            if requestedSession != nil {
                sessionsBegun += 1
                simulation.count("welcome", message["reason"]?.string ?? "without a reason")
                if let mistake = mistake(in: message["reason"]?.string) { fail(mistake) }
            } else {
                simulation.count("welcome", "fresh")
            }
            startAfresh()
        }
        hasUnansweredError = false
        seqOfReattach = nil
        // Without a token, the client cannot resume this session.
        session = message["token"]?.string.map { (name, $0) }
        connection.welcomedSession = name
        connection.welcomedAt = simulation.agenda.now
        // If the daemon had the session, it has usually handled messages that are newer than the
        // snapshot.
        let isFromSnapshot =
            isResumed && snapshot != nil && message["ack"]?.number == Double(snapshotAck)
        simulation.recordHolder(
            of: name, connection.daemon, isFromSnapshot: isFromSnapshot, by: self)
    }

    /// The reason why the daemon must not refuse the resume request with `reason`. Nil if the
    /// refusal is allowed.
    private func mistake(in reason: String?) -> String? {
        switch reason {
        case _ where isStealing: return nil
        case "unknownSession"
        where seqOfReattach != nil && daemonOfReattach === simulation.daemons[daemonIndex]:
            return nil
        case "unknownSession", "resultsLost":
            return snapshot == nil ? nil : "has a snapshot, and was refused as \(reason ?? "")"
        case "wrongToken" where hasSentNewestToken && !mayHaveVoidedItsToken:
            return "presented its newest token and was refused"
        case "wrongToken": return nil
        case let reason: return "was refused as \(reason ?? "nothing")"
        }
    }

    /// Whether the client's newest token can be void, because the client has sent an older token.
    private var mayHaveVoidedItsToken: Bool {
        simulation.plan.daemons == 1 ? hasUnansweredError : hasErred
    }

    /// Clears the state of the previous session, because a new session has begun.
    private func startAfresh() {
        ack = 0
        hasErred = false
        snapshot = nil
        snapshotAck = 0
        supersededCredentials = nil
        guard requestedSession != nil else { return }
        // The fresh session handles the messages that the client has sent after `hello`, and not
        // in its frame. A snapshot can be older than they are.
        outbox.handled(upTo: seqOfHello)
        for index in views.indices {
            // The list is emptied, so it returns to its start. The daemon knows the offset in
            // `hello`, or that of a sample after it.
            let known = views[index].hand.offset(at: t)
            views[index].forget(
                hand: hand(of: views[index].name, known: known), keepsLater: true)
        }
        after(1) { client in
            guard case .open = client.link, !client.isResumed else { return }
            for index in client.views.indices where client.views[index].isAttached {
                if client.views[index].reader != nil {
                    client.beginReading(viewAt: index)
                } else {
                    client.send(.object([.init("type", .string("refresh"))]), viewAt: index)
                }
            }
        }
    }
}
