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
/// Unsent changes are merged in place, so a client that does not read costs a constant amount of
/// memory. Its items, loads and errors come on top, and are bounded. It is a value: one access to
/// it serves a whole frame.
struct Conversation {
    enum Stage {
        /// Nothing was received yet; `hello` must come before this instant.
        case silent(until: Instant)
        /// `hello` was received, and a decision elsewhere is pending until this instant. Later
        /// frames are held.
        case greeting(until: Instant)
        case open
        /// The connection closes when the queue has been sent.
        case closing(CloseCode)
        /// Nothing is received or sent any more. `keeps`: the client may resume.
        case closed(keeps: Bool)
        /// The connection is gone; the client may resume before this instant.
        case detached(until: Instant)
    }

    /// Where the session was opened. Its loads are labelled with this key even after it has moved.
    let key: SessionKey
    var name: String
    /// The authenticated subject; nil if the client is not authenticated.
    var subject: String?
    /// The feeds that the client may attach.
    var permittedFeeds = PermittedFeeds.all
    /// When the client has to authenticate again.
    var identityExpires = Instant.never
    /// The same by the wall clock, seconds since 1970; infinite if the wall clock does not matter.
    var identityExpiresUnixSeconds = Double.infinity
    var channel: any Channel
    var services: SessionServices
    var stage: Stage { didSet { patienceEnds = patience } }
    /// The token that a client needs to resume; nil if the session cannot be resumed.
    var token: ResumeToken?
    /// The previous token, possibly the last that the client has received. It is valid until
    /// `lastTokenEnds` at the latest.
    var lastToken: ResumeToken?
    /// When `lastToken` becomes void, counted from the first `welcome` that replaced it. Later
    /// resumes with it do not extend this.
    var lastTokenEnds = Instant.never
    /// The number of the `welcome` that carried `lastToken`, counted in the last step of `lineage`;
    /// 0 if an earlier step carried it.
    var lastTokenWelcomes: UInt64 = 0
    /// The session's history of openings and rebuilds.
    var lineage: ResumeHistory
    /// When the last `welcome` was sent.
    var welcomedAt: Instant
    /// When the connection of that `welcome` was made.
    var connectedAt: Instant
    /// A `hello` that waits for a decision.
    var greeting: Greeting?
    /// Whether `hello` was answered, on this connection or an earlier one.
    var hasOpened = false
    /// Whether queued messages were dropped for lack of room.
    var isLost = false
    /// Whether the client wants sealed snapshots, and the daemon can seal them.
    var wantsSnapshots = false
    /// Whether the client asked for `diagnostic` messages.
    var wantsDiagnostics = false
    var diagnosticBudget: DiagnosticBudget
    /// Whether a snapshot is in the queue; there is never more than one.
    var isSnapshotQueued = false
    /// When the client's last request for a snapshot was granted.
    var snapshotAskedAt: Instant?
    /// When a request that came too soon will be granted; nil if there is none.
    var snapshotDue: Instant?
    var sealBudget: SealBudget
    var views: [ViewSlot] = []
    var queue: [QueuedMessage] = []
    /// The generation of the view whose update is the only pending message. It is nil if nothing is
    /// pending or the queue is in use.
    var loneUpdate: UInt32?
    /// Bytes in the queue, without updates.
    var queuedBytes = 0
    /// Bytes of the frame that the channel has accepted but not sent completely; 0 if there is
    /// none.
    var halfSentBytes = 0
    /// The client's headers for backends.
    var headers: [HeaderField] = []
    /// How the client draws.
    var frames = FrameSettings()
    /// Whether the fast path applies: a `plain` client has sent `hello`, without an observer,
    /// diagnostics, or a previous token that is still valid.
    var isPlain = false
    /// Whether the client is `stream` or `local`, so that its views have a `ViewPresentation`.
    var hasLooks = false
    /// Whether its indicators are played for it (`stream`).
    var plays = false
    /// The budget for clock-driven frames.
    var playBudget = PlayBudget()
    /// Until when clock-driven frames wait because of those for other clients of the same address.
    var framesHeldUntil = PlayBudget.past
    /// Bytes of clock-driven frames that were written since the host last asked.
    var playedBytes = 0
    /// The last sequence number that was handled.
    var ack: UInt64 = 0
    /// The effects of the event being handled. Kept to reuse its storage.
    var effects: [Effect] = []
    /// The limit on what may still be received.
    var allowance: InboundRateLimit
    /// When the client last sent something.
    var heardAt: Instant
    /// Since when output, or the rest of a frame, has been waiting for the client; nil when nothing
    /// waits.
    var waitsSince: Instant?
    /// Whether reading from the client is paused until the client reads itself.
    var isHeldBack = false
    /// The earliest moment at which silence or waiting may have lasted too long. It may be too
    /// early, never too late.
    var patienceEnds: Instant
    var budget: FaultBudget
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
        self.subject = subject
        self.token = token
        self.channel = channel
        self.services = services
        self.openedAt = now
        let helloDue = now.advanced(byMilliseconds: Double(services.limits.helloTimeoutMs))
        self.stage = .silent(until: helloDue)
        self.allowance = InboundRateLimit(services.limits, now: now)
        self.sealBudget = SealBudget(now: now)
        self.diagnosticBudget = DiagnosticBudget(now: now)
        self.heardAt = now
        self.lineage = ResumeHistory(openedAs: name)
        self.welcomedAt = now
        self.connectedAt = now
        self.patienceEnds = helloDue
        self.budget = FaultBudget(most: services.limits.faultBudgetMax, now: now)
    }

    /// Creates the remainder of a conversation that was moved away. It receives and sends nothing.
    init(over key: SessionKey, name: String, services: SessionServices, now: Instant) {
        self.init(
            key: key, name: name, subject: nil, channel: AbsentChannel.shared, services: services,
            now: now)
        stage = .closed(keeps: false)
    }

    /// Handles a frame and answers it. Returns whether an update was sent.
    @inline(__always)
    mutating func receive(
        _ frame: Span<UInt8>, at desk: inout FrameScratch, _ now: Instant
    ) -> Bool {
        services.metrics.received(bytes: frame.count)
        heardAt = now
        if !allowance.take(bytes: frame.count), let excess = allowance.renew(at: now) {
            report(Fault(excess), at: now)
        }
        var position = FramePosition()
        /// The index of the view that the previous message was a sample of; -1 if none.
        var sampled = -1
        frame: while true {
            // This also applies if nothing follows `hello`: the rest of its frame is always the
            // first held frame.
            guard isListening else {
                putAside(frame, from: position, at: &desk, now)
                break
            }
            switch desk.decoder.next(in: frame, at: &position) {
            case .end: break frame
            // No `where` clause: with one, the whole message would be kept and destructured again.
            case .message(.scroll(let header, let sample)):
                if let index = scroll(header, sample, after: sampled, in: frame, at: &desk, now) {
                    sampled = index
                }
            case .message(let message):
                if lastToken != nil { takeUpWelcome(at: now) }
                let view = sampledView(message)
                if view >= 0, view == sampled { services.metrics.coalescedSample() }
                sampled = view
                receive(message, in: frame, at: &desk, now)
                // A `hello` that is decided elsewhere is held, even if it is the whole frame.
                if position.isAtEnd, isGreeting {
                    putAside(frame, from: position, at: &desk, now)
                }
            case .fault(let fault): report(fault, at: now)
            }
            guard isListening else { continue }
            if position.isAtEnd { break }
            countFurtherMessage(at: now)
        }
        return flush(at: &desk, now)
    }

    /// Counts a further message of a frame as a frame of no bytes. Returns false if that exceeded
    /// the limit. It is a separate function, so that it does not burden the path of frames with one
    /// message.
    @inline(never)
    @discardableResult
    mutating func countFurtherMessage(at now: Instant) -> Bool {
        guard !allowance.take(bytes: 0), let excess = allowance.renew(at: now) else { return true }
        report(Fault(excess), at: now)
        return false
    }

    /// Handles a `scroll` message, by far the most frequent kind. Returns the index of its view;
    /// nil if the message was rejected.
    @inline(__always)
    private mutating func scroll(
        _ header: MessageHeader, _ sample: ScrollSample, after sampled: Int, in frame: Span<UInt8>,
        at desk: inout FrameScratch, _ now: Instant
    ) -> Int? {
        guard isPlain || plays && observer == nil && !wantsDiagnostics else {
            let message = ClientMessage.scroll(header, sample)
            if lastToken != nil { takeUpWelcome(at: now) }
            let view = sampledView(message)
            if view >= 0, view == sampled { services.metrics.coalescedSample() }
            receive(message, in: frame, at: &desk, now)
            return view
        }
        if !isPlain, lastToken != nil { takeUpWelcome(at: now) }
        guard let index = view(of: header, at: now) else { return nil }
        if index == sampled { services.metrics.coalescedSample() }
        if isPlain {
            tell(.scrolled(sample), toViewAt: index, because: .client(seq: header.seq), at: now)
        } else {
            tellAny(.scrolled(sample), toViewAt: index, because: .client(seq: header.seq), at: now)
        }
        return index
    }

    /// Handles a message of a frame that is not on the fast path.
    @inline(__always)
    mutating func receive(
        _ message: ClientMessage, in frame: Span<UInt8>, at desk: inout FrameScratch, _ now: Instant
    ) {
        if observer != nil { noteReceived(message) }
        if desk.decoder.hasIgnored { services.metrics.ignored(desk.decoder.takeIgnored()) }
        guard isOpen, !wantsDiagnostics else {
            return receiveInspected(message, in: frame, at: &desk, now)
        }
        guard frames.mode == .local, let hint = desk.decoder.hint(in: frame) else {
            return handle(message, at: now)
        }
        handle(message, with: hint, at: now)
    }

    /// Ends the session.
    mutating func channelClosed(at now: Instant) {
        channelTakesFrames()
        stage = .closed(keeps: false)
        channel = AbsentChannel.shared
        let gone = views
        views.removeAll()
        for var slot in gone { endLoads(of: &slot, at: now) }
        loneUpdate = nil
        headers = []
        dropQueue()
    }

    mutating func wake(at now: Instant) {
        if patienceEnds <= now { lookAtPatience(at: now) }
        for index in views.indices {
            if let deadline = views[index].engine.deadlines.next, deadline <= now {
                tellAny(.timePassed, toViewAt: index, because: .time, at: now)
            }
        }
        if plays { play(at: now) }
    }

    /// When the session wants to be woken. It is `mutating` only so that it is called in place, not
    /// on a copy.
    @inline(__always)
    mutating func nextDeadline() -> Instant? {
        // Computed in microseconds: optional instants would cost each message about fifty more
        // instructions.
        var next = patienceEnds.microseconds
        let framesFrom = plays ? framesFrom.microseconds : 0
        for index in views.indices {
            if plays, let frame = views[index].look?.indicators.nextFrame {
                next = min(next, max(frame.microseconds, framesFrom))
            }
            if let deadline = views[index].engine.deadlines.next {
                next = min(next, deadline.microseconds)
            }
        }
        return next == .max ? nil : Instant(microseconds: next)
    }

    /// Handles waits that have lasted too long: for `hello`, for any message, for the client to
    /// read, or for a decision on its `hello`.
    private mutating func lookAtPatience(at now: Instant) {
        if let due = queueDue, due <= now { return giveUpSlowClient() }
        if let due = snapshotDue, due <= now { giveAskedSnapshot(at: now) }
        if sealBudget.due <= now { sealBudget.forget() }
        switch stage {
        case .silent(let until) where until <= now: report(Fault(.helloTimeout), at: now)
        case .greeting(let until) where until <= now: greetingOverdue(at: now)
        case .open where identityExpires <= now: report(Fault(.tokenExpired), at: now)
        case .open: if idleDue <= now { report(Fault(.idleClient), at: now) }
        default: break
        }
        patienceEnds = patience
    }

    /// When an open client has been silent for too long. While nothing is read from the client, its
    /// silence does not count.
    private var idleDue: Instant {
        let idleMs = services.limits.idleTimeoutMs
        guard idleMs > 0, !isHeldBack else { return .never }
        return heardAt.advanced(byMilliseconds: Double(idleMs))
    }

    /// When the output has waited for the client too long; nil when nothing waits.
    private var queueDue: Instant? {
        waitsSince?.advanced(byMilliseconds: Double(services.limits.queueAgeMs))
    }

    /// The first moment at which one of the waits for the client may have lasted too long.
    var patience: Instant {
        let due =
            switch stage {
            case .silent(let until), .greeting(let until), .detached(let until): until
            case .open: min(idleDue, identityExpires)
            case .closing, .closed: Instant.never
            }
        return min(due, queueDue ?? .never, snapshotDue ?? .never, sealBudget.due)
    }

    /// Reports a fault to the client. Closes the connection if the fault requires it, or if there
    /// were too many faults.
    mutating func report(_ fault: Fault, at now: Instant) {
        switch stage {
        case .silent, .greeting, .open: break
        case .closing, .closed, .detached: return
        }
        services.metrics.fault(fault.code)
        observer?.tell(
            SessionEvent(.fault(fault.code, seq: fault.seq), session: name, view: fault.view))
        if let code = fault.code.closeCode {
            // Dropping the queue frees memory, which is what has run out.
            if fault.code == .outOfMemory { dropQueue() }
            enqueue(.passing(ServerText.error(fault)))
            stage = .closing(code)
            return
        }
        enqueue(.text(ServerText.error(fault)))
        if !budget.spend(at: now) {
            services.metrics.fault(.tooManyFaults)
            observer?.tell(.fault(.tooManyFaults, seq: nil))
            enqueue(.passing(ServerText.error(Fault(.tooManyFaults))))
            stage = .closing(.tooManyFaults)
        }
    }

    var isOpen: Bool {
        @inline(__always) get {
            if case .open = stage { true } else { false }
        }
    }

    var isListening: Bool {
        @inline(__always) get {
            switch stage {
            case .silent, .open: true
            case .greeting, .closing, .closed, .detached: false
            }
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
