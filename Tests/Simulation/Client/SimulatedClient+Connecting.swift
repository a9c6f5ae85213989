import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession

// How a client connects and resumes its session.
extension SimulatedClient {
    /// `patience` is the longest wait for `welcome` or for the answer to a `ping`. After this time,
    /// the client abandons the connection. `heartbeat` is the silence after which the client sends
    /// a `ping`. Both are in milliseconds.
    private static let patience = 5000.0
    private static let heartbeat = 4000.0

    func connect() {
        guard case .offline = link, !wantsGone else { return }
        connections += 1
        let connection = world.connect(self)
        link = .greeting(connection)
        hasGreeted = false
        sent = 0
        ackHere = 0
        lastHeard = world.agenda.now
        after(fate.milliseconds(0.1, 20)) { client in
            guard client.connection === connection else { return }
            connection.open()
            client.greet(on: connection)
        }
        watch(connection)
    }

    /// Detects that the connection was lost without a close frame.
    private func watch(_ connection: SimulatedConnection) {
        after(Self.heartbeat / 2) { client in
            guard client.connection === connection else { return }
            let silence = client.world.agenda.now.milliseconds(since: client.lastHeard)
            guard case .open = client.link else {
                if silence >= Self.patience { return client.giveUp(connection) }
                return client.watch(connection)
            }
            if silence >= Self.heartbeat + Self.patience { return client.giveUp(connection) }
            if silence >= Self.heartbeat {
                client.put(
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

    private func greet(on connection: SimulatedConnection) {
        var members: [JSONValue.Member] = [
            .init("type", .string("hello")), .init("protocol", .number(1)),
            .init("client", .string("simulated/\(number)")),
            .init("frames", .string(mode.rawValue)),
            .init("views", .array(views.map { $0.body(seq: nil, at: t) })),
        ]
        if wantsSnapshots { members.append(.init("snapshots", .bool(true))) }
        if let subject { members.append(.init("token", .string(subject))) }
        isResumed = false
        asked = nil
        if let resume = resumeRequest() { members.append(.init("resume", resume)) }
        var frame: [JSONValue] = [.object(members)]
        if asked == nil {
            sessionsBegun += 1
            // The messages of the previous session are not sent to the new session.
            outbox.removeAll()
            for index in views.indices { views[index].forget(hand: hand(of: views[index].name)) }
            for index in views.indices where generator.chance(80) {
                frame += first(viewAt: index)
            }
        } else {
            frame += outbox.messages
        }
        put(frame, on: connection)
        hasGreeted = true
    }

    /// The messages that request the first page.
    private func first(viewAt index: Int) -> [JSONValue] {
        let messages = views[index].hand.say(
            .object([.init("type", .string("refresh"))]), at: t, seq: &seq)
        outbox.note(messages)
        return messages
    }

    private func resumeRequest() -> JSONValue? {
        isStealing = false
        guard let session else { return nil }
        if let stolen = stolenRequest() { return stolen }
        asked = session.name
        var token = session.token
        if firstAsked?.token != token { firstAsked = (token, t) }
        // After this window, a token is void if the daemon has issued a newer token. The window is
        // shortened by a second to allow for the time on the network.
        let window = max(10_000, Double(world.plan.limits.resumeWindowMs)) - 1000
        hasAskedRightly = t < (firstAsked?.at ?? t) + window
        if let oldToken, !world.isQuiet, fate.chance(2) {
            token = oldToken
            hasAskedRightly = false
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
        guard world.plan.asksWho, !world.isQuiet, fate.chance(5),
            let victim = world.foreignSession(than: self), let session = victim.session
        else { return nil }
        world.count("said", "comes as another")
        isStealing = true
        asked = session.name
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
        world.count("lost", code.map { String(describing: $0) } ?? "abruptly")
        link = .offline
        if wantsGone {
            link = .gone
            return
        }
        if let code {
            switch code.rawValue {
            case 4100...: break
            case 4005:
                // Another connection has taken the session over. No other client has a token of
                // this session, but a daemon can have accepted an old token that this client sent
                // deliberately.
                if !hasErred { return fail("was put out by a connection that it had given up") }
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
        guard case .greeting = link else { return fail("was welcomed twice") }
        link = .open(connection)
        backOff = 100
        connection.isWelcomed = true
        world.checkPlaces(of: connection.daemon)
        if !SimulatedSettings.isWhole(message) {
            fail("was told of parts of two configurations: \(message.text)")
        }
        guard let name = message["session"]?.string else {
            return fail("was welcomed without a name: \(message.text)")
        }
        oldToken = session?.token
        isResumed = message["resumed"]?.bool ?? false
        if let asked, message["resumed"] == nil {
            return fail("asked for \(asked) and was not told what came of it")
        }
        if isResumed {
            if isStealing { fail("goes on with the session of another") }
            world.count("welcome", "resumed")
            if name != asked {
                fail("asked for \(asked ?? "nothing") and goes on with \(name)")
            }
            outbox.handled(upTo: Int(message["ack"]?.number ?? 0))
            for index in views.indices { views[index].comeBack() }
        } else {
            if asked != nil {
                sessionsBegun += 1
                world.count("welcome", message["reason"]?.string ?? "without a reason")
                if let mistake = mistake(in: message["reason"]?.string) { fail(mistake) }
            } else {
                world.count("welcome", "fresh")
            }
            startAfresh()
        }
        hasUnansweredError = false
        // Without a token, the client cannot resume this session.
        session = message["token"]?.string.map { (name, $0) }
    }

    /// The reason why the daemon must not refuse the resume request with `reason`. Nil if the
    /// refusal is allowed.
    private func mistake(in reason: String?) -> String? {
        switch reason {
        case _ where isStealing: return nil
        case "unknownSession", "resultsLost":
            return snapshot == nil ? nil : "has a snapshot, and was refused as \(reason ?? "")"
        case "wrongToken" where hasAskedRightly && !mayHaveVoidedItsToken:
            return "came with the last token that it was told, and was refused"
        case "wrongToken": return nil
        case let reason: return "was refused as \(reason ?? "nothing")"
        }
    }

    /// Whether the client's newest token can be void, because the client has sent an older token.
    private var mayHaveVoidedItsToken: Bool {
        world.plan.daemons == 1 ? hasUnansweredError : hasErred
    }

    /// Clears the state of the previous session, because a new session has begun.
    private func startAfresh() {
        ack = 0
        hasErred = false
        snapshot = nil
        snapshotAck = 0
        guard asked != nil else { return }
        outbox.removeAll()
        for index in views.indices { views[index].forget(hand: hand(of: views[index].name)) }
        after(1) { client in
            guard case .open = client.link, !client.isResumed else { return }
            for index in client.views.indices where client.views[index].isAttached {
                client.say(.object([.init("type", .string("refresh"))]), viewAt: index)
            }
        }
    }
}
