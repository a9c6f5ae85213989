package import RefreshBroker
package import RefreshProtocol
internal import WebSocketTransport

/// One client's connection, and the session that it has: a conversation, and its place on a loop.
///
/// Lives on one loop and is touched by that thread alone; each call runs to completion and never
/// waits. Neither the channel nor the dispatcher may call back from within a call to them.
///
/// It is a function of what its methods are given, of what it was opened with, and of what its
/// channel answers: nothing else may influence what it says. Its journal holds all of that. The
/// conversation is a value: it goes on elsewhere when its client comes back, with its journal.
package final class Session {
    /// Where it is.
    package let key: SessionKey
    let conversation: Owned<Conversation>
    /// Nil without a journal, which must cost a message no more than the look at it.
    private(set) var recorder: SessionRecorder?
    /// When its host will wake it; nil if nothing is due.
    var armed: Instant?
    /// Whether its connection has one of the places of `sessionsMax`.
    var hasPlace = false
    /// Whether its connection counts as one of its network's that have no place yet.
    var isSilent = false
    /// Whether that is one beyond the bound, in the hope that the client takes its old one's place.
    var isBeyondBound = false
    /// Where its client is, or was last; nil: nobody can tell.
    var network: PeerNetwork?
    /// The bytes that it was last known to hold, while it waits for its client.
    var weight = 0
    /// The loop's, not those by way of a recorder.
    private let services: SessionServices
    /// The loop's, at which a session that is not recorded reads and writes.
    private let loopDesk: SharedDesk

    /// `subject`: who the client is, where it is authenticated; `token`: what coming back to the
    /// session takes, nil if nobody can. With a `journal` everything that enters and leaves the
    /// session is written there.
    package init(
        key: SessionKey, name: String, subject: String? = nil, token: ResumeToken? = nil,
        channel: any Channel, services: SessionServices, now: Instant,
        journal: (any JournalSink)? = nil
    ) {
        recorder = journal.map { journal in
            SessionRecorder(
                channel: channel, services: services, journal: journal,
                header: JournalHeader(
                    started: journal.started, at: now, session: name, key: key,
                    subject: subject, token: token, seals: services.seal != nil,
                    limits: services.limits,
                    feeds: services.feeds, indicators: services.indicators.configured))
        }
        self.key = key
        self.services = services
        loopDesk = services.desk
        let own = recorder.map { services.recorded(by: $0) } ?? services
        conversation = Owned(
            Conversation(
                key: key, name: name, subject: subject, token: token,
                channel: recorder ?? channel, services: own, now: now))
    }

    /// A session that waits for its client, which was somewhere else before.
    init(_ moved: MovedSession, key: SessionKey, services: SessionServices) {
        self.key = key
        self.services = services
        network = moved.network
        loopDesk = services.desk
        recorder = moved.recorder
        conversation = Owned(moved.conversation)
        settle(on: AbsentChannel.shared)
    }

    /// One that is recorded keeps to the bounds that it was opened with.
    private var desk: SharedDesk {
        @inline(__always) get { conversation.value.services.desk }
    }

    /// The session's name in logs and in `welcome`.
    package var name: String { conversation.value.name }

    /// Where it was opened: so its loads name it.
    var birthplace: SessionKey { conversation.value.key }

    /// Whether it is worth keeping without its connection.
    var canBeKept: Bool { conversation.value.canBeKept }

    /// Whether it is over for good, though its connection may not be gone yet.
    var isOver: Bool { conversation.value.isOver }

    /// Whose it is, among those that wait for their clients: who the client is, or else where it
    /// was.
    var holder: SessionHolder {
        SessionHolder(subject: conversation.value.subject, network: network)
    }

    /// Whether who has a snapshot of that lineage has gone on from this session's state elsewhere.
    func isOutdone(by other: Lineage, at now: Instant) -> Bool {
        conversation.value.isOutdone(by: other, at: now)
    }

    /// Until when it waits for its client; nil if that is connected.
    var waitsUntil: Instant? { conversation.value.waitsUntil }

    /// The bytes that it holds without a connection, about.
    var heldBytes: Int { conversation.value.heldBytes }

    /// Whether its client has said `hello` and waits for an answer.
    var isGreeting: Bool { conversation.value.isGreeting }

    /// Why somebody may not go on with the session; nil: it may.
    func refusal(of wish: ResumeWish, at now: Instant) -> ResumeRefusal? {
        conversation.value.refusal(of: wish, at: now)
    }

    /// A text frame came. Whether an update was sent in answer.
    @discardableResult
    package func receive(_ frame: Span<UInt8>, at now: Instant) -> Bool {
        guard recorder == nil else { return receiveRecorded(frame, at: now) }
        return conversation.value.receive(frame, at: &loopDesk.place.value, now)
    }

    /// A binary frame came.
    package func receiveBinary(at now: Instant) {
        recorder?.enters(.binary, at: now)
        conversation.value.receiveBinary(at: now)
        finish(at: now)
    }

    /// The channel takes frames again. Whether an update was sent.
    @discardableResult
    package func becameWritable(at now: Instant) -> Bool {
        recorder?.enters(.writable, at: now)
        return finish(at: now)
    }

    /// The session ends: the connection is gone, and so are the views and their loads.
    package func channelClosed(at now: Instant) {
        recorder?.enters(.closed, at: now)
        conversation.value.channelClosed(at: now)
        recorder?.end()
    }

    /// The daemon ends the session, for a reason of its own.
    package func end(_ code: FaultCode, at now: Instant) {
        recorder?.enters(.end(code), at: now)
        if code == .draining {
            conversation.value.closeForDraining(at: now)
        } else {
            conversation.value.report(Fault(code), at: now)
        }
        finish(at: now)
    }

    /// The daemon is about to stop, and will end the session in so many milliseconds.
    package func announceDraining(closesMs: Int, at now: Instant) {
        recorder?.enters(.draining(closesMs: closesMs), at: now)
        conversation.value.announceDraining(closesMs: closesMs, at: now)
        finish(at: now)
    }

    /// Whether the daemon still works for the client, or has not yet told what came of that.
    var isWaitedFor: Bool { conversation.value.isWaitedFor }

    /// The broker tells of a load.
    package func loadNews(_ ticket: LoadTicket, _ news: LoadNews, at now: Instant) {
        recorder?.enters(.load(ticket.load, view: ticket.view, news), at: now)
        conversation.value.loadNews(ticket, news, at: now)
        finish(at: now)
    }

    /// A brokered load ended.
    package func loadEnded(_ ticket: LoadTicket, _ outcome: LoadOutcome, at now: Instant) {
        loadNews(ticket, .ended(outcome), at: now)
    }

    /// A feed has newer data.
    package func feedChanged(_ feed: String, at now: Instant) {
        guard conversation.value.hasViews(of: feed) else { return }
        recorder?.enters(.changed(feed: feed), at: now)
        conversation.value.feedChanged(feed, at: now)
        finish(at: now)
    }

    /// A deadline may have passed.
    package func wake(at now: Instant) {
        recorder?.enters(.wake, at: now)
        conversation.value.wake(at: now)
        finish(at: now)
    }

    /// When the session wants to be woken.
    package var nextDeadline: Instant? { conversation.value.nextDeadline() }

    /// Apart, so that it does not burden the path of those that are not recorded.
    @inline(never)
    private func receiveRecorded(_ frame: Span<UInt8>, at now: Instant) -> Bool {
        recorder?.enters(.frame(unsafe frame.withUnsafeBufferPointer { unsafe Array($0) }), at: now)
        let didSendUpdate = conversation.value.receive(frame, at: &desk.place.value, now)
        handOver(at: now)
        return didSendUpdate
    }

    @discardableResult
    private func finish(at now: Instant) -> Bool {
        conversation.value.closeGreeting(at: &desk.place.value, now)
        conversation.value.countIgnored(at: &desk.place.value)
        let didSendUpdate = conversation.value.flush(at: &desk.place.value, now)
        if recorder != nil { handOver(at: now) }
        return didSendUpdate
    }

    @inline(never)
    private func handOver(at now: Instant) {
        guard let recorder else { return }
        recorder.handOver()
        if recorder.isDone { endJournal(at: now) }
    }
}

// MARK: Coming back. Source: docs/protocol.md, "Coming back".
extension Session {
    /// The connection is gone; a session that can be kept waits for its client.
    package func connectionLost(at now: Instant) {
        recorder?.enters(.lost, at: now)
        conversation.value.connectionLost(at: now)
        recorder?.settle(on: AbsentChannel.shared, services)
        recorder?.handOver()
    }

    /// It is known who the client is, or that nobody can say, or that it is not let in.
    package func identified(_ verdict: AdmissionVerdict, at now: Instant) {
        recorder?.enters(.identified(verdict), at: now)
        conversation.value.identified(verdict, at: now)
        finish(at: now)
    }

    /// The client cannot go on with the session that it asked for: it has a fresh one.
    package func resumeRefused(_ refusal: ResumeRefusal, at now: Instant) {
        recorder?.enters(.refused(refusal), at: now)
        conversation.value.resumeRefused(refusal, at: now)
        finish(at: now)
    }

    /// Gives the conversation away, to go on elsewhere. A connection that it still has is closed at
    /// once, and nothing that comes from there is handled.
    func leave(at now: Instant) -> MovedSession {
        let channel = recorder?.channel ?? conversation.value.channel
        let isConnected = conversation.value.isConnected
        if waitsUntil == nil { connectionLost(at: now) }
        if isConnected { fence(channel) }
        // Who sees it here may not be who sees it there.
        let isTraced = witness?.isTraced ?? false
        witness = nil
        let moved = MovedSession(
            conversation: conversation.value, recorder: recorder, isTraced: isTraced,
            network: network)
        recorder = nil
        conversation.value = Conversation(
            over: key, name: moved.conversation.name, services: services, now: now)
        return moved
    }

    /// Says why, if there is room for it, and closes.
    private func fence(_ channel: any Channel) {
        let fault = Fault(.sessionTaken)
        services.metrics.fault(fault.code)
        if channel.isWritable {
            desk.place.value.frame.removeAll()
            desk.place.value.frame.append(ServerText.error(fault))
            services.metrics.sent(bytes: desk.place.value.frame.count)
            channel.send(&desk.place.value.frame)
        }
        channel.close(.sessionTaken, reason: FaultCode.sessionTaken.rawValue)
    }

    /// The session that the client has asked for was taken from where it was: it goes on here, and
    /// `witness` sees it.
    func adopt(_ moved: MovedSession, _ witness: SessionWitness?, at now: Instant) {
        guard let greeting = conversation.value.greeting else { return }
        let channel = recorder?.channel ?? conversation.value.channel
        let token = conversation.value.token
        let identity = conversation.value.identity
        let connectedAt = conversation.value.connectedAt
        recorder?.enters(.left, at: now)
        recorder?.end()
        recorder = moved.recorder
        if conversation.value.isHeldBack {
            // The session that comes knows nothing of it: it holds back anew what is too much.
            services.metrics.letGo()
            channel.holdBack(false)
        }
        conversation.value = moved.conversation
        conversation.value.connectedAt = connectedAt
        self.witness = witness
        settle()
        // The subject is the same; what it may, and for how long, is the new token's word.
        if conversation.value.identity != identity {
            identified(.admitted(identity), at: now)
        }
        comeBack(greeting.arrival, token: token, on: channel, at: now)
    }

    /// The client of a session that waits for it is back, on another connection: it is told all
    /// that holds.
    package func comeBack(
        _ arrival: Homecoming, token: ResumeToken?, on channel: any Channel, at now: Instant
    ) {
        if let recorder, !recorder.fits(services) {
            recorder.enters(.left, at: now)
            recorder.end()
            self.recorder = nil
        }
        recorder?.enters(.resumed(arrival, token), at: now)
        settle(on: channel)
        let known = conversation.value.ack
        conversation.value.comeBack(arrival.hello, token: token, at: now)
        conversation.value.inspectHello(arrival.text, at: now)
        conversation.value.handleHeld(
            arrival.held, known: known, at: &desk.place.value, now)
        finish(at: now)
    }

    /// Goes on with the session that the client has in a snapshot, whose token it knows.
    ///
    /// - Throws: why it cannot; then nothing has changed.
    package func rebuild(
        from snapshot: SessionSnapshot, at now: Instant
    ) throws(ResumeRefusal) {
        recorder?.enters(.rebuilt(snapshot), at: now)
        try conversation.value.rebuild(from: snapshot, at: &desk.place.value, now)
        finish(at: now)
    }

    /// It is of this loop from now on, also before it has a channel again: nothing of the loop that
    /// it was on may be touched here.
    private func settle() {
        recorder?.settle(on: AbsentChannel.shared, services)
        conversation.value.services = recorder.map { services.recorded(by: $0) } ?? services
    }

    private func settle(on channel: any Channel) {
        if let recorder {
            recorder.settle(on: channel, services)
            conversation.value.channel = recorder
            conversation.value.services = services.recorded(by: recorder)
        } else {
            conversation.value.channel = channel
            conversation.value.services = services
        }
    }
}

// MARK: Journals that are begun and ended in the middle
// Source: docs/journal.md, "Journals on request".
extension Session {
    /// Whether it is recorded.
    package var isRecorded: Bool { recorder != nil }

    /// Whether that is so because an operator has asked for it.
    var isRecordedOnRequest: Bool { recorder?.isOnRequest ?? false }

    /// From now on everything that enters and leaves the session is written there. False if it
    /// cannot be, for the session is about to open or to end, or recorded already.
    package func beginJournal(_ make: () -> (any JournalSink)?, at now: Instant) -> Bool {
        guard recorder == nil, let living = conversation.value.living, let journal = make() else {
            return false
        }
        let own = conversation.value
        let recorder = SessionRecorder(
            channel: own.channel, services: services, journal: journal,
            header: JournalHeader(
                started: journal.started, at: now, session: name, key: birthplace,
                subject: own.subject, token: own.token, seals: services.seal != nil,
                limits: services.limits, feeds: services.feeds,
                indicators: services.indicators.configured))
        recorder.enters(.begun(living), at: now)
        recorder.handOver()
        self.recorder = recorder
        conversation.value.services = services.recorded(by: recorder)
        if own.isConnected { conversation.value.channel = recorder }
        return true
    }

    /// The session goes on unrecorded.
    package func endJournal(at now: Instant) {
        guard let recorder else { return }
        recorder.enters(.left, at: now)
        recorder.end()
        if conversation.value.isConnected { conversation.value.channel = recorder.channel }
        conversation.value.services = services
        self.recorder = nil
    }

    /// Goes on as `living`: of a session that was made for a replay. False if that cannot be.
    package func goOn(as living: LivingSession) -> Bool { conversation.value.goOn(as: living) }
}
