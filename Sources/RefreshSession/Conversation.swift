import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// The logic of a session. It turns frames into events for the engines of its views, carries out
/// the effects that the engines return, and sends the results.
///
/// ```
/// frame ─▶ decoder ─▶ message ─▶ Engine ─▶ effects ─▶ pending update, queue ─▶ frame
/// ```
///
/// Unsent changes are merged in place, so a client that does not read needs constant memory for
/// them. Its unsent items, loads and errors need more memory, up to a limit. The conversation is a
/// value, so that one exclusive access is enough for a whole frame.
struct Conversation {
    /// The loop and the slot in which the conversation was created. The loads of the session use
    /// this key even after the session has moved to another loop.
    let key: SessionKey
    var name: String
    var principal: Principal
    var channel: any Channel
    var services: SessionServices
    var phase: ConnectionPhase
    var credentials: ResumeCredentials
    var snapshotPolicy: SnapshotPolicy
    var outbox = SessionOutbox()
    var inbound: InboundGuard
    var renderMode = RenderMode()
    var views: [ViewSlot] = []
    var delayedRefreshes = DelayedRefreshes()
    /// The client's headers for backends.
    var headers: [HeaderField] = []
    /// The effects of the event that is being handled. The array exists between events only so that
    /// its storage is reused.
    var effects: [Effect] = []
    /// The observer of the session; nil if there is none.
    var observer: SessionObserver?
    let openedAt: Instant
    /// When the running loads began.
    var loadStartTimes = LoadStartTimes()
    /// The generation of the view that was attached last.
    var lastGeneration: UInt32 = 0

    init(
        key: SessionKey, name: String, subject: String?, token: ResumeToken? = nil,
        channel: any Channel, services: SessionServices, now: Instant
    ) {
        self.key = key
        self.name = name
        self.channel = channel
        self.services = services
        openedAt = now
        principal = Principal(subject: subject)
        phase = ConnectionPhase(
            helloDue: now.advanced(byMilliseconds: Double(services.limits.helloTimeoutMs)))
        credentials = ResumeCredentials(token: token, openedAs: name, at: now)
        snapshotPolicy = SnapshotPolicy(at: now)
        inbound = InboundGuard(services.limits, at: now)
    }

    /// Creates the placeholder for a conversation that has moved to another `Session`. The
    /// placeholder receives and sends nothing.
    init(over key: SessionKey, name: String, services: SessionServices, now: Instant) {
        self.init(
            key: key, name: name, subject: nil, channel: AbsentChannel.shared, services: services,
            now: now)
        enter(.closed(keeps: false))
    }

    /// Ends the session.
    mutating func handleChannelClosed(at now: Instant) {
        stopWaiting()
        enter(.closed(keeps: false))
        channel = AbsentChannel.shared
        let gone = views
        views.removeAll()
        for var slot in gone { cancelLoads(of: &slot, at: now) }
        headers = []
        dropQueue()
    }

    mutating func handleDeadlines(at now: Instant) {
        if phase.timeoutCheckDue <= now { handleClientTimeouts(at: now) }
        for index in views.indices {
            if let deadline = views[index].engine.deadlines.next, deadline <= now {
                if inbound.movements != nil { reportMissingIdle(ofViewAt: index, at: now) }
                applyEvent(.timePassed, toViewAt: index, because: .time, at: now)
            }
        }
        if renderMode.playsIndicators { enqueueDueFrames(at: now) }
    }

    /// When the session must be woken. The function is `mutating` only so that it is called in
    /// place and not on a copy.
    @inline(__always)
    mutating func nextDeadline() -> Instant? {
        // The minimum is computed in microseconds. Optional instants would cost each message about
        // fifty more instructions.
        var next = phase.timeoutCheckDue.microseconds
        let framesFrom = renderMode.playsIndicators ? nextFramesAllowedAt.microseconds : 0
        for index in views.indices {
            if renderMode.playsIndicators,
                let frame = views[index].presentation?.indicators.nextFrame
            {
                next = min(next, max(frame.microseconds, framesFrom))
            }
            if let deadline = views[index].engine.deadlines.next {
                next = min(next, deadline.microseconds)
            }
        }
        return next == .max ? nil : Instant(microseconds: next)
    }

    /// Handles the time-outs of the connection, and grants a request for a snapshot that was
    /// delayed until now. The time-outs limit the waits for `hello` and for the decision on it, the
    /// client's silence, the lifetime of its token, and how long output waits for the client.
    private mutating func handleClientTimeouts(at now: Instant) {
        if let due = slowClientDue, due <= now { return closeSlowClient() }
        if let due = snapshotPolicy.due, due <= now { grantSnapshot(at: now) }
        if snapshotPolicy.budget.due <= now { snapshotPolicy.budget.cancelWait() }
        if let due = outbox.firstItemsDue, due <= now { outbox.stopHolding() }
        if delayedRefreshes.due <= now { beginDelayedRefreshes(at: now) }
        if editsDue <= now { performEdits(dueAt: now, at: now) }
        if verificationsDue <= now { verifyLists(dueAt: now) }
        switch phase.stage {
        case .silent(let until) where until <= now: report(Fault(.helloTimeout), at: now)
        case .greeting(let until) where until <= now: handleGreetingTimeout(at: now)
        case .open where principal.expires <= now: report(Fault(.tokenExpired), at: now)
        case .open: if idleDue <= now { report(Fault(.idleClient), at: now) }
        default: break
        }
        phase.timeoutCheckDue = earliestTimeout
    }

    /// Enters a stage of the connection, and computes its time-out.
    mutating func enter(_ stage: ConnectionPhase.Stage) {
        phase.stage = stage
        phase.timeoutCheckDue = earliestTimeout
    }

    /// The time at which the client of an open session has been silent for too long. Its silence
    /// does not count while reading from it is paused.
    private var idleDue: Instant {
        let idleMs = services.limits.idleTimeoutMs
        guard idleMs > 0, !outbox.hasPausedReading else { return .never }
        return inbound.lastReceivedAt.advanced(byMilliseconds: Double(idleMs))
    }

    /// The earliest of all time-outs.
    var earliestTimeout: Instant {
        let due =
            switch phase.stage {
            case .silent(let until), .greeting(let until), .detached(let until): until
            case .open: min(idleDue, principal.expires)
            case .closing, .closed: Instant.never
            }
        return min(
            due, slowClientDue ?? .never, snapshotPolicy.due ?? .never, snapshotPolicy.budget.due,
            delayedRefreshes.due, editsDue, verificationsDue, outbox.firstItemsDue ?? .never)
    }

    /// Reports a fault to the client. Closes the connection if the fault requires it, or if there
    /// were too many faults.
    mutating func report(_ fault: Fault, at now: Instant) {
        guard phase.isAnswering else { return }
        services.metrics.recordFault(fault.code)
        observer?.report(
            SessionEvent(.fault(fault.code, seq: fault.seq), session: name, view: fault.view))
        if let code = fault.code.closeCode {
            // Dropping the queue frees memory.
            if fault.code == .outOfMemory { dropQueue() }
            outbox.append(.passing(ServerText.error(fault)))
            enter(.closing(code))
            return
        }
        outbox.append(.text(ServerText.error(fault)))
        answerEdit(with: fault)
        if !inbound.faultBudget.spend(at: now) {
            services.metrics.recordFault(.tooManyFaults)
            observer?.report(.fault(.tooManyFaults, seq: nil))
            outbox.append(.passing(ServerText.error(Fault(.tooManyFaults))))
            enter(.closing(.tooManyFaults))
        }
    }

    @inline(__always)
    func viewIndex(_ id: ViewID) -> Int? {
        for index in views.indices where views[index].id == id { return index }
        return nil
    }

    @inline(__always)
    func viewIndex(generation: UInt32) -> Int? {
        for index in views.indices where views[index].engine.generation == generation {
            return index
        }
        return nil
    }
}
