import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// What a session does: it turns frames into events for the engines of its views, carries out their
/// effects, and says what came of it.
///
/// ```
/// frame ─▶ decoder ─▶ message ─▶ Engine ─▶ effects ─▶ pending update, queue ─▶ frame
/// ```
///
/// What is not sent yet is merged in place, so a client that does not read costs a constant, but
/// for its items, loads and errors, which are bounded. A value: one access to it serves a whole
/// frame.
struct Conversation {
    enum Stage {
        /// Nothing was said yet; `hello` must come before this instant.
        case silent(until: Instant)
        /// `hello` was said, and is decided on elsewhere, before this instant; what follows is
        /// held.
        case greeting(until: Instant)
        case open
        /// The connection ends when what is queued was sent.
        case closing(CloseCode)
        /// Nothing comes and nothing goes any more. `keeps`: its client may come back.
        case closed(keeps: Bool)
        /// The connection is gone; its client may come back before this instant.
        case detached(until: Instant)
    }

    /// Where it was opened: its loads name it so wherever it goes.
    let key: SessionKey
    var name: String
    /// Who the client is; nil: not authenticated.
    var subject: String?
    /// What it may attach.
    var permittedFeeds = PermittedFeeds.all
    /// When it has to prove itself anew.
    var identityExpires = Instant.never
    /// The same by the calendar's clock, seconds since 1970; infinite where that does not decide.
    var identityExpiresUnixSeconds = Double.infinity
    var channel: any Channel
    var services: SessionServices
    var stage: Stage { didSet { patienceEnds = patience } }
    /// What coming back takes; nil: nobody can.
    var token: ResumeToken?
    /// The one before, which may be all that the client has heard of; no longer than until
    /// `lastTokenEnds`.
    var lastToken: ResumeToken?
    /// Counted from the first `welcome` that told a newer one, whoever has come since.
    var lastTokenEnds = Instant.never
    /// Of the welcomes on the last line that in which it was told, 0: one on another line.
    var lastTokenWelcomes: UInt64 = 0
    /// How the session came to be what it is.
    var lineage: Lineage
    /// When its client was welcomed last.
    var welcomedAt: Instant
    /// When the connection came into being on which that was.
    var connectedAt: Instant
    /// A `hello` that waits for its decision.
    var greeting: Greeting?
    /// Whether `hello` was answered, by this or an earlier connection.
    var hasOpened = false
    /// Whether there was no room for what waited.
    var isLost = false
    /// Whether the client wants sealed snapshots, and there is something to seal with.
    var wantsSnapshots = false
    /// Whether the client asked for `diagnostic` messages.
    var wantsDiagnostics = false
    var diagnosticBudget: DiagnosticBudget
    /// Whether the queue has a place for a snapshot: it never has two.
    var isSnapshotQueued = false
    /// When the client was given its way last that asks for snapshots.
    var snapshotAskedAt: Instant?
    /// When it is given its way again that has asked too soon; nil: it has not.
    var snapshotDue: Instant?
    var sealBudget: SealBudget
    var views: [ViewSlot] = []
    var queue: [QueuedMessage] = []
    /// The view whose update is all there is to say; nil if there is nothing, or a queue.
    var loneUpdate: UInt32?
    /// Bytes of the queue, without updates.
    var queuedBytes = 0
    /// Bytes of the frame that the channel has taken and not sent whole; 0: there is none.
    var halfSentBytes = 0
    /// What the client gives for backends.
    var headers: [HeaderField] = []
    /// How the client draws.
    var frames = FrameSettings()
    /// Whether it has said hello, and draws as most do.
    var isPlain = false
    /// Whether it draws by layers or paints by itself: then its views have looks.
    var hasLooks = false
    /// Whether its indicators are played for it.
    var plays = false
    /// What frames by the clock may cost.
    var playBudget = PlayBudget()
    /// Until when they wait for what others of the client's address are sent.
    var framesHeldUntil = PlayBudget.past
    /// Bytes of those that were written since the host asked.
    var playedBytes = 0
    /// The last sequence number that was handled.
    var ack: UInt64 = 0
    /// The effects of the event being handled; kept for its room.
    var effects: [Effect] = []
    /// What may still be received.
    var allowance: Allowance
    /// When the client last said something.
    var heardAt: Instant
    /// Since when what there is to say, or the rest of a frame, waits for the client; nil when
    /// nothing does.
    var waitsSince: Instant?
    /// Whether nothing is read of the client until it reads itself.
    var isHeldBack = false
    /// The earliest moment at which silence or waiting may be too long: rather too early than too
    /// late.
    var patienceEnds: Instant
    var budget: FaultBudget
    /// Who sees what happens; nil: nobody looks.
    var witness: SessionWitness?
    let openedAt: Instant
    /// Since when loads run.
    var loadClock = LoadClock()
    /// That of the view which was attached last.
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
        self.allowance = Allowance(services.limits, now: now)
        self.sealBudget = SealBudget(now: now)
        self.diagnosticBudget = DiagnosticBudget(now: now)
        self.heardAt = now
        self.lineage = Lineage(openedAs: name)
        self.welcomedAt = now
        self.connectedAt = now
        self.patienceEnds = helloDue
        self.budget = FaultBudget(most: services.limits.faultBudgetMax, now: now)
    }

    /// What is left where a conversation was taken away: it hears nothing and says nothing.
    init(over key: SessionKey, name: String, services: SessionServices, now: Instant) {
        self.init(
            key: key, name: name, subject: nil, channel: AbsentChannel.shared, services: services,
            now: now)
        stage = .closed(keeps: false)
    }

    /// Handles a frame and answers it; whether an update was sent.
    @inline(__always)
    mutating func receive(
        _ frame: Span<UInt8>, at desk: inout Desk, _ now: Instant
    ) -> Bool {
        services.metrics.received(bytes: frame.count)
        heardAt = now
        if !allowance.take(bytes: frame.count), let excess = allowance.renew(at: now) {
            report(Fault(excess), at: now)
        }
        var position = FramePosition()
        /// The view that the sample before was for.
        var sampled = -1
        frame: while true {
            // Also if nothing is left behind `hello`: it is the first of the frames that are put
            // aside.
            guard isListening else {
                putAside(frame, from: position, at: &desk, now)
                break
            }
            switch desk.decoder.next(in: frame, at: &position) {
            case .end: break frame
            // No `where`, for which the whole message would be kept, and be taken apart again.
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
                // A `hello` that somebody else decides on is kept, also where it is all of its
                // frame.
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

    /// A message behind the first of its frame counts as a frame of no bytes. False if that was one
    /// too many. Apart, so that it does not burden the path of frames that are one message.
    @inline(never)
    @discardableResult
    mutating func countFurtherMessage(at now: Instant) -> Bool {
        guard !allowance.take(bytes: 0), let excess = allowance.renew(at: now) else { return true }
        report(Fault(excess), at: now)
        return false
    }

    /// A finger has moved: most messages are of this kind. The view; nil where the message does not
    /// count.
    @inline(__always)
    private mutating func scroll(
        _ header: MessageHeader, _ sample: ScrollSample, after sampled: Int, in frame: Span<UInt8>,
        at desk: inout Desk, _ now: Instant
    ) -> Int? {
        guard isPlain || plays && witness == nil && !wantsDiagnostics else {
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

    /// A message of the frame that is not on the quickest path.
    @inline(__always)
    mutating func receive(
        _ message: ClientMessage, in frame: Span<UInt8>, at desk: inout Desk, _ now: Instant
    ) {
        if witness != nil { noteReceived(message) }
        if desk.decoder.hasIgnored { services.metrics.ignored(desk.decoder.takeIgnored()) }
        guard isOpen, !wantsDiagnostics else {
            return receiveInspected(message, in: frame, at: &desk, now)
        }
        guard frames.mode == .local, let hint = desk.decoder.hint(in: frame) else {
            return handle(message, at: now)
        }
        handle(message, with: hint, at: now)
    }

    /// The session ends.
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

    /// When the session wants to be woken. Mutating only in name: so it is asked in place, not of a
    /// copy.
    @inline(__always)
    mutating func nextDeadline() -> Instant? {
        // Counted in microseconds: with instants that may be none each message would take some
        // fifty instructions more.
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

    /// Ends the patience with a client that has not said hello, says nothing, does not read, or
    /// whose session nobody hands over, each for too long.
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

    /// When the silence of an open client has been too long; as long as nothing is read of it, it
    /// is not the client's.
    private var idleDue: Instant {
        let idleMs = services.limits.idleTimeoutMs
        guard idleMs > 0, !isHeldBack else { return .never }
        return heardAt.advanced(byMilliseconds: Double(idleMs))
    }

    /// When what waits for the client has waited too long; nil when nothing waits.
    private var queueDue: Instant? {
        waitsSince?.advanced(byMilliseconds: Double(services.limits.queueAgeMs))
    }

    /// The first moment at which the session has to be looked at for the client's sake.
    var patience: Instant {
        let due =
            switch stage {
            case .silent(let until), .greeting(let until), .detached(let until): until
            case .open: min(idleDue, identityExpires)
            case .closing, .closed: Instant.never
            }
        return min(due, queueDue ?? .never, snapshotDue ?? .never, sealBudget.due)
    }

    /// Tells the client of its fault; closes if the fault does, or if there were too many.
    mutating func report(_ fault: Fault, at now: Instant) {
        switch stage {
        case .silent, .greeting, .open: break
        case .closing, .closed, .detached: return
        }
        services.metrics.fault(fault.code)
        witness?.tell(
            SessionEvent(.fault(fault.code, seq: fault.seq), session: name, view: fault.view))
        if let code = fault.code.closeCode {
            // What waits is what there is no memory for.
            if fault.code == .outOfMemory { dropQueue() }
            enqueue(.passing(ServerText.error(fault)))
            stage = .closing(code)
            return
        }
        enqueue(.text(ServerText.error(fault)))
        if !budget.spend(at: now) {
            services.metrics.fault(.tooManyFaults)
            witness?.tell(.fault(.tooManyFaults, seq: nil))
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
