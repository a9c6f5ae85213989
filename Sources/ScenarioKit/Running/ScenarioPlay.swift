internal import RefreshBroker
internal import RefreshProtocol

/// A running scenario: its clients, and the clock that they share.
struct ScenarioPlay {
    private let scenario: Scenario
    private let connect: () -> (any Peer)?
    private let memory: ScenarioMemory
    /// The clients in the order of their creation.
    private var players: [Player] = []

    /// A client and its connections.
    private struct Player {
        let name: String?
        /// The connections. The client sends on the last connection. The earlier connections were
        /// cut or abandoned.
        var connections: [PlayerConnection]
    }

    private struct PlayerConnection {
        var run: ScenarioRun
        var wire: SimulatedNetwork
    }

    init(_ scenario: Scenario, seed: UInt64?, connecting connect: @escaping () -> (any Peer)?) {
        self.scenario = scenario
        self.connect = connect
        memory = ScenarioMemory(seed: seed)
    }

    /// The seed of the random values drawn so far. Nil if none was drawn.
    var seed: UInt64? { memory.hasDrawnRandom ? memory.seed : nil }

    /// Returns the frames sent and received since the last call, in the order of their times.
    mutating func drainExchanges() -> [Exchange] {
        var all: [Exchange] = []
        for index in players.indices {
            for line in players[index].connections.indices {
                all += players[index].connections[line].run.drainExchanges().map { exchange in
                    var exchange = exchange
                    exchange.client = players[index].name
                    return exchange
                }
            }
        }
        // Exchanges at the same time stay in the order of the clients.
        return all.enumerated()
            .sorted { ($0.element.afterMs, $0.offset) < ($1.element.afterMs, $1.offset) }
            .map(\.element)
    }

    /// Ends a phase. A phase fails if an unexpected `error` message has arrived. The end of the
    /// last phase is the end of the scenario. The last phase also fails if a request has no answer,
    /// or if a connection was closed unexpectedly.
    mutating func endPhase(isLast: Bool) async throws(StepFailure) {
        // If no client has connected yet, a client connects now, because a scenario without a
        // connection would not test the server.
        if isLast, players.isEmpty { _ = try await playerIndex(named: nil) }
        let limit = (memory.start ?? now).advanced(byMilliseconds: scenario.limitMs)
        for index in players.indices {
            let last = players[index].connections.count - 1
            if isLast { try await players[index].connections[last].run.end(by: limit) }
            try players[index].connections[last].run.failOnUnmatchedErrors(amongUnread: isLast)
        }
    }

    /// Closes all connections.
    func closeAllConnections() async {
        for player in players {
            for line in player.connections { await line.run.peer.close() }
        }
    }
}

// MARK: - Steps

extension ScenarioPlay {
    /// The steps that one client performs in sequence.
    private struct Track {
        let client: String?
        var steps: ArraySlice<Step>
        /// The remaining parts of the current step.
        var execution: StepExecution?
        /// The index of the connection on which the current step runs.
        var connectionIndex = 0
        /// The time until which the step waits for events.
        var waitUntil = Instant.never
        var hasTimedOut = false
        /// The deadline and the time limit of the current step.
        var limit: (end: Instant, ms: Double)?
    }

    /// Performs one step, in which one or several clients act.
    mutating func perform(_ step: Step) async throws(StepFailure) {
        guard case .atOnce(let steps) = step.action else {
            return try await runTracks([Track(client: step.client, steps: [step])], step)
        }
        var tracks: [Track] = []
        for inner in steps {
            if let index = tracks.firstIndex(where: { $0.client == inner.client }) {
                tracks[index].steps.append(inner)
            } else {
                tracks.append(Track(client: inner.client, steps: [inner]))
            }
        }
        try await runTracks(tracks, step)
    }

    private mutating func runTracks(_ tracks: [Track], _ whole: Step) async throws(StepFailure) {
        var tracks = tracks
        let isBlock = tracks.count > 1 || tracks[0].steps.count > 1
        var blockLimit: (end: Instant, ms: Double)?
        while true {
            var moment: Instant?
            for index in tracks.indices {
                let step = tracks[index].steps.first
                do throws(StepFailure) {
                    guard try await advance(&tracks[index]) else { continue }
                    if isBlock, blockLimit == nil { blockLimit = limit(of: whole) }
                    let limit = earliest(tracks[index].limit, blockLimit)
                    if now >= limit.end { throw timeoutFailure(limit.ms) }
                    moment = min(moment ?? .never, tracks[index].waitUntil, limit.end)
                } catch {
                    throw isBlock
                        ? failureNamingStep(error, tracks[index].steps.first ?? step) : error
                }
            }
            guard let moment else { return }
            let hasCome = try await receiveEvents(until: moment)
            let now = now
            for index in tracks.indices {
                tracks[index].hasTimedOut = !hasCome && tracks[index].waitUntil <= now
            }
        }
    }

    /// Performs those parts of the steps that are possible now. Returns false if all steps are
    /// done.
    private mutating func advance(_ track: inout Track) async throws(StepFailure) -> Bool {
        while let step = track.steps.first {
            let player = try await playerIndex(named: track.client)
            if track.execution == nil {
                track.limit = limit(of: step)
                track.hasTimedOut = false
                if try await applyChange(step.action, of: player) {
                    track.steps.removeFirst()
                    continue
                }
                track.connectionIndex = try connectionIndex(for: step.action, of: player)
                track.execution = try StepExecution(
                    step.action, of: &players[player].connections[track.connectionIndex].run)
            }
            if let request = try await track.execution?.advance(
                &players[player].connections[track.connectionIndex].run, isOver: track.hasTimedOut)
            {
                track.waitUntil = request
                return true
            }
            track.execution = nil
            track.steps.removeFirst()
        }
        return false
    }

    /// Returns the index of the connection on which a step runs. A step runs on the client's
    /// current connection, but the expectation `fenced` runs on the connection that the client has
    /// abandoned.
    private func connectionIndex(for action: Step.Action, of player: Int) throws(StepFailure) -> Int
    {
        let last = players[player].connections.count - 1
        guard case .expect(.fenced) = action else { return last }
        guard last > 0 else {
            throw StepFailure(
                expected: "a connection that an earlier `reconnect` replaced", came: "none")
        }
        return last - 1
    }

    private func limit(of step: Step) -> (end: Instant, ms: Double) {
        let whole = (memory.start ?? now).advanced(byMilliseconds: scenario.limitMs)
        guard let ms = step.limitMs ?? scenario.stepLimitMs else {
            return (whole, scenario.limitMs)
        }
        return earliest((now.advanced(byMilliseconds: ms), ms), (whole, scenario.limitMs))
    }

    private func earliest(
        _ a: (end: Instant, ms: Double)?, _ b: (end: Instant, ms: Double)?
    ) -> (end: Instant, ms: Double) {
        guard let a else { return b ?? (.never, 0) }
        guard let b else { return a }
        return a.end <= b.end ? a : b
    }

    private func timeoutFailure(_ ms: Double) -> StepFailure {
        StepFailure(
            expected: "the end of the step within \(JSONValue.number(ms).text)ms",
            came: "it is still running")
    }

    private func failureNamingStep(_ failure: StepFailure, _ step: Step?) -> StepFailure {
        var failure = failure
        failure.step = step.map { "\($0.text)    (line \($0.position.fileAndLine))" }
        return failure
    }
}

// MARK: - Connections

extension ScenarioPlay {
    /// Returns the index of the client. The first call for a client opens the client's first
    /// connection.
    private mutating func playerIndex(named name: String?) async throws(StepFailure) -> Int {
        if let index = players.firstIndex(where: { $0.name == name }) { return index }
        let index = clientNumber(of: name)
        let wire = try makeWire(to: name)
        var run = ScenarioRun(peer: wire, in: memory)
        run.random = gestureRandom(of: index)
        wire.random = networkRandom(of: index)
        players.append(Player(name: name, connections: [PlayerConnection(run: run, wire: wire)]))
        return players.count - 1
    }

    private func makeWire(to name: String?) throws(StepFailure) -> SimulatedNetwork {
        guard let peer = connect() else {
            throw StepFailure(
                expected: "a connection for \(name ?? "the client")",
                came: "there is only one connection here")
        }
        return SimulatedNetwork(peer, memory, random: SeededRandom(seed: memory.seed))
    }

    /// Returns the client's number: its place in the `clients:` line of the scenario, or 0 for the
    /// unnamed client. The number does not depend on the order in which clients are created.
    private func clientNumber(of name: String?) -> Int {
        name.flatMap { scenario.clients.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    }

    // Each client has its own random generators, one for its gestures and one for its network. If
    // clients shared a generator, its values would depend on the order in which frames arrive.
    private func gestureRandom(of place: Int) -> SeededRandom {
        SeededRandom(seed: memory.seed &+ UInt64(place) &* 0x1_0000_0001)
    }

    private func networkRandom(of place: Int) -> SeededRandom {
        SeededRandom(seed: ~(memory.seed &+ UInt64(place) &* 0x1_0000_0001))
    }

    /// Applies a change to the connection of a client, or to the seed. Returns false for any other
    /// step.
    private mutating func applyChange(
        _ action: Step.Action, of player: Int
    ) async throws(StepFailure) -> Bool {
        let last = players[player].connections.count - 1
        switch action {
        case .random(let seed):
            memory.setSeed(seed)
            for index in players.indices {
                let place = clientNumber(of: players[index].name)
                for line in players[index].connections.indices {
                    players[index].connections[line].run.random = gestureRandom(of: place)
                    players[index].connections[line].wire.random = networkRandom(of: place)
                }
            }
        case .network(.latency(let ms, let spreadMs)):
            players[player].connections[last].wire.latencyMs = ms
            players[player].connections[last].wire.spreadMs = spreadMs
        case .network(.reorder(let every)):
            players[player].connections[last].run.reorderInterval = every
        case .network(.drop):
            try await awaitServerProcessing(player)
            await players[player].connections[last].run.dropConnection()
        case .network(.reconnect(let fields)): try await reconnect(player, fields)
        default: return false
        }
        return true
    }

    /// Waits until the daemon has handled all frames that it received before the connection ended.
    /// Without this wait, the result of a scenario over a socket would depend on timing.
    private mutating func awaitServerProcessing(_ player: Int) async throws(StepFailure) {
        let last = players[player].connections.count - 1
        let wire = players[player].connections[last].wire
        guard wire.latencyMs > 0 else {
            return try await players[player].connections[last].run.synchronise()
        }
        do throws(PeerError) {
            try await wire.awaitServerProcessing()
        } catch {
            throw StepFailure(expected: "a connection", came: error.message)
        }
    }

    private mutating func reconnect(
        _ player: Int, _ fields: [Pattern.Field]
    ) async throws(StepFailure) {
        let former = players[player].connections[players[player].connections.count - 1]
        guard let resume = former.run.resumeState.resume else {
            throw StepFailure(
                expected: "a `welcome` with a session and a token", came: "none so far")
        }
        try await awaitServerProcessing(player)
        let wire = try makeWire(to: players[player].name)
        wire.latencyMs = former.wire.latencyMs
        wire.spreadMs = former.wire.spreadMs
        wire.random = former.wire.random
        var run = ScenarioRun(peer: wire, continuing: former.run)
        var hello = [Pattern.Field("type", .text("hello"))] + fields
        if !fields.contains(where: { $0.name == "resume" }) {
            hello.append(Pattern.Field("resume", Pattern(resume)))
        }
        try await run.send([.object(hello)], asBatch: false)
        players[player].connections.append(PlayerConnection(run: run, wire: wire))
    }
}

// MARK: - Time

extension ScenarioPlay {
    private var now: Instant { players.first?.connections[0].run.now ?? .origin }

    /// Receives events until `moment`, at most one from each connection. Returns false if no event
    /// arrived.
    private mutating func receiveEvents(until moment: Instant) async throws(StepFailure) -> Bool {
        if players.count == 1, players[0].connections.count == 1,
            players[0].connections[0].run.closeEvent == nil
        {
            return try await players[0].connections[0].run.receive(until: moment)
        }
        while true {
            var hasCome = false
            var due = moment
            for index in players.indices {
                for line in players[index].connections.indices {
                    let now = now
                    if try await players[index].connections[line].run.receive(until: now) {
                        hasCome = true
                    }
                    due = min(due, players[index].connections[line].wire.nextDue ?? due)
                }
            }
            if hasCome { return true }
            if now >= moment { return false }
            do throws(PeerError) {
                try await players[0].connections[0].wire.idle(until: due)
            } catch {
                throw StepFailure(expected: "a connection", came: error.message)
            }
        }
    }
}
