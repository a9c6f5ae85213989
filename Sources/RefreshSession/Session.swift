package import RefreshProtocol

/// One client's connection and its session: a conversation and its place on a loop.
///
/// A session lives on one loop and is used by that thread only. Each call runs to completion and
/// never blocks. Neither the channel nor the dispatcher may call back during a call to them.
///
/// Its output depends only on its method calls, on what it was opened with, and on its channel's
/// answers. Its journal holds all of that. The conversation is a value: when its client resumes
/// elsewhere, it continues there, with its journal.
package final class Session {
    /// Where the session is.
    package let key: SessionKey
    let conversation: UnsafeBox<Conversation>
    /// Writes the journal; nil if the session has none. In that case the test for nil must be the
    /// only cost per message.
    private(set) var recorder: SessionRecorder?
    /// When the host will wake the session; nil if nothing is due. Only the session sets it: of a
    /// property that another module can set, every access is checked at run time.
    private var scheduledDeadline: Instant?
    /// Whether its connection counts against `sessionsMax`.
    package var countsAgainstSessionsMax = false
    /// Whether its connection is counted among those of its network that have no place yet.
    package var countsAsUnadmitted = false
    /// Whether its place was given beyond `sessionsMax`. True until the client takes over the place
    /// of its old connection.
    package var isBeyondSessionsMax = false
    /// The network of its client, current or last; nil if unknown.
    package var network: PeerNetwork?
    /// The bytes that the session was last known to hold, while it waits for its client.
    package var lastHeldBytes = 0
    /// The loop's own services, not those wrapped by a recorder.
    private let services: SessionServices
    /// The loop's decoder and output buffer, used by sessions that are not recorded.
    private let loopScratch: SharedFrameScratch

    /// Creates a session. `subject` is the authenticated subject of the client. `token` is needed
    /// to resume the session; if nil, it cannot be resumed. With a `journal`, all input and output
    /// of the session is written there.
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

    /// Creates the continuation of a session that waits for its client and was elsewhere before.
    package init(_ moved: SessionHandoff, key: SessionKey, services: SessionServices) {
        self.key = key
        self.services = services
        network = moved.network
        loopScratch = services.scratch
        recorder = moved.recorder
        conversation = UnsafeBox(moved.conversation)
        moveToLoop(to: AbsentChannel.shared)
    }

    /// A recorded session keeps the limits that it was opened with.
    private var scratch: SharedFrameScratch {
        @inline(__always) get { conversation.value.services.scratch }
    }

    /// The session's name in logs and in `welcome`.
    package var name: String { conversation.value.name }

    /// Where the session was opened. Its loads are labelled with this key.
    package var originalKey: SessionKey { conversation.value.key }

    /// Whether the session should be kept without its connection.
    package var isResumable: Bool { conversation.value.isResumable }

    /// Whether the session has ended for good. Its connection may still exist.
    package var hasEnded: Bool { conversation.value.phase.hasEnded }

    /// The owner of the session while it waits: the client's subject, or otherwise its network.
    package var holder: SessionHolder {
        SessionHolder(subject: conversation.value.principal.subject, network: network)
    }

    /// Until when the session waits for its client; nil while that is connected.
    package var resumeDeadline: Instant? { conversation.value.phase.resumeDeadline }

    /// The bytes that the session holds without a connection, approximately.
    package var heldBytes: Int { conversation.value.heldBytes }

    /// Whether its client has sent `hello` and waits for an answer.
    package var isGreeting: Bool { conversation.value.phase.isGreeting }

    /// Why the client of this resume request may not resume the session; nil if it may.
    package func refusal(of wish: ResumeAttempt, at now: Instant) -> ResumeRefusal? {
        conversation.value.refusal(of: wish, at: now)
    }

    /// Whether a client with a snapshot of that history has continued the session elsewhere.
    package func isSuperseded(by history: ResumeHistory, at now: Instant) -> Bool {
        conversation.value.credentials.isSuperseded(
            by: history, isConnected: conversation.value.phase.isConnected, at: now)
    }

    /// What handling a text frame has led to.
    package struct Reception {
        /// Whether an update was sent in answer.
        package let didSendUpdate: Bool
        /// When the session has to be woken; nil if nothing is due, or an earlier wakeup is
        /// scheduled.
        package let unscheduledDeadline: Instant?
    }

    /// Handles a text frame.
    @discardableResult
    package func receive(_ frame: Span<UInt8>, at now: Instant) -> Reception {
        let didSendUpdate =
            recorder == nil
            ? conversation.value.receive(frame, at: &loopScratch.box.value, now)
            : receiveRecorded(frame, at: now)
        return Reception(
            didSendUpdate: didSendUpdate, unscheduledDeadline: unscheduledDeadline)
    }

    /// Records when the host will wake the session; nil: not at all.
    package func recordScheduledDeadline(_ deadline: Instant?) { scheduledDeadline = deadline }

    /// When the session has to be woken, if nothing wakes it before.
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
    /// - `resumed` and `rebuilt` need more than the input, and have functions of their own.
    /// - The answers to the session's own questions (`channel`, `known`, `sealed`) are not handled
    ///   here, as the session receives them where it asks.
    @discardableResult
    package func handle(_ input: SessionInput, at now: Instant) -> Bool {
        if case .changed(let feed) = input, !conversation.value.hasViews(of: feed) { return false }
        recorder?.recordInput(input, at: now)
        switch input {
        case .frame(let bytes):
            let didSendUpdate = conversation.value.receive(bytes.span, at: &scratch.box.value, now)
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

    /// Whether a load still runs for the client, or something is still queued for it.
    package var hasPendingWork: Bool { conversation.value.hasPendingWork }

    /// When the session wants to be woken.
    package var nextDeadline: Instant? { conversation.value.nextDeadline() }

    /// Returns the bytes of clock-driven frames that were written since the last call.
    package func takePlayedBytes() -> Int {
        defer { conversation.value.renderMode.playedBytes = 0 }
        return conversation.value.renderMode.playedBytes
    }

    /// A separate function, so that it does not burden the path of sessions that are not recorded.
    @inline(never)
    private func receiveRecorded(_ frame: Span<UInt8>, at now: Instant) -> Bool {
        handle(.frame(unsafe frame.withUnsafeBufferPointer { unsafe Array($0) }), at: now)
    }

    @discardableResult
    private func finishInput(at now: Instant) -> Bool {
        conversation.value.finishGreeting(at: &scratch.box.value, now)
        conversation.value.recordIgnoredInput(at: &scratch.box.value)
        let didSendUpdate = conversation.value.flush(at: &scratch.box.value, now)
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
    /// Gives the conversation away, to continue elsewhere. If it still has a connection, that is
    /// closed at once, and nothing more is handled from there.
    package func handOff(at now: Instant) -> SessionHandoff {
        let channel = recorder?.channel ?? conversation.value.channel
        let isConnected = conversation.value.phase.isConnected
        if resumeDeadline == nil { handle(.lost, at: now) }
        if isConnected { closeReplacedConnection(channel) }
        // The observer here may not be the observer there.
        let isTraced = observer?.isTraced ?? false
        observer = nil
        let moved = SessionHandoff(
            conversation: conversation.value, recorder: recorder, isTraced: isTraced,
            network: network)
        recorder = nil
        conversation.value = Conversation(
            over: key, name: moved.conversation.name, services: services, now: now)
        return moved
    }

    /// Reports the reason, if the channel has room for it, and closes the connection.
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

    /// Continues the session that the client asked to resume, already removed from its old place.
    /// `observer` observes it from now on.
    package func acceptHandoff(_ moved: SessionHandoff, observer: SessionObserver?, at now: Instant)
    {
        guard let greeting = conversation.value.phase.greeting else { return }
        let channel = recorder?.channel ?? conversation.value.channel
        let token = conversation.value.credentials.token
        let identity = conversation.value.principal.identity
        let connectedAt = conversation.value.credentials.connectedAt
        recorder?.recordInput(.left, at: now)
        recorder?.end()
        recorder = moved.recorder
        if conversation.value.outbox.hasPausedReading {
            // The moved session does not know of the pause. It pauses reading again when too much
            // is queued.
            services.metrics.recordReadingResumed()
            channel.setReadingPaused(false)
        }
        conversation.value = moved.conversation
        conversation.value.credentials.connectedAt = connectedAt
        self.observer = observer
        settle()
        // The subject is the same. The new token decides the permissions and their duration.
        if conversation.value.principal.identity != identity {
            handle(.identified(.admitted(identity)), at: now)
        }
        resume(greeting.handshake, token: token, on: channel, at: now)
    }

    /// Resumes a waiting session on another connection, which is sent the whole current state.
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
            arrival.held, known: known, at: &scratch.box.value, now)
        finishInput(at: now)
    }

    /// Resumes from the client's snapshot. The client knows the token of the snapshot.
    ///
    /// - Throws: The reason why it cannot. Nothing has changed then.
    package func rebuild(
        from snapshot: SessionSnapshot, at now: Instant
    ) throws(ResumeRefusal) {
        recorder?.recordInput(.rebuilt(snapshot), at: now)
        try conversation.value.rebuild(from: snapshot, at: &scratch.box.value, now)
        finishInput(at: now)
    }

    /// Moves the session to this loop, even before it has a channel again. It must no longer touch
    /// anything of its former loop from here.
    private func settle() {
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

    /// Whether it is recorded because an operator has asked for it.
    package var isRecordedOnRequest: Bool { recorder?.isOnRequest ?? false }

    /// Begins to write all input and output of the session to a journal. Returns false if that is
    /// not possible: the session is about to open or to end, or is recorded already.
    package func beginJournal(_ make: () -> (any JournalSink)?, at now: Instant) -> Bool {
        guard recorder == nil, let checkpoint = conversation.value.checkpoint, let journal = make()
        else {
            return false
        }
        let own = conversation.value
        let recorder = SessionRecorder(
            channel: own.channel, services: services, journal: journal,
            header: JournalHeader(
                started: journal.started, at: now, session: name, key: originalKey,
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

    /// Continues from the checkpoint, in a session that was made for a replay. Returns false if
    /// that is not possible.
    package func restore(from checkpoint: JournalCheckpoint) -> Bool {
        conversation.value.restore(from: checkpoint)
    }
}
