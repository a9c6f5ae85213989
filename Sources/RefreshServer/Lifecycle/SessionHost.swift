package import RefreshBroker
package import RefreshProtocol
internal import WebSocketTransport

/// All sessions of one loop: their frames, deadlines, loads and feeds. It knows no sockets and no
/// clock: a channel, the time and the loop are given to it, so that the simulation drives what
/// production runs.
///
///     Channel's owner -> opened, receive, becameWritable, … -> Session -> Channel
///     Session -> LoadDispatching -> … -> LoopDirectory -> take -> Session
///
/// A session whose connection is gone stays for a while, and goes on where its client comes back
/// (`SessionHost+Resuming`).
///
/// `@unchecked Sendable`, because other threads hold it to `post`: that uses `loop` alone, which
/// takes jobs from any thread. Everything else is touched on the loop's thread only.
package final class SessionHost: @unchecked Sendable {
    /// So many sessions are told of something at one go; then the loop looks after its sockets.
    static let piece = 256

    let loop: any SessionLoop
    let index: UInt16
    let services: SessionServices
    let metrics: LoopMetrics
    let log: DaemonLog
    let directory: LoopDirectory
    /// Nil: nobody is asked who it is.
    let entrance: Entrance?
    /// Nil: there is a place for everybody.
    let occupancy: Occupancy?
    let draw: () -> UInt64
    private let journal: (_ session: String) -> (any JournalSink)?
    /// Nil: operators can ask for none.
    let journals: RequestedJournals?

    var sessions = SlotTable<Session>()
    /// Who watches them.
    let watch: LoopWatch
    private var deadlines = SlotDeadlines()
    /// Nil: the daemon is not about to stop. Then no session is kept any more.
    var departures: Departures?
    /// Where clients are known by tokens with an end: how far the calendar's clock was ahead of the
    /// daemon's when the sessions were last held against it, in seconds.
    var calendarLead: Double?
    /// Changes of feeds that the host is about to have told.
    private var changes = FeedChanges()
    /// Changes of feeds that its sessions have been told of.
    var toldChanges = ToldChanges()
    /// Whether memory is short; nil: there is enough for everybody.
    let doorkeeper: Doorkeeper?
    /// Sessions that are to end for want of memory.
    let leaving = LeavingSessions()

    /// `index`: the loop's; `directory` finds all hosts of the daemon, this one among them once it
    /// was entered there; `entrance`, `occupancy`: of the whole daemon; `draw`: random bits that
    /// nobody can guess; `journal`: where a session is recorded, if it is.
    package convenience init(
        loop: any SessionLoop, index: UInt16, services: SessionServices, directory: LoopDirectory,
        entrance: Entrance? = nil, occupancy: Occupancy? = nil, log: DaemonLog = .silent,
        draw: @escaping () -> UInt64 = { .random(in: .min ... .max) },
        journal: @escaping (_ session: String) -> (any JournalSink)? = { _ in nil }
    ) {
        self.init(
            loop: loop, index: index, services: services, directory: directory,
            entrance: entrance, occupancy: occupancy, log: log, draw: draw, journals: nil,
            journal: journal)
    }

    /// `journals`: those that operators ask for; `doorkeeper`: sees to memory.
    init(
        loop: any SessionLoop, index: UInt16, services: SessionServices, directory: LoopDirectory,
        entrance: Entrance?, occupancy: Occupancy? = nil, doorkeeper: Doorkeeper? = nil,
        log: DaemonLog,
        draw: @escaping () -> UInt64 = { .random(in: .min ... .max) },
        journals: RequestedJournals?,
        journal: @escaping (_ session: String) -> (any JournalSink)?
    ) {
        self.loop = loop
        self.index = index
        self.services = services
        self.directory = directory
        self.entrance = entrance
        self.occupancy = occupancy
        self.doorkeeper = doorkeeper
        self.log = log
        self.draw = draw
        self.journal = journal
        self.journals = journals
        watch = LoopWatch(log: log)
        metrics = services.metrics
        services.reception = self
        services.growth = doorkeeper.map { doorkeeper in
            { [weak self] bytes, key, now in
                doorkeeper.sessionsGrew(by: bytes, at: now)
                self?.hasGrown(key)
            }
        }
    }

    /// Runs `job` on the loop's thread, with the time that it is then. From any thread.
    package func post(_ job: @escaping @Sendable (SessionHost, _ now: Instant) -> Void) {
        loop.run { job(self, $0) }
    }

    /// From now on these hold, for all sessions that are not recorded.
    package func adopt(
        limits: Limits, feeds: [FeedDescription], indicators: IndicatorCatalogue
    ) {
        services.adopt(limits: limits, feeds: feeds, indicators: indicators)
    }

    // MARK: Connections

    /// A connection stands, and `channel` leads to it: its session.
    package func opened(_ channel: any Channel, at now: Instant) -> Session {
        let name = SessionName.text(draw())
        let token = ResumeToken(draw(), draw())
        let keeps = services.limits.resumeWindowMs > 0
        let session = sessions.insert { slot, generation in
            Session(
                key: SessionKey(loop: index, slot: slot, generation: generation), name: name,
                token: keeps ? token : nil, channel: channel, services: services,
                now: now, journal: journal(name))
        }
        // Now: when the connection has ended, nobody can say where it was from.
        session.network = channel.peer.flatMap { PeerNetwork($0) }
        awaitPlay(of: session, at: now)
        session.isSilent = true
        occupancy?.beginSilence(of: session.network)
        metrics.sessionOpened()
        directory.newcomers.enter(session.key)
        arm(session)
        log(.sessionOpened, [.session: name, .loop: String(index)])
        look(at: session)
        return session
    }

    /// A text frame came. Whether an update was sent in answer.
    @inline(__always)
    package func receive(_ frame: Span<UInt8>, by session: Session, at now: Instant) -> Bool {
        let didSendUpdate = session.receive(frame, at: now)
        if let deadline = earlierDeadline(of: session) { rearmAndShed(deadline, session, at: now) }
        return didSendUpdate
    }

    /// A binary frame of so many bytes came.
    package func receiveBinary(bytes: Int, by session: Session, at now: Instant) {
        metrics.received(bytes: bytes)
        session.receiveBinary(at: now)
        arm(session)
    }

    /// The channel takes frames again. Whether an update was sent.
    package func becameWritable(_ session: Session, at now: Instant) -> Bool {
        let didSendUpdate = session.becameWritable(at: now)
        arm(session)
        departIfDone(session, at: now)
        return didSendUpdate
    }

    /// The daemon ends the session, for a reason of its own.
    package func end(_ session: Session, because code: FaultCode, at now: Instant) {
        session.end(code, at: now)
        arm(session)
    }

    /// The connection is gone. Its session may be elsewhere by now; else it waits for its client,
    /// or ends.
    package func closed(_ session: Session, at now: Instant) {
        metrics.sessionClosed()
        directory.newcomers.leave(session.key)
        givePlaceBack(of: session)
        endSilence(of: session)
        log(.sessionClosed, [.session: session.name, .loop: String(index)])
        guard self.session(at: session.key) === session else { return }
        if session.canBeKept, departures == nil {
            detach(session, at: now)
        } else {
            forget(session, at: now)
        }
    }

    /// The connection of the session is gone, or is being closed because it goes on at another one.
    func givePlaceBack(of session: Session) {
        guard session.hasPlace else { return }
        session.hasPlace = false
        occupancy?.givePlaceBack()
    }

    /// The session has a place, or its connection is gone.
    func endSilence(of session: Session) {
        guard session.isSilent else { return }
        session.isSilent = false
        occupancy?.endSilence(of: session.network)
    }

    /// The session ends, and nobody comes back to it.
    func forget(_ session: Session, at now: Instant) {
        let name = session.name
        session.channelClosed(at: now)
        session.witness?.closed()
        remove(session)
        directory.sessions.leave(name, born: session.birthplace, at: session.key)
    }

    /// The host has the session no more.
    func remove(_ session: Session) {
        sessions.remove(slot: session.key.slot, generation: session.key.generation)
        deadlines.disarm(slot: session.key.slot)
    }

    /// The session at that place, if it is one of this host and is there still.
    func session(at key: SessionKey) -> Session? {
        key.loop == index ? sessions[key.slot, key.generation] : nil
    }

    /// All sessions, in no promised order.
    var keys: ArraySlice<SessionKey> { sessions.elements.map(\.key)[...] }

    // MARK: Loads and feeds

    /// News of loads came home, for sessions that may be gone by now: some at a time.
    package func take(_ news: LoadNews, for tickets: ArraySlice<LoadTicket>, at now: Instant) {
        for ticket in tickets.prefix(Self.piece) {
            take(news, for: ticket, at: now)
            // Before the next one grows.
            if !leaving.isEmpty { shedLeaving(at: now) }
        }
        let rest = tickets.dropFirst(Self.piece)
        if !rest.isEmpty { post { $0.take(news, for: rest, at: $1) } }
    }

    /// The session may have gone on elsewhere since its load began, also to another place of this
    /// loop; and it may be on its way there: then it comes before what is posted now.
    private func take(_ news: LoadNews, for ticket: LoadTicket, at now: Instant) {
        let place = directory.sessions.place(born: ticket.session) ?? ticket.session
        if let session = session(at: place), session.birthplace == ticket.session {
            session.loadNews(ticket, news, at: now)
            weigh(session)
            arm(session)
            departIfDone(session, at: now)
        } else if place != ticket.session {
            directory[place.loop]?.post { $0.take(news, for: [ticket], at: $1) }
        } else if news != .ended(.cancelled) {
            metrics.orphanedLoad()
        }
    }

    /// A feed has newer data: all hosts are told soon, once for all that comes until then.
    package func gatherChange(of feed: String, at now: Instant) {
        changes.note(feed, at: now)
        wakeForChanges()
    }

    /// A feed has newer data: the sessions that show it are told, some at a time. `number`: the
    /// change's in the directory.
    func feedChanged(_ feed: String, number: UInt64, at now: Instant) {
        toldChanges.begin(number)
        tell(keys, of: feed, number: number, at: now)
    }

    private func tell(
        _ keys: ArraySlice<SessionKey>, of feed: String, number: UInt64, at now: Instant
    ) {
        for key in keys.prefix(Self.piece) {
            guard let session = sessions[key.slot, key.generation] else { continue }
            session.feedChanged(feed, at: now)
            weigh(session)
            arm(session)
        }
        let rest = keys.dropFirst(Self.piece)
        guard !rest.isEmpty else { return toldChanges.end(number) }
        post { $0.tell(rest, of: feed, number: number, at: $1) }
    }

    // MARK: Time

    /// The moment that the loop was asked to wake at has come.
    package func woken(at now: Instant) {
        // All that are due first: a session that is due again at once waits for the next turn.
        var due: [Session] = []
        while let slot = deadlines.popDue(at: now) {
            guard let session = sessions[slot] else { continue }
            session.armed = nil
            due.append(session)
        }
        for session in due {
            if let until = session.waitsUntil, until <= now {
                expire(session, at: now)
            } else {
                session.wake(at: now)
                settlePlay(of: session, at: now)
                weigh(session)
                arm(session)
                departIfDone(session, at: now)
            }
        }
        for feed in changes.take(at: now) { directory.feedChanged(feed) }
        wakeForChanges()
        departDue(at: now)
        if let first = deadlines.first { loop.wake(at: first) }
    }

    /// What the session was sent by the clock counts for its address, if there is a bound for that:
    /// then its next frames wait until that is paid.
    private func settlePlay(of session: Session, at now: Instant) {
        let perSecond = services.limits.playedBytesPerAddressMax
        guard perSecond > 0, let network = session.network else { return }
        let bytes = session.takePlayedBytes()
        guard bytes > 0 else { return }
        let until = directory.play.charge(bytes: bytes, to: network, perSecond: perSecond, at: now)
        guard until > now else { return }
        metrics.framesDefer()
        session.holdFrames(until: until, at: now)
    }

    /// A new session waits for what its address was sent before, as the others there do.
    private func awaitPlay(of session: Session, at now: Instant) {
        guard services.limits.playedBytesPerAddressMax > 0, let network = session.network else {
            return
        }
        let until = directory.play.paidUntil(of: network)
        if until > now { session.holdFrames(until: until, at: now) }
    }

    private func wakeForChanges() {
        if let due = changes.nextDeadline { loop.wake(at: due) }
    }

    /// Sees to it that the session is woken in time. Costs a comparison when nothing is earlier.
    @inline(__always)
    func arm(_ session: Session) {
        if let deadline = earlierDeadline(of: session) { rearm(deadline, session) }
    }

    /// When the session has to be woken, if nothing wakes it before.
    @inline(__always)
    private func earlierDeadline(of session: Session) -> Instant? {
        guard let deadline = session.nextDeadline else { return nil }
        if let armed = session.armed, armed.microseconds <= deadline.microseconds { return nil }
        return deadline
    }

    /// A message has begun something. Sessions that are to end do so before the next message is
    /// read: in one turn the loop reads many, and each may begin as much again.
    @inline(never)
    private func rearmAndShed(_ deadline: Instant, _ session: Session, at now: Instant) {
        rearm(deadline, session)
        if !leaving.isEmpty { endLeaving(at: now) }
    }

    private func rearm(_ deadline: Instant, _ session: Session) {
        session.armed = deadline
        deadlines.arm(deadline, slot: session.key.slot)
        if deadlines.first == deadline { loop.wake(at: deadline) }
    }
}
