internal import Histogram
internal import RefreshProtocol
internal import WebSocketTransport

/// The part of a load test that runs on one thread: its sessions, their schedule and their results.
/// It is used on the thread of its loop only.
final class LoadThread: ClientHandler {
    private let plan: LoadPlan
    private unowned let core: ClientCore
    private var sessions: [LoadedSession] = []
    private var turns = TurnQueue()
    private var scratch = ByteBuffer(headroom: ClientConnection.headroom, capacity: 4096)
    private(set) var tallies: [LoadTally]
    /// The measurement window. It contains the due times of the frames that are measured. Frames
    /// that are due after the window are not sent.
    private var window: Range<Int64> = .max..<Int64.max
    /// The time at which all connections are checked next, in microseconds; nil if clients do not
    /// connect again.
    private var nextCheckAt: Int64?

    /// The maximum number of frames that are sent before received frames are processed.
    private static let turnsPerWakeupMax = 128

    /// Creates the part for the thread with this index, of `plan.threads` threads. Connections are
    /// opened from `start` on, in microseconds of `MonotonicClock`.
    init(_ plan: LoadPlan, index: Int, start: Int64, core: ClientCore) {
        self.plan = plan
        self.core = core
        tallies = plan.targets.map { _ in LoadTally() }
        nextCheckAt = plan.reconnects ? start : nil
        let kinds = Dictionary(grouping: plan.gestures, by: \.kind)
        for place in stride(from: index, to: plan.connections, by: plan.threads) {
            for target in plan.targets.indices {
                // The gesture does not depend on the target, so the clients of all targets perform
                // the same sequence of gestures.
                let chosen = plan.gestures[place % plan.gestures.count]
                let session = LoadedSession(
                    target: target, gestures: kinds[chosen.kind] ?? [chosen],
                    seed: plan.seed &* 0x1_0000_0001 &+ UInt64(place), reconnects: plan.reconnects)
                session.address = place
                let share = Int64(place) * plan.ramp / Int64(plan.connections)
                sessions.append(session)
                schedule(session, number: sessions.count - 1, at: start + share)
            }
        }
        scheduleWakeup()
    }

    /// Starts the measurement of frames that are due in `window`. Frames due after the window are
    /// not sent.
    func measure(_ window: Range<Int64>) {
        // The window starts in the future, so that frames already sent and their answers are not
        // counted.
        let from = max(window.lowerBound, MonotonicClock.nowMicroseconds + 1)
        self.window = min(from, window.upperBound)..<window.upperBound
    }

    /// The current tallies. Frames that were due during the measurement and are not yet sent,
    /// because this thread is late, count as pending.
    var currentTallies: [LoadTally] {
        var state = tallies
        for session in sessions {
            state[session.target].pending += session.pending
            guard session.phase != .ended else { continue }
            if session.lostAt != nil { state[session.target].returns.away += 1 }
            if session.welcomedAt == nil { state[session.target].awaitingWelcome += 1 }
        }
        for turn in turns.due(before: window.upperBound) {
            let session = sessions[turn.number]
            if session.phase == .playing, turn.at == session.turnAt {
                state[session.target].pending += 1
            }
        }
        return state
    }

    /// Sends `bye` on all sessions, so that the server keeps none of them for a resume. Answers
    /// that arrive after this call are not counted.
    func sendByes() {
        for session in sessions where session.phase == .playing {
            session.phase = .leaving
            scratch.removeAll()
            scratch.append(literal: #"{"type":"bye"}"#)
            unsafe session.connection?.send(scratch.payload)
        }
    }

    /// The number of sessions that have sent `bye` and are still connected.
    var leavingCount: Int { sessions.count { $0.phase == .leaving } }

    // MARK: Turns

    func wakeupFired() {
        checkConnections()
        var count = 0
        while let turn = turns.first, count < Self.turnsPerWakeupMax,
            turn.at <= MonotonicClock.nowMicroseconds
        {
            turns.removeFirst()
            handleTurn(turn)
            count += 1
        }
        scheduleWakeup()
    }

    private func schedule(_ session: LoadedSession, number: Int, at time: Int64) {
        session.turnAt = time
        turns.insert(TurnQueue.Turn(at: time, number: number))
    }

    private func scheduleWakeup() {
        let next = min(turns.first?.at ?? .max, nextCheckAt ?? .max)
        if next < .max { core.scheduleWakeup(at: next) }
    }

    private func handleTurn(_ turn: TurnQueue.Turn) {
        let session = sessions[turn.number]
        guard turn.at == session.turnAt else { return }
        switch session.phase {
        case .waiting:
            session.phase = .dialing
            session.dialedAt = MonotonicClock.nowMicroseconds
            let addresses = plan.targets[session.target].addresses
            core.dial(addresses[session.address % addresses.count], number: turn.number)
        case .playing:
            guard turn.at < window.upperBound else { return }
            sendNextFrame(session, number: turn.number, dueAt: turn.at)
        case .dialing, .greeting, .leaving, .ended: return
        }
    }

    /// Sends the session's next frame and schedules the one after it.
    private func sendNextFrame(_ session: LoadedSession, number: Int, dueAt at: Int64) {
        send(session.nextFrame, of: session, dueAt: at)
        if let next = session.advanceFrame(dueAt: at, pace: plan.pace) {
            schedule(session, number: number, at: next)
        }
    }

    private func send(
        _ frame: LoadFrame, of session: LoadedSession, dueAt at: Int64, members: [UInt8] = [],
        repeated: [[UInt8]] = []
    ) {
        guard let connection = session.connection else { return }
        let now = MonotonicClock.nowMicroseconds
        scratch.removeAll()
        session.keep(frame)
        frame.write(
            into: &scratch, seq: &session.seq, clockMs: Double(session.beganAt / 1_000),
            ping: session.recordSent(dueAt: at, at: now), members: members, repeated: repeated)
        tallies[session.target].totalSent += 1
        if window.contains(at) {
            tallies[session.target].sent += 1
            tallies[session.target].bytesSent += scratch.count
            tallies[session.target].lag.record(microseconds: now - at)
        }
        unsafe connection.send(scratch.payload)
    }

    // MARK: ClientHandler

    func opened(_ connection: ClientConnection) {
        let session = sessions[connection.number]
        session.connection = connection
        session.phase = .greeting
        session.startRandomGesture(at: MonotonicClock.nowMicroseconds)
        // A `hello` has no due time, because it is not measured as a message. The time until
        // `welcome` is measured from the dialing.
        let gesture = session.gestures[session.gesture]
        let members = session.resume?.helloMembers(requestsSnapshots: gesture.requestsSnapshots)
        let repeated = session.resume?.repeatedMessages() ?? []
        tallies[session.target].returns.repeated += repeated.count
        let hello = session.resume?.resumesSession == true ? gesture.helloAlone : gesture.hello
        send(hello, of: session, dueAt: .min, members: members ?? [], repeated: repeated)
    }

    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: ClientConnection) {
        let now = MonotonicClock.nowMicroseconds
        let session = sessions[connection.number]
        let target = session.target
        if window.contains(now) { tallies[target].bytesReceived += message.count }
        guard !isBinary else {
            tallies[target].unreadable[.binary, default: 0] += 1
            return
        }
        for code in ReplyReader.errors(in: message) {
            if isExpected(code) {
                tallies[target].returns.draining += 1
            } else {
                tallies[target].faults[code, default: 0] += 1
            }
        }
        applyToResumeRecord(message, of: session)
        guard let last = ReplyReader.lastPong(in: message) else {
            // Only few frames contain no `pong`, so their parsing costs little.
            if !ReplyReader.isReadable(message) {
                tallies[target].unreadable[.noMessage, default: 0] += 1
            }
            return
        }
        guard session.hasUnanswered(before: last) else {
            return recordAnswer(last, session, number: connection.number, now)
        }
        for ping in ReplyReader.pongs(in: message) {
            recordAnswer(ping, session, number: connection.number, now)
        }
    }

    /// Records the answer to the frame with this ping number.
    private func recordAnswer(_ ping: Int, _ session: LoadedSession, number: Int, _ now: Int64) {
        guard let at = session.recordAnswer(ping) else { return }
        let target = session.target
        switch session.phase {
        case .greeting:
            if let away = session.recordWelcome(at: now) {
                tallies[target].returns.times.record(microseconds: away)
            } else {
                tallies[target].greeted += 1
                tallies[target].greeting.record(microseconds: now - session.dialedAt)
            }
            session.phase = .playing
            if sendRequests(of: session, at: now) { return }
            startFirstGesture(session, number: number, now: now)
        case .playing:
            if window.contains(at) {
                tallies[target].answered += 1
                tallies[target].latency.record(microseconds: now - at)
            }
            if plan.pace == .closed, now < window.upperBound {
                sendNextFrame(session, number: number, dueAt: now)
            }
        case .waiting, .dialing, .leaving, .ended: return
        }
    }

    /// Requests what the list of a fresh session needs, if the session could not be resumed.
    /// Returns whether the answer starts the next gesture.
    private func sendRequests(of session: LoadedSession, at now: Int64) -> Bool {
        guard session.hasFreshSession else { return false }
        session.hasFreshSession = false
        guard let requests = session.gestures[session.gesture].requests else { return false }
        send(requests, of: session, dueAt: .min)
        guard plan.pace == .closed else { return false }
        session.startRandomGesture(at: now)
        return true
    }

    /// Starts the first gesture. If the pace is not `closed`, a random delay precedes the gesture,
    /// so that sessions do not start at the same time.
    private func startFirstGesture(_ session: LoadedSession, number: Int, now: Int64) {
        let delay: Int64 =
            switch plan.pace {
            case .closed: 0
            case .rate(let rate): session.randomTime(within: Int64(1_000_000 / rate))
            case .recorded(let speed, let pause):
                session.randomTime(
                    within: pause
                        + Int64(Double(session.gestures[session.gesture].duration) / speed))
            }
        session.startRandomGesture(at: now + delay)
        guard delay > 0 || plan.pace != .closed else {
            // A client may come back after the window.
            guard now < window.upperBound else { return }
            return sendNextFrame(session, number: number, dueAt: now)
        }
        schedule(session, number: number, at: now + delay)
        scheduleWakeup()
    }

    func failed(_ number: Int, _ failure: DialFailure) {
        let session = sessions[number]
        guard session.lostAt == nil else {
            tallies[session.target].returns.failedAttempts += 1
            return reconnect(session, number: number)
        }
        session.phase = .ended
        tallies[session.target].failed += 1
        if tallies[session.target].firstFailure == nil {
            tallies[session.target].firstFailure = Self.text(of: failure)
        }
    }

    func closed(_ connection: ClientConnection, code: UInt16) {
        let session = sessions[connection.number]
        session.connection = nil
        let hasLeft = session.phase == .leaving
        session.phase = .ended
        guard !hasLeft else { return }
        tallies[session.target].lost += 1
        tallies[session.target].closeCodes[code, default: 0] += 1
        guard session.resume != nil else { return }
        guard ReconnectionDelay.isFinal(code) else {
            return reconnect(session, number: connection.number)
        }
        recordLoss(of: session, at: MonotonicClock.nowMicroseconds)
        tallies[session.target].returns.ended += 1
    }

    private static func text(of failure: DialFailure) -> String {
        switch failure {
        case .urlInvalid: "it is not a WebSocket URL"
        case .refused(let status): "the upgrade was refused with status \(status)"
        case .unreachable(let reason): "it cannot be reached: \(reason)"
        case .timedOut: "there was no answer in time"
        }
    }

    // MARK: Reconnections

    /// Schedules the next attempt to connect.
    private func reconnect(_ session: LoadedSession, number: Int) {
        let now = MonotonicClock.nowMicroseconds
        recordLoss(of: session, at: now)
        session.phase = .waiting
        session.address += 1
        schedule(session, number: number, at: now + session.nextAttemptDelay())
        scheduleWakeup()
    }

    /// Records that a client has lost its connection, and counts the frames that it interrupts.
    private func recordLoss(of session: LoadedSession, at now: Int64) {
        let unanswered = session.recordLoss(at: now)
        tallies[session.target].returns.interrupted += unanswered.count { window.contains($0) }
    }

    /// Checks all connections if it is time for it. Cuts dead connections, and sends `ping` on
    /// silent ones. After the measurement, no more messages become due.
    private func checkConnections() {
        let now = MonotonicClock.nowMicroseconds
        guard let nextCheckAt, nextCheckAt <= now else { return }
        self.nextCheckAt = now + max(1, plan.pongTimeout / Int64(LivenessCheck.intervals))
        for session in sessions where session.phase == .greeting || session.phase == .playing {
            if !session.checkLiveness() {
                session.connection?.terminate()
            } else if session.owesPing(at: now), now < window.upperBound {
                sendPing(of: session, at: now)
            }
        }
    }

    private func sendPing(of session: LoadedSession, at now: Int64) {
        scratch.removeAll()
        scratch.append(literal: #"{"type":"ping","t":"#)
        scratch.append(session.recordSent(dueAt: .min, at: now))
        scratch.append(UInt8(ascii: "}"))
        unsafe session.connection?.send(scratch.payload)
    }

    /// A daemon that stops announces this to its clients. A client that connects again expects it.
    private func isExpected(_ code: String) -> Bool { plan.reconnects && code == "draining" }

    /// Applies a frame to what the client needs for a resumption, and counts what the frame shows.
    private func applyToResumeRecord(_ message: Span<UInt8>, of session: LoadedSession) {
        guard session.resume != nil,
            let value = try? JSONValue(parsing: message, limits: .generous)
        else { return }
        let target = session.target
        for finding in session.resume?.apply(value.array ?? [value]) ?? [] {
            switch finding {
            case .resumed: tallies[target].returns.resumed += 1
            case .fresh(reason: nil): break
            case .fresh(let reason?):
                tallies[target].returns.fresh[reason, default: 0] += 1
                session.hasFreshSession = true
            case .itemsRepeated: tallies[target].returns.itemsRepeated += 1
            case .itemsMissing: tallies[target].returns.itemsMissing += 1
            case .invalidNumber: tallies[target].unreadable[.invalidNumber, default: 0] += 1
            }
        }
    }
}
