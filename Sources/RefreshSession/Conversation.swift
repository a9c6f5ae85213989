import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// The logic of a session. It turns frames into events for the engines of its views, carries out
/// their effects, and sends the results.
///
/// ```
/// frame ─▶ decoder ─▶ message ─▶ Engine ─▶ effects ─▶ pending update, queue ─▶ frame
/// ```
///
/// Unsent changes are merged in place, so they take constant memory for a client that does not
/// read. Its unsent items, loads and errors take more memory, which is bounded. The conversation is
/// a value, so that one exclusive access serves a whole frame.
struct Conversation {
    /// The place where the session was opened. Its loads keep this key after it has moved.
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
    /// The client's headers for backends.
    var headers: [HeaderField] = []
    /// The effects of the event that is being handled. The array is kept to reuse its storage.
    var effects: [Effect] = []
    /// The observer of the session; nil if there is none.
    var observer: SessionObserver?
    let openedAt: Instant
    /// When the running loads began.
    var loadClock = LoadClock()
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

    /// Creates the placeholder for a conversation that has moved away. It receives and sends
    /// nothing.
    init(over key: SessionKey, name: String, services: SessionServices, now: Instant) {
        self.init(
            key: key, name: name, subject: nil, channel: AbsentChannel.shared, services: services,
            now: now)
        enter(.closed(keeps: false))
    }

    /// Handles a frame and answers it. Returns whether an update was sent.
    @inline(__always)
    mutating func receive(
        _ frame: Span<UInt8>, at desk: inout FrameScratch, _ now: Instant
    ) -> Bool {
        services.metrics.recordReceived(bytes: frame.count)
        inbound.lastReceivedAt = now
        if let excess = inbound.count(bytes: frame.count, at: now) {
            report(Fault(excess), at: now)
        }
        var position = FramePosition()
        /// The index of the view whose sample was the previous message; -1 if that was not a
        /// sample.
        var sampled = -1
        frame: while true {
            // This is also reached if nothing follows `hello`, because the rest of its frame is
            // always the first held frame.
            guard phase.isListening else {
                holdOrDrop(frame, from: position, at: &desk, now)
                break
            }
            switch desk.decoder.next(in: frame, at: &position) {
            case .end: break frame
            // A `where` clause here would make the compiler keep the whole message and destructure
            // it again.
            case .message(.scroll(let header, let sample)):
                if let index = handleScroll(
                    header, sample, after: sampled, in: frame, at: &desk, now)
                {
                    sampled = index
                }
            case .message(let message):
                if credentials.previousToken != nil { confirmWelcome(at: now) }
                let view = indexOfSampledView(in: message)
                if view >= 0, view == sampled { services.metrics.recordCoalescedSample() }
                sampled = view
                receive(message, in: frame, at: &desk, now)
                // A `hello` that waits for a decision is recorded, even if it is the whole frame.
                if position.isAtEnd, phase.isGreeting {
                    holdOrDrop(frame, from: position, at: &desk, now)
                }
            case .fault(let fault): report(fault, at: now)
            }
            guard phase.isListening else { continue }
            if position.isAtEnd { break }
            countFurtherMessage(at: now)
        }
        return flush(at: &desk, now)
    }

    /// Counts a further message of a frame as a frame of no bytes. Returns false if it exceeds the
    /// limit. It is a separate function, so that it does not burden the path of frames with one
    /// message.
    @inline(never)
    @discardableResult
    mutating func countFurtherMessage(at now: Instant) -> Bool {
        guard let excess = inbound.count(bytes: 0, at: now) else { return true }
        report(Fault(excess), at: now)
        return false
    }

    /// Handles a `scroll` message, by far the most frequent kind. Returns the index of its view;
    /// nil if the message was rejected.
    @inline(__always)
    private mutating func handleScroll(
        _ header: MessageHeader, _ sample: ScrollSample, after sampled: Int, in frame: Span<UInt8>,
        at desk: inout FrameScratch, _ now: Instant
    ) -> Int? {
        guard
            renderMode.isFast
                || renderMode.playsIndicators && observer == nil && !inbound.wantsDiagnostics
        else {
            let message = ClientMessage.scroll(header, sample)
            if credentials.previousToken != nil { confirmWelcome(at: now) }
            let view = indexOfSampledView(in: message)
            if view >= 0, view == sampled { services.metrics.recordCoalescedSample() }
            receive(message, in: frame, at: &desk, now)
            return view
        }
        if !renderMode.isFast, credentials.previousToken != nil { confirmWelcome(at: now) }
        guard let index = resolveView(of: header, at: now) else { return nil }
        if index == sampled { services.metrics.recordCoalescedSample() }
        if renderMode.isFast {
            applyEventWithoutPresentation(
                .scrolled(sample), toViewAt: index, because: .client(seq: header.seq), at: now)
        } else {
            applyEvent(
                .scrolled(sample), toViewAt: index, because: .client(seq: header.seq), at: now)
        }
        return index
    }

    /// Handles a message of a frame that is not on the fast path.
    @inline(__always)
    mutating func receive(
        _ message: ClientMessage, in frame: Span<UInt8>, at desk: inout FrameScratch, _ now: Instant
    ) {
        if observer != nil { reportReceived(message) }
        if desk.decoder.hasIgnored { services.metrics.recordIgnored(desk.decoder.consumeIgnored()) }
        guard phase.isOpen, !inbound.wantsDiagnostics else {
            return handleWithDiagnostics(message, in: frame, at: &desk, now)
        }
        guard renderMode.settings.mode == .local, let hint = desk.decoder.hint(in: frame) else {
            return handle(message, at: now)
        }
        handle(message, with: hint, at: now)
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
                applyEvent(.timePassed, toViewAt: index, because: .time, at: now)
            }
        }
        if renderMode.playsIndicators { enqueueDueFrames(at: now) }
    }

    /// When the session must be woken. It is `mutating` only so that it is called in place, not on
    /// a copy.
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

    /// Handles time-outs: of the wait for `hello`, for any message, for the client to read, and for
    /// a decision on its `hello`.
    private mutating func handleClientTimeouts(at now: Instant) {
        if let due = queueDue, due <= now { return closeSlowClient() }
        if let due = snapshotPolicy.due, due <= now { grantSnapshot(at: now) }
        if snapshotPolicy.budget.due <= now { snapshotPolicy.budget.cancelWait() }
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

    /// When the silence of an open client is too long. While reading from the client is paused, its
    /// silence does not count.
    private var idleDue: Instant {
        let idleMs = services.limits.idleTimeoutMs
        guard idleMs > 0, !outbox.hasPausedReading else { return .never }
        return inbound.lastReceivedAt.advanced(byMilliseconds: Double(idleMs))
    }

    /// When queued output has waited too long for the client; nil if no output waits.
    private var queueDue: Instant? {
        outbox.waitsSince?.advanced(byMilliseconds: Double(services.limits.queueAgeMs))
    }

    /// The earliest of all time-outs.
    var earliestTimeout: Instant {
        let due =
            switch phase.stage {
            case .silent(let until), .greeting(let until), .detached(let until): until
            case .open: min(idleDue, principal.expires)
            case .closing, .closed: Instant.never
            }
        return min(due, queueDue ?? .never, snapshotPolicy.due ?? .never, snapshotPolicy.budget.due)
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
