package import RefreshBroker
package import RefreshProtocol
package import RefreshSession
internal import WebSocketTransport

/// All sessions of one loop: their frames, deadlines, loads and feeds. The host uses no sockets and
/// no clock. Channels, the time and the loop are passed to it, so that the simulation runs the
/// production code.
///
///     Channel's owner -> opened, receive, becameWritable, … -> Session -> Channel
///     Session -> LoadDispatching -> … -> LoopDirectory -> handleLoadEvent -> Session
///
/// A session without a connection is kept for a while. When its client resumes it, the session
/// continues on the loop of the client's new connection (`SessionHost+Resuming`).
///
/// The host is `@unchecked Sendable`, because other threads have references to it in order to call
/// `post`. `post` uses only `loop`, which accepts jobs from any thread. Everything else is used on
/// the loop's thread only.
package final class SessionHost: @unchecked Sendable {
    /// How many sessions handle an event of a load, or a request of an operator, in one job.
    /// Between two jobs the loop serves its sockets.
    static let batchSize = 256

    let loop: any SessionLoop
    let index: UInt16
    let services: SessionServices
    let metrics: SessionMetrics
    let log: DaemonLog
    let directory: LoopDirectory
    /// Authenticates clients; nil if clients are not authenticated.
    let authenticationService: AuthenticationService?
    /// Counts the places of connected sessions; nil if the number of sessions is not limited.
    let admissionState: AdmissionState?
    let randomBits: () -> UInt64
    private let journal: (_ session: String) -> (any JournalSink)?
    /// The journals that operators request; nil if journals cannot be requested.
    let journals: RequestedJournals?

    var sessions = SlotTable<Session>()
    /// The watchers of the sessions.
    let watch: LoopWatch
    private var deadlines = SlotDeadlines()
    /// The schedule by which the sessions close while the daemon drains; nil while it does not. A
    /// draining daemon keeps no session without a connection.
    var drainSchedule: DrainSchedule?
    /// How many seconds the wall clock was ahead of the daemon's clock when the sessions were last
    /// checked against the wall clock. Nil until a client is admitted with a token that expires by
    /// the wall clock.
    var wallClockLead: Double?
    var claims = WaitingClaims()
    /// Changes of feeds that the host will announce.
    var changes = ViewChanges()
    /// The changes of feeds that the sessions of the host were notified of.
    var notifiedChanges = FeedChangeWatermark()
    /// Limits memory; nil if memory is not limited.
    let connectionLimiter: ConnectionLimiter?
    /// Sessions that must end because memory is short.
    let sessionsToShed = LeavingSessions()

    /// `index`: the index of the loop. `directory` finds all registered hosts of the daemon. This
    /// host is registered there later. `authenticationService` and `admissionState` belong to the
    /// whole daemon. `draw` returns unpredictable random bits. `journal` returns the sink that
    /// records a session, or nil if the session is not recorded.
    package convenience init(
        loop: any SessionLoop, index: UInt16, services: SessionServices, directory: LoopDirectory,
        authenticationService: AuthenticationService? = nil, admissionState: AdmissionState? = nil,
        log: DaemonLog = .silent,
        draw: @escaping () -> UInt64 = { .random(in: .min ... .max) },
        journal: @escaping (_ session: String) -> (any JournalSink)? = { _ in nil }
    ) {
        self.init(
            loop: loop, index: index, services: services, directory: directory,
            authenticationService: authenticationService, admissionState: admissionState, log: log,
            draw: draw, journals: nil,
            journal: journal)
    }

    /// `journals`: the journals that operators request. `connectionLimiter`: limits memory.
    init(
        loop: any SessionLoop, index: UInt16, services: SessionServices, directory: LoopDirectory,
        authenticationService: AuthenticationService?, admissionState: AdmissionState? = nil,
        connectionLimiter: ConnectionLimiter? = nil,
        log: DaemonLog,
        draw: @escaping () -> UInt64 = { .random(in: .min ... .max) },
        journals: RequestedJournals?,
        journal: @escaping (_ session: String) -> (any JournalSink)?
    ) {
        self.loop = loop
        self.index = index
        self.services = services
        self.directory = directory
        self.authenticationService = authenticationService
        self.admissionState = admissionState
        self.connectionLimiter = connectionLimiter
        self.log = log
        self.randomBits = draw
        self.journal = journal
        self.journals = journals
        watch = LoopWatch(log: log)
        metrics = services.metrics
        services.sessionLocator = self
        services.logStalledCursors(to: log)
        services.onGrowth = connectionLimiter.map { connectionLimiter in
            { [weak self] bytes, key, now in
                connectionLimiter.recordSessionGrowth(by: bytes, at: now)
                self?.handleGrowth(of: key)
            }
        }
    }

    /// Runs `job` on the loop's thread, with the time at which it runs. May be called on any
    /// thread.
    package func post(_ job: @escaping @Sendable (SessionHost, _ now: Instant) -> Void) {
        loop.run { job(self, $0) }
    }

    /// Applies another configuration to all sessions, except those that are recorded in a journal.
    package func apply(
        limits: Limits, feeds: [FeedDescription], indicators: IndicatorCatalogue
    ) {
        services.apply(limits: limits, feeds: feeds, indicators: indicators)
    }

    // MARK: Connections

    /// Creates the session of a new connection. `channel` is the session's connection to the
    /// client.
    package func opened(_ channel: any Channel, at now: Instant) -> Session {
        let name = SessionName.text(randomBits())
        let token = ResumeToken(randomBits(), randomBits())
        let keeps = services.limits.resumeWindowMs > 0
        let session = sessions.insert { slot, generation in
            Session(
                key: SessionKey(loop: index, slot: slot, generation: generation), name: name,
                token: keeps ? token : nil, channel: channel, services: services,
                now: now, journal: journal(name))
        }
        // The network is stored now, because the peer of an ended connection cannot be determined.
        session.network = channel.peer.flatMap { PeerNetwork($0) }
        holdFramesUntilPaid(of: session, at: now)
        session.countsAsUnadmitted = true
        admissionState?.addUnadmittedConnection(of: session.network)
        metrics.recordSessionOpened()
        directory.connectedSessions.insert(session.key)
        arm(session)
        log(.sessionOpened, [.session: name, .loop: String(index)])
        reportOpened(session)
        return session
    }

    /// Handles a text frame. Returns whether an update was sent as its answer.
    @inline(__always)
    package func receive(_ frame: Span<UInt8>, by session: Session, at now: Instant) -> Bool {
        let reception = session.receive(frame, at: now)
        if let deadline = reception.unscheduledDeadline {
            rearmAndShed(deadline, session, at: now)
        }
        return reception.didSendUpdate
    }

    /// Handles a binary frame of `bytes` bytes.
    package func receiveBinary(bytes: Int, by session: Session, at now: Instant) {
        metrics.recordReceived(bytes: bytes)
        session.handle(.binary, at: now)
        arm(session)
    }

    /// Continues sending, because the channel is writable again. Returns whether an update was
    /// sent.
    package func becameWritable(_ session: Session, at now: Instant) -> Bool {
        let didSendUpdate = session.handle(.writable, at: now)
        arm(session)
        closeIfDrained(session, at: now)
        return didSendUpdate
    }

    /// Ends the session with the fault `code`.
    package func end(_ session: Session, because code: FaultCode, at now: Instant) {
        session.handle(.end(code), at: now)
        arm(session)
    }

    /// Handles the end of a connection. If its session has moved to another connection, nothing
    /// changes for the session. If it has not moved, the session waits for its client, or ends.
    package func closed(_ session: Session, at now: Instant) {
        metrics.recordSessionClosed()
        directory.connectedSessions.remove(session.key)
        releasePlace(of: session)
        stopCountingAsUnadmitted(session)
        log(.sessionClosed, [.session: session.name, .loop: String(index)])
        guard self.session(at: session.key) === session else { return }
        if session.isResumable, drainSchedule == nil {
            detach(session, at: now)
        } else {
            terminate(session, at: now)
        }
    }

    /// Releases the session's place. The connection of the session is closed, or is being closed
    /// because the session continues on another connection.
    func releasePlace(of session: Session) {
        guard session.countsAgainstSessionsMax else { return }
        session.countsAgainstSessionsMax = false
        stopCountingAgainstSubject(session)
        admissionState?.releasePlace()
    }

    /// Stops counting the session as unadmitted, because the session now has a place or its
    /// connection is closed.
    func stopCountingAsUnadmitted(_ session: Session) {
        guard session.countsAsUnadmitted else { return }
        session.countsAsUnadmitted = false
        admissionState?.removeUnadmittedConnection(of: session.network)
    }

    /// Ends the session. It cannot be resumed.
    func terminate(_ session: Session, at now: Instant) {
        let name = session.name
        releaseFence(of: session, at: now)
        session.handle(.closed, at: now)
        session.observer?.reportClosed()
        remove(session)
        directory.sessions.remove(name, initialKey: session.initialKey, at: session.key)
    }

    /// Removes the session from the host.
    func remove(_ session: Session) {
        sessions.remove(slot: session.key.slot, generation: session.key.generation)
        deadlines.disarm(slot: session.key.slot)
    }

    /// The session at `key`, if this session is on this host and still exists.
    func session(at key: SessionKey) -> Session? {
        key.loop == index ? sessions[key.slot, key.generation] : nil
    }

    /// The keys of all sessions, in no particular order. A key path would be evaluated at run time.
    var keys: ArraySlice<SessionKey> { sessions.elements.map { $0.key }[...] }

    // MARK: Loads

    /// Handles an event of a load for the sessions that wait for the load, at most `batchSize` in
    /// each job. A session may have ended between two jobs.
    package func handleLoadEvent(
        _ event: LoadEvent, for tickets: ArraySlice<LoadTicket>, at now: Instant
    ) {
        for ticket in tickets.prefix(Self.batchSize) {
            handle(.load(ticket, event), ofSession: ticket.session, at: now)
            // The sessions in `sessionsToShed` must end before the next session needs memory.
            if !sessionsToShed.isEmpty { shedPendingSessions(at: now) }
        }
        let rest = tickets.dropFirst(Self.batchSize)
        if !rest.isEmpty { post { $0.handleLoadEvent(event, for: rest, at: $1) } }
    }

    /// Handles an event of a load or an edit for one session. The session may have moved since the
    /// load began, even to another slot of this loop. If the session is still moving, its new loop
    /// receives the session before any job that is posted now.
    func handle(_ input: SessionInput, ofSession key: SessionKey, at now: Instant) {
        let place = directory.sessions.key(initialKey: key) ?? key
        if let session = session(at: place), session.initialKey == key {
            session.handle(input, at: now)
            updateWeight(of: session)
            arm(session)
            closeIfDrained(session, at: now)
        } else if place != key {
            directory[place.loop]?.post { $0.handle(input, ofSession: key, at: $1) }
        } else if case .load(_, _, let event) = input, event != .ended(.cancelled),
            event != .lookUpEnded(nil)
        {
            metrics.loads.recordLateAnswerWithoutSession()
        }
    }

    // MARK: Time

    /// Handles a scheduled wakeup of the loop.
    package func wakeupFired(at now: Instant) {
        // All due sessions are collected first. If a session is immediately due again, it therefore
        // waits for the next wakeup.
        var due: [Session] = []
        while let slot = deadlines.popDue(at: now) {
            guard let session = sessions[slot] else { continue }
            session.recordScheduledDeadline(nil)
            due.append(session)
        }
        for session in due {
            if let until = session.resumeDeadline, until <= now {
                expire(session, at: now)
            } else {
                session.handle(.wake, at: now)
                chargePlayedFrames(of: session, at: now)
                updateWeight(of: session)
                arm(session)
                closeIfDrained(session, at: now)
            }
        }
        for change in changes.removeDue(at: now) { directory.feedChanged(change) }
        scheduleChangeDeadline()
        expireClaims(at: now)
        closeDueSessions(at: now)
        if let first = deadlines.first { loop.scheduleWakeup(at: first) }
    }

    /// If the clock-driven frames of a network are limited (see `NetworkPlay`), charges the frames
    /// of the session to the budget of its network. The next clock-driven frames of the session
    /// wait until the budget has paid for the charged frames.
    private func chargePlayedFrames(of session: Session, at now: Instant) {
        let perSecond = services.limits.playedBytesPerAddressMax
        guard perSecond > 0, let network = session.network else { return }
        let bytes = session.consumePlayedBytes()
        guard bytes > 0 else { return }
        let until = directory.play.charge(bytes: bytes, to: network, perSecond: perSecond, at: now)
        guard until > now else { return }
        metrics.recordFramesDeferred()
        session.handle(.held(until: until), at: now)
    }

    /// Makes a new session wait until the budget of its network has paid for all earlier frames.
    private func holdFramesUntilPaid(of session: Session, at now: Instant) {
        guard services.limits.playedBytesPerAddressMax > 0, let network = session.network else {
            return
        }
        let until = directory.play.paidUntil(of: network)
        if until > now { session.handle(.held(until: until), at: now) }
    }

    /// Makes sure that the session is woken in time. If the session's deadline is not earlier than
    /// before, this costs only one comparison.
    @inline(__always)
    func arm(_ session: Session) {
        if let deadline = session.unscheduledDeadline { rearm(deadline, session) }
    }

    /// Schedules the earlier deadline that a message has caused, and ends the sessions that must
    /// end. The sessions end before the next message is read, because the loop reads many messages
    /// between two jobs, and each message may take memory.
    @inline(never)
    private func rearmAndShed(_ deadline: Instant, _ session: Session, at now: Instant) {
        rearm(deadline, session)
        if !sessionsToShed.isEmpty { endPendingSessions(at: now) }
    }

    private func rearm(_ deadline: Instant, _ session: Session) {
        session.recordScheduledDeadline(deadline)
        deadlines.arm(deadline, slot: session.key.slot)
        if deadlines.first == deadline { loop.scheduleWakeup(at: deadline) }
    }
}
