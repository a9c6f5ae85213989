internal import Glibc
internal import RefreshBroker
internal import WebSocketTransport

/// One client of the load test. It is used only on the thread of its event loop.
final class LoadedSession {
    enum Phase {
        case waiting, dialing, greeting, playing, leaving, ended
    }

    /// The index of its target in the plan.
    let target: Int
    /// The gestures of the session, all of one kind.
    let gestures: [LoadGesture]
    var phase = Phase.waiting
    var connection: ClientConnection?
    /// The number of the address that is dialed next.
    var address = 0
    /// Whether the daemon has begun a new session in place of the lost one.
    var hasFreshSession = false
    /// The time at which the present connection was dialed, in microseconds.
    var dialedAt: Int64 = 0
    /// The time of its next turn. Other turns in the schedule are out of date.
    var turnAt: Int64 = 0
    /// What the client needs to resume its session; nil if it does not connect again.
    var resume: ResumeRecord?
    /// The time at which the connection was lost, if the client has not returned yet.
    private(set) var lostAt: Int64?
    /// The number of attempts to connect since the client was last connected for a while.
    private var attempts = 0
    /// The time of the last answer to `hello`; nil before the first one.
    private(set) var welcomedAt: Int64?
    /// The time at which the last frame was sent, in microseconds.
    private var lastSentAt: Int64 = 0
    private var livenessCheck = LivenessCheck()
    /// The `seq` of the last message that has one.
    var seq = 0
    /// The index of the current gesture. `frame` is the index of the gesture's next frame, and
    /// `beganAt` is the start time of the gesture in microseconds.
    private(set) var gesture = 0
    private(set) var frame = 0
    private(set) var beganAt: Int64 = 0
    private var random: SeededRandom
    /// The due times of sent frames, the oldest first. Only the frames from `firstDueIndex` on are
    /// unanswered.
    private var dueTimes: [Int64] = []
    private var firstDueIndex = 0
    /// The ping number of the oldest unanswered frame. A ping number is the `t` of the `ping` at
    /// the end of a frame.
    private var firstPing = 0

    init(target: Int, gestures: [LoadGesture], seed: UInt64, reconnects: Bool) {
        self.target = target
        self.gestures = gestures
        resume = reconnects ? ResumeRecord() : nil
        random = SeededRandom(seed: seed)
    }

    /// The number of unanswered frames.
    var pending: Int { dueTimes.count - firstDueIndex }

    /// The next frame to send.
    var nextFrame: LoadFrame { gestures[gesture].frames[frame] }

    /// Starts a randomly chosen gesture at this time.
    func startRandomGesture(at now: Int64) {
        gesture = Int.random(in: gestures.indices, using: &random)
        frame = 0
        beganAt = now
    }

    /// Returns a random time between 0 and `span`, in microseconds.
    func randomTime(within span: Int64) -> Int64 {
        span > 0 ? Int64.random(in: 0..<span, using: &random) : 0
    }

    /// Records that the frame that was due at `at` is sent now. Returns its ping number.
    func recordSent(dueAt at: Int64, at now: Int64) -> Int {
        lastSentAt = now
        dueTimes.append(at)
        return firstPing + pending - 1
    }

    /// Returns whether earlier frames than this one are still unanswered.
    func hasUnanswered(before ping: Int) -> Bool { ping > firstPing && ping - firstPing < pending }

    /// Records the answer to the frame with this ping number. Returns the due time of the frame, or
    /// nil if no answer to it was awaited. Answers arrive in order, so answers to earlier frames
    /// are no longer awaited.
    func recordAnswer(_ ping: Int) -> Int64? {
        let place = ping - firstPing
        guard place >= 0, place < pending else { return nil }
        let at = dueTimes[firstDueIndex + place]
        firstDueIndex += place + 1
        firstPing = ping + 1
        if firstDueIndex > 64, firstDueIndex * 2 > dueTimes.count {
            dueTimes.removeFirst(firstDueIndex)
            firstDueIndex = 0
        }
        return at
    }

    /// Keeps the messages of a frame that is sent now, if the client connects again after a loss.
    func keep(_ frame: LoadFrame) {
        guard resume != nil else { return }
        var seq = seq
        for message in frame.messages where message.hasSeq {
            seq += 1
            resume?.recordSent(message, seq: seq, clockMs: Double(beganAt / 1_000))
        }
    }

    /// Records that the connection was lost. Returns the due times of the unanswered frames, whose
    /// answers are no longer awaited.
    func recordLoss(at now: Int64) -> [Int64] {
        if lostAt == nil {
            lostAt = now
            if let welcomedAt, now - welcomedAt >= ReconnectionDelay.steady { attempts = 0 }
        }
        let unanswered = Array(dueTimes[firstDueIndex...])
        firstPing += pending
        dueTimes = []
        firstDueIndex = 0
        return unanswered
    }

    /// Returns the delay before the next attempt to connect, in microseconds.
    func nextAttemptDelay() -> Int64 {
        defer { attempts += 1 }
        return Int64.random(in: ReconnectionDelay.range(ofAttempt: attempts), using: &random)
    }

    /// Records the answer to `hello`. Returns the time since the connection was lost; nil if it is
    /// the first answer.
    func recordWelcome(at now: Int64) -> Int64? {
        defer {
            welcomedAt = now
            lostAt = nil
        }
        return welcomedAt == nil ? nil : lostAt.map { now - $0 }
    }

    /// Checks the connection. Returns whether it is alive: false if no `pong` has arrived for too
    /// long although the client awaits one. Must be called at regular intervals.
    func checkLiveness() -> Bool {
        let isGreeting = phase == .greeting
        return livenessCheck.recordCheck(
            oldest: pending > 0 ? firstPing : nil,
            intervals: isGreeting ? LivenessCheck.greetingIntervals : LivenessCheck.intervals)
    }

    /// Whether the client must send `ping`: it has sent nothing for the `heartbeat` of its
    /// `welcome`, and awaits no `pong`.
    func owesPing(at now: Int64) -> Bool {
        guard phase == .playing, pending == 0, let heartbeat = resume?.heartbeat else {
            return false
        }
        return now - lastSentAt >= heartbeat
    }

    /// Advances to the next frame after the current one was sent. Returns the time when the next
    /// frame is due. Nil if the next frame is due as soon as the current one is answered.
    func advanceFrame(dueAt at: Int64, pace: LoadPlan.Pace) -> Int64? {
        frame += 1
        let isOver = frame == gestures[gesture].frames.count
        switch pace {
        case .closed:
            if isOver { startRandomGesture(at: at) }
            return nil
        case .rate(let rate):
            let next = at + max(1, Int64(1_000_000 / rate))
            if isOver { startRandomGesture(at: next) }
            return next
        case .recorded(let speed, let pause):
            if isOver { startRandomGesture(at: at + randomPause(mean: pause)) }
            return beganAt + Int64(Double(nextFrame.at) / speed)
        }
    }

    /// Returns an exponentially distributed pause, so that the gestures of many clients are
    /// independent of each other. The pause is at most ten times the mean.
    private func randomPause(mean: Int64) -> Int64 {
        guard mean > 0 else { return 0 }
        let length = -Double(mean) * log(1 - Double.random(in: 0..<1, using: &random))
        return Int64(min(length, Double(mean) * 10))
    }
}
