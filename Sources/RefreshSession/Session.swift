package import RefreshProtocol

/// One client's session: a `Conversation`, which is its state, and its place on a loop.
///
/// A session belongs to one loop, and only that loop's thread uses it. Each call runs to completion
/// and never blocks. While the session calls its channel or its load dispatcher, they must not call
/// the session.
///
/// The session's output depends only on its method calls, on the settings with which it was opened,
/// and on the answers of its channel. A journal records all of these. The conversation is a value.
/// When the session's client resumes on another loop, the conversation moves there with its
/// journal.
package final class Session {
    /// Identifies the loop of the session and its slot there.
    package let key: SessionKey
    let conversation: UnsafeBox<Conversation>
    /// Writes the journal; nil if the session has none. For a session without a journal, the test
    /// for nil must be the only cost per message.
    private(set) var recorder: SessionRecorder?
    /// When the host (`SessionHost`) will wake the session; nil if nothing is due. The property is
    /// private, because every access to a property that other modules can set is checked at run
    /// time.
    private var scheduledDeadline: Instant?
    /// Whether the session's connection counts against `sessionsMax`.
    package var countsAgainstSessionsMax = false
    /// Whether the session's connection counts among the unadmitted connections of its network.
    /// When a connection gets a place, it is admitted, and the place counts against `sessionsMax`.
    package var countsAsUnadmitted = false
    /// Whether the place of the session's connection is beyond `sessionsMax`. This is the case only
    /// until the client gets the place of its old connection.
    package var isBeyondSessionsMax = false
    /// The network of the client's current or last connection; nil if it is unknown.
    package var network: PeerNetwork?
    /// The last recorded value of `heldBytes`, for a session that waits for its client.
    package var lastHeldBytes = 0
    /// The loop's own services, which do not write to a journal.
    private let services: SessionServices
    /// The loop's decoder and output buffer, used by sessions that are not recorded.
    private let loopScratch: SharedFrameScratch

    /// Creates a session. `subject` is the authenticated subject of the client. `token` is the
    /// token with which the session can be resumed; nil if it cannot be resumed. If there is a
    /// `journal`, all input and output of the session is written to it.
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
        loopScratch = services.scratch
        let own = recorder.map { services.recorded(by: $0) } ?? services
        conversation = UnsafeBox(
            Conversation(
                key: key, name: name, subject: subject, token: token,
                channel: recorder ?? channel, services: own, now: now))
    }

    /// Creates a session from a session that has moved to this loop and waits for its client.
    package init(_ handoff: SessionHandoff, key: SessionKey, services: SessionServices) {
        self.key = key
        self.services = services
        network = handoff.network
        loopScratch = services.scratch
        recorder = handoff.recorder
        conversation = UnsafeBox(handoff.conversation)
        replaceServices()
    }

    /// The decoder and output buffer for this session. A recorded session keeps the limits that it
    /// was opened with.
    private var scratch: SharedFrameScratch {
        @inline(__always) get { conversation.value.services.scratch }
    }

    /// The session's name in logs and in `welcome`.
    package var name: String { conversation.value.name }

    /// The key that the session had when it was opened. The tickets of its loads contain this key.
    package var initialKey: SessionKey { conversation.value.key }

    /// Whether the session should be kept after the loss of its connection.
    package var isResumable: Bool { conversation.value.isResumable }

    /// Whether the session has ended and cannot be resumed. The connection may not be closed yet.
    package var hasEnded: Bool { conversation.value.phase.hasEnded }

    /// The owner of the session while it waits. It is the client's subject, or, if there is none,
    /// the client's network.
    package var holder: SessionHolder {
        SessionHolder(subject: conversation.value.principal.subject, network: network)
    }

    /// The time until which the session waits for its client; nil while the client is connected.
    package var resumeDeadline: Instant? { conversation.value.phase.resumeDeadline }

    /// The approximate number of bytes in memory that the session uses without a connection.
    package var heldBytes: Int { conversation.value.heldBytes }

    /// Whether the client has sent `hello` and waits for the answer.
    package var isGreeting: Bool { conversation.value.phase.isGreeting }

    /// Why the client of this resume request may not resume the session; nil if it may.
    package func refusal(of attempt: ResumeAttempt, at now: Instant) -> ResumeRefusal? {
        conversation.value.refusal(of: attempt, at: now)
    }

    /// Whether a client with a snapshot of `history` has continued the session elsewhere.
    package func isSuperseded(by history: ResumeHistory, at now: Instant) -> Bool {
        conversation.value.credentials.isSuperseded(
            by: history, isConnected: conversation.value.phase.isConnected, at: now)
    }

    /// The result of handling a text frame.
    package struct Reception {
        /// Whether an update was sent in answer.
        package let didSendUpdate: Bool
        /// When the session must be woken; nil if nothing is due, or if a wakeup is already
        /// scheduled for then or earlier.
        package let unscheduledDeadline: Instant?
    }

    /// Handles a text frame.
    @discardableResult
    package func receive(_ frame: Span<UInt8>, at now: Instant) -> Reception {
        let didSendUpdate =
            recorder == nil
            ? conversation.value.receive(frame, using: &loopScratch.box.value, at: now)
            : receiveRecorded(frame, at: now)
        return Reception(
            didSendUpdate: didSendUpdate, unscheduledDeadline: unscheduledDeadline)
    }

    /// Records when the host will wake the session; nil if no wakeup is scheduled.
    package func recordScheduledDeadline(_ deadline: Instant?) { scheduledDeadline = deadline }

    /// When the session must be woken; nil if nothing is due, or if a wakeup is already scheduled
    /// for then or earlier.
    @inline(__always)
    package var unscheduledDeadline: Instant? {
        guard let deadline = conversation.value.nextDeadline() else { return nil }
        if let scheduledDeadline, scheduledDeadline.microseconds <= deadline.microseconds {
            return nil
        }
        return deadline
    }

    /// Handles an input. Returns whether an update was sent.
    ///
    /// - `resumed` and `rebuilt` are handled by `resume` and `rebuild`, which need more input.
    /// - `channel`, `known` and `sealed` are the results of calls by the session.
    @discardableResult
    package func handle(_ input: SessionInput, at now: Instant) -> Bool {
        if case .changed(let feed, _, _, _) = input, !conversation.value.hasViews(of: feed) {
            return false
        }
        return perform(recorder?.recordInput(adapting: input, at: now) ?? input, at: now)
    }

    private func perform(_ input: SessionInput, at now: Instant) -> Bool {
        switch input {
        case .frame(let bytes):
            let didSendUpdate = conversation.value.receive(
                bytes.span, using: &scratch.box.value, at: now)
            flushJournal(at: now)
            return didSendUpdate
        case .closed:
            conversation.value.handleChannelClosed(at: now)
            recorder?.end()
            return false
        case .lost:
            conversation.value.detachFromConnection(at: now)
            recorder?.attach(to: AbsentChannel.shared, services)
            recorder?.flush()
            return false
        case .held(let until):
            conversation.value.holdFrames(until: until)
            recorder?.flush()
            return false
        default:
            conversation.value.handle(input, at: now)
            return finishInput(at: now)
        }
    }

    /// Whether a view of the feed would refresh after a change, and does not wait for such a
    /// refresh yet.
    package func hasUndelayedRefresh(of feed: String) -> Bool {
        conversation.value.hasUndelayedRefresh(of: feed)
    }

    /// Whether a load still runs for the client, or output is still queued for the client.
    package var hasPendingWork: Bool { conversation.value.hasPendingWork }

    /// When the session must be woken; nil if nothing is due.
    package var nextDeadline: Instant? { conversation.value.nextDeadline() }

    /// Returns the number of bytes of clock-driven frames that were written since the last call.
    package func consumePlayedBytes() -> Int {
        defer { conversation.value.renderMode.playedBytes = 0 }
        return conversation.value.renderMode.playedBytes
    }

    /// This is a separate function, so that it does not slow down sessions without a journal.
    @inline(never)
    private func receiveRecorded(_ frame: Span<UInt8>, at now: Instant) -> Bool {
        handle(.frame(unsafe frame.withUnsafeBufferPointer { unsafe Array($0) }), at: now)
    }

    @discardableResult
    func finishInput(at now: Instant) -> Bool {
        conversation.value.finishGreeting(using: &scratch.box.value, at: now)
        conversation.value.recordIgnoredInput(using: &scratch.box.value)
        let didSendUpdate = conversation.value.flush(using: &scratch.box.value, at: now)
        if recorder != nil { flushJournal(at: now) }
        return didSendUpdate
    }

    @inline(never)
    private func flushJournal(at now: Instant) {
        guard let recorder else { return }
        recorder.flush()
        if recorder.isDone { endJournal(at: now) }
    }
}

// MARK: Resuming. Source: docs/protocol.md, "Coming back".
extension Session {
    /// Returns the conversation, so that another `Session` can continue it. If the session still
    /// has a connection, this connection is closed at once, and its later messages are dropped.
    package func handOff(at now: Instant) -> SessionHandoff {
        let channel = recorder?.channel ?? conversation.value.channel
        let isConnected = conversation.value.phase.isConnected
        if resumeDeadline == nil { handle(.lost, at: now) }
        if isConnected { closeReplacedConnection(channel) }
        // The observer belongs to this loop and cannot move.
        let isTraced = observer?.isTraced ?? false
        observer = nil
        let handoff = SessionHandoff(
            conversation: conversation.value, recorder: recorder, isTraced: isTraced,
            network: network)
        recorder = nil
        conversation.value = Conversation(
            over: key, name: handoff.conversation.name, services: services, now: now)
        return handoff
    }

    /// Sends the reason if the channel is writable, and closes the connection.
    private func closeReplacedConnection(_ channel: any Channel) {
        let fault = Fault(.sessionTaken)
        services.metrics.recordFault(fault.code)
        if channel.isWritable {
            scratch.box.value.frame.removeAll()
            scratch.box.value.frame.append(ServerText.error(fault))
            services.metrics.recordSent(bytes: scratch.box.value.frame.count)
            channel.send(&scratch.box.value.frame)
        }
        channel.close(.sessionTaken, reason: FaultCode.sessionTaken.rawValue)
    }

    /// Continues the session that the client asked to resume. That session was already removed from
    /// its old place. `observer` becomes the observer of the session.
    package func acceptHandoff(
        _ handoff: SessionHandoff, observer: SessionObserver?, at now: Instant
    ) {
        guard let greeting = conversation.value.phase.greeting else { return }
        let channel = recorder?.channel ?? conversation.value.channel
        let token = conversation.value.credentials.token
        let identity = conversation.value.principal.identity
        let connectedAt = conversation.value.credentials.connectedAt
        recorder?.recordInput(.left, at: now)
        recorder?.end()
        recorder = handoff.recorder
        if conversation.value.outbox.hasPausedReading {
            // The session that moves to this connection has not paused reading from it. If too much
            // output is queued, this session pauses reading later.
            services.metrics.recordReadingResumed()
            channel.setReadingPaused(false)
        }
        conversation.value = handoff.conversation
        conversation.value.credentials.connectedAt = connectedAt
        self.observer = observer
        replaceServices()
        // The subject is the same. The permissions and their expiry are those with which the client
        // authenticated on the new connection.
        if conversation.value.principal.identity != identity {
            handle(.identified(.admitted(identity)), at: now)
        }
        resume(greeting.handshake, token: token, on: channel, at: now)
    }

    /// Resumes a waiting session on another connection, and sends the whole current state.
    package func resume(
        _ arrival: ResumeHandshake, token: ResumeToken?, on channel: any Channel, at now: Instant
    ) {
        if let recorder, !recorder.matches(services) {
            recorder.recordInput(.left, at: now)
            recorder.end()
            self.recorder = nil
        }
        recorder?.recordInput(.resumed(arrival, token), at: now)
        moveToLoop(to: channel)
        let known = conversation.value.inbound.ack
        conversation.value.resume(arrival.hello, token: token, at: now)
        conversation.value.reportSkippedHelloFields(arrival.text, at: now)
        conversation.value.handleHeldFrames(
            arrival.held, known: known, resumed: arrival.hello, using: &scratch.box.value, at: now)
        finishInput(at: now)
    }

    /// Resumes from the client's snapshot. The caller has checked that the client presented the
    /// token of the snapshot.
    ///
    /// - Throws: The reason why the session cannot be resumed. In that case nothing has changed.
    package func rebuild(
        from snapshot: SessionSnapshot, at now: Instant
    ) throws(ResumeRefusal) {
        recorder?.recordInput(.rebuilt(snapshot), at: now)
        try conversation.value.rebuild(from: snapshot, using: &scratch.box.value, at: now)
        finishInput(at: now)
    }

    /// Replaces the services by those of this loop, before the session gets a channel. After this
    /// call the session must not use any object of its former loop.
    private func replaceServices() {
        recorder?.attach(to: AbsentChannel.shared, services)
        conversation.value.services = recorder.map { services.recorded(by: $0) } ?? services
    }

    private func moveToLoop(to channel: any Channel) {
        if let recorder {
            recorder.attach(to: channel, services)
            conversation.value.channel = recorder
            conversation.value.services = services.recorded(by: recorder)
        } else {
            conversation.value.channel = channel
            conversation.value.services = services
        }
    }
}

// MARK: Journals that begin or end while a session runs
// Source: docs/journal.md, "Journals on request".
extension Session {
    /// Whether the session is recorded.
    package var isRecorded: Bool { recorder != nil }

    /// Whether the session is recorded because an operator has requested a journal.
    package var isRecordedOnRequest: Bool { recorder?.isOnRequest ?? false }

    /// Begins to write all input and output of the session to a journal. Returns false if the
    /// session is about to open or to end, or if it is already recorded. Also returns false if a
    /// view uses a removed feed, or if `make` returns nil.
    package func beginJournal(_ make: () -> (any JournalSink)?, at now: Instant) -> Bool {
        guard recorder == nil, let checkpoint = conversation.value.checkpoint, let journal = make()
        else {
            return false
        }
        let own = conversation.value
        let recorder = SessionRecorder(
            channel: own.channel, services: services, journal: journal,
            header: JournalHeader(
                started: journal.started, at: now, session: name, key: initialKey,
                subject: own.principal.subject, token: own.credentials.token,
                seals: services.seal != nil,
                limits: services.limits, feeds: services.feeds,
                indicators: services.indicators.configured))
        recorder.recordInput(.begun(checkpoint), at: now)
        recorder.flush()
        self.recorder = recorder
        conversation.value.services = services.recorded(by: recorder)
        if own.phase.isConnected { conversation.value.channel = recorder }
        return true
    }

    /// Ends the journal. The session continues without one.
    package func endJournal(at now: Instant) {
        guard let recorder else { return }
        recorder.recordInput(.left, at: now)
        recorder.end()
        if conversation.value.phase.isConnected { conversation.value.channel = recorder.channel }
        conversation.value.services = services
        self.recorder = nil
    }

    /// Continues from the checkpoint, in a session for a replay. Returns false if the indicators
    /// differ from the recorded ones.
    package func restore(from checkpoint: JournalCheckpoint) -> Bool {
        conversation.value.restore(from: checkpoint)
    }
}
