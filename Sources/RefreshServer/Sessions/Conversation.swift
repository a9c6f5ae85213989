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
/// What is not sent yet is merged in place, so a client that does not read costs a constant, but for
/// its items, loads and errors, which are bounded. A value: one access to it serves a whole frame.
struct Conversation {
    enum Stage {
        /// Nothing was said yet; `hello` must come before this instant.
        case silent(until: Instant)
        case open
        /// The session ends when what is queued was sent.
        case closing(CloseCode)
        case closed
    }

    let key: SessionKey
    let name: String
    /// Who the client is; nil: not authenticated.
    let subject: String?
    let channel: any Channel
    let services: SessionServices
    var stage: Stage
    var views: [ViewSlot] = []
    var queue: [QueuedMessage] = []
    /// The view whose update is all there is to say; nil if there is nothing, or a queue.
    var loneUpdate: UInt32?
    /// Bytes of the queue, without updates.
    var queuedBytes = 0
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
    /// The last sequence number that was handled.
    var ack: UInt64 = 0
    /// The effects of the event being handled; kept for its room.
    var effects: [Effect] = []
    private var budget: FaultBudget
    /// That of the view which was attached last.
    var lastGeneration: UInt32 = 0

    init(
        key: SessionKey, name: String, subject: String?, channel: any Channel,
        services: SessionServices, now: Instant
    ) {
        self.key = key
        self.name = name
        self.subject = subject
        self.channel = channel
        self.services = services
        self.stage = .silent(
            until: now.advanced(byMilliseconds: Double(services.limits.helloTimeoutMs)))
        self.budget = FaultBudget(most: services.limits.faultBudgetMax, now: now)
    }

    /// Handles a frame and answers it; whether an update was sent.
    @inline(__always)
    mutating func receive(
        _ frame: Span<UInt8>, at desk: inout Desk, _ now: Instant
    ) -> Bool {
        services.metrics.received(bytes: frame.count)
        var position = FramePosition()
        while isListening, let decoded = desk.decoder.next(in: frame, at: &position) {
            switch consume decoded {
            case .message(.scroll(let header, let sample)) where isPlain:
                tell(.scrolled(sample), to: header, at: now)
            case .message(.scroll(let header, let sample)) where plays:
                tellSeldom(.scrolled(sample), to: header, at: now)
            case .message(let message):
                guard frames.mode == .local, let hint = desk.decoder.hint(in: frame) else {
                    handle(message, at: now)
                    continue
                }
                handle(message, with: hint, at: now)
            case .fault(let fault): report(fault, at: now)
            }
        }
        return flush(at: &desk)
    }

    mutating func channelClosed(at now: Instant) {
        stage = .closed
        for index in views.indices { endLoads(of: &views[index], at: now) }
        views.removeAll()
        loneUpdate = nil
        queue.removeAll()
    }

    mutating func wake(at now: Instant) {
        if case .silent(let until) = stage, until <= now {
            report(Fault(.helloTimeout), at: now)
        }
        for index in views.indices {
            if let deadline = views[index].engine.deadlines.next, deadline <= now {
                tellAny(.timePassed, toViewAt: index, because: .time, at: now)
            }
            // A frame that there is no room for is not kept.
            if plays, let due = views[index].look?.indicators.nextFrame, due <= now {
                if channel.isWritable {
                    views[index].tellFrame(at: now)
                    queueUpdate(ofViewAt: index)
                } else {
                    views[index].lookAgain(at: now)
                }
            }
        }
    }

    /// When the session wants to be woken. Mutating only in name: so it is asked in place, not of a copy.
    @inline(__always)
    mutating func nextDeadline() -> Instant? {
        var next: Instant?
        if case .silent(let until) = stage { next = until }
        for index in views.indices {
            if plays, let frame = views[index].look?.indicators.nextFrame,
                frame != .never, frame < next ?? .never
            {
                next = frame
            }
            guard let deadline = views[index].engine.deadlines.next else { continue }
            if let earlier = next, earlier <= deadline { continue }
            next = deadline
        }
        return next
    }

    /// Tells the client of its fault; closes if the fault does, or if there were too many.
    mutating func report(_ fault: Fault, at now: Instant) {
        guard isListening else { return }
        services.metrics.fault(fault.code)
        enqueue(.text(ServerText.error(fault)))
        if let code = fault.code.closeCode {
            stage = .closing(code)
        } else if !budget.spend(at: now) {
            services.metrics.fault(.tooManyFaults)
            enqueue(.text(ServerText.error(Fault(.tooManyFaults))))
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
            case .closing, .closed: false
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

    /// - Throws: `tooManyViews` after four thousand million of them: no identity is used twice.
    mutating func nextGeneration() throws(Fault) -> UInt32 {
        guard lastGeneration < .max else { throw Fault(.tooManyViews) }
        lastGeneration += 1
        return lastGeneration
    }
}
