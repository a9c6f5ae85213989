internal import RefreshBroker
internal import RefreshIndicator
internal import RefreshProtocol

/// Records the input and output of a session. The session uses its channel, its broker and its host
/// (`SessionHost`) only through the recorder. Only a session with a journal has a recorder.
///
/// After the session has handled an input, the lines of the input and of all its outputs are
/// appended to the journal together.
///
/// `@unchecked Sendable`, because `SnapshotSealing` requires it. The recorder is not thread-safe.
/// Only its session uses it, on the thread of that session's loop. When the session moves to
/// another loop, the recorder moves with it (`SessionHandoff`).
final class SessionRecorder: Channel, LoadDispatching, SessionLocator, SnapshotSealing,
    @unchecked Sendable
{
    /// The session's own channel.
    private(set) var channel: any Channel
    private var services: SessionServices
    private let journal: any JournalSink
    /// The settings in the header of the journal.
    private let limits: Limits
    private let feeds: [FeedDescription]
    private let indicators: [NamedProgramme]
    private var lines = ByteBuffer(capacity: retainedCapacity)
    /// When the current input arrived.
    private var now: Instant
    /// The last recorded value of `channel.isWritable`.
    private var wasWritable = true
    /// A resume token that was not sent to the client yet. The journal must mask it. Nil after the
    /// token was sent.
    private var unsentToken: ResumeToken?
    private var inputs = 0
    private var outputs = 0

    /// If the recorded lines have more than this many bytes in total, their memory is released
    /// after they were appended.
    private static let retainedCapacity = 1024

    /// `header` is the first line of the journal.
    init(
        channel: any Channel, services: SessionServices, journal: any JournalSink,
        header: JournalHeader
    ) {
        self.channel = channel
        self.services = services
        self.journal = journal
        limits = header.limits
        feeds = header.feeds
        indicators = header.indicators
        now = header.at
        unsentToken = header.token
        var header = header
        header.token = header.token.map { _ in .masked }
        write(.header(header))
        flush()
    }

    /// Returns whether the journal can replay a session with these services. A reload may have
    /// changed the services since the journal began.
    func matches(_ services: SessionServices) -> Bool {
        services.limits == limits && services.feeds == feeds
            && services.indicators.configured == indicators
    }

    /// Records the input as the session may handle it, and returns it. The caller must call `flush`
    /// when the session has handled it.
    func recordInput(adapting input: SessionInput, at now: Instant) -> SessionInput {
        let input = adapted(input)
        recordInput(input, at: now)
        return input
    }

    /// Returns the input as the session may handle it. A recorded session keeps its feeds over a
    /// reload. If the reload has changed the location of a key, the items of new pages cannot be
    /// compared with the session's lists (docs/protocol.md, "Patches").
    func adapted(_ input: SessionInput) -> SessionInput {
        guard case .load(let load, let view, let event) = input else { return input }
        switch event {
        case .ended(.page(var page)) where hasMovedKeys:
            page.itemKeys?.list = nil
            return .load(load, view: view, .ended(.page(page)))
        case .lookUpEnded(var found?) where hasMovedKeys:
            found.page.itemKeys?.list = nil
            return .load(load, view: view, .lookUpEnded(found))
        default: return input
        }
    }

    /// Whether a reload has changed the location of the keys in the items of a feed.
    private var hasMovedKeys: Bool {
        feeds.contains { known in
            let current = services.feeds.first { $0.name == known.name }
            return current.map { $0.itemKey != known.itemKey } ?? false
        }
    }

    /// Moves the recorder to another channel, and possibly to another loop.
    func attach(to channel: any Channel, _ services: SessionServices) {
        self.channel = channel
        self.services = services
    }

    /// Records an input. The caller must call `flush` when the session has handled it.
    func recordInput(_ input: @autoclosure () -> SessionInput, at now: Instant) {
        guard journal.isOpen else { return }
        self.now = now
        let input = input()
        if case .resumed(_, let token) = input { unsentToken = token }
        write(.input(at: now, JournalMask.masked(input)))
        inputs += 1
    }

    /// Appends the recorded lines to the journal after the session has handled an input.
    func flush() {
        guard lines.count > 0 else { return }
        journal.append(lines.bytes)
        if lines.count > Self.retainedCapacity {
            lines = ByteBuffer(capacity: Self.retainedCapacity)
        } else {
            lines.removeAll()
        }
    }

    /// Ends the journal after the last input.
    func end() {
        if journal.isOpen { write(.end(inputs: inputs, outputs: outputs)) }
        flush()
        journal.close()
    }

    private func recordOutput(_ output: @autoclosure () -> JournalOutput) {
        guard journal.isOpen else { return }
        write(.output(output()))
        outputs += 1
    }

    private func write(_ line: JournalLine) { line.write(to: &lines) }

    private func masked(_ frame: [UInt8]) -> [UInt8] {
        guard let unsentToken, let masked = JournalMask.masked(frame, hiding: unsentToken) else {
            return frame
        }
        self.unsentToken = nil
        return masked
    }

    var isOnRequest: Bool { journal.isOnRequest }

    /// Whether the journal is full or has been closed, so that the session can drop the recorder.
    var isDone: Bool { journal.isFull || !journal.isOpen }

    // MARK: Channel

    var isWritable: Bool {
        let isWritable = channel.isWritable
        if isWritable != wasWritable {
            wasWritable = isWritable
            recordInput(.channel(isWritable: isWritable), at: now)
        }
        return isWritable
    }

    func send(_ frame: inout ByteBuffer) {
        recordOutput(.frame(masked(frame.bytes)))
        channel.send(&frame)
    }

    func requestWritable() {
        recordOutput(.wait)
        channel.requestWritable()
    }

    /// The details of the upgrade are not recorded. The result of the authentication is recorded
    /// instead.
    func consumeArrival() -> AuthenticationRequest.Arrival? { channel.consumeArrival() }

    /// A pause of reading is not recorded, because it only affects which inputs follow.
    func setReadingPaused(_ isPaused: Bool) { channel.setReadingPaused(isPaused) }

    var peer: String? { channel.peer }

    func closeImmediately(_ code: CloseCode, reason: String) {
        recordOutput(.close(code: code.rawValue, reason: reason))
        channel.closeImmediately(code, reason: reason)
    }

    func close(_ code: CloseCode, reason: String) {
        recordOutput(.close(code: code.rawValue, reason: reason))
        channel.close(code, reason: reason)
    }

    // MARK: LoadDispatching

    func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int) {
        recordOutput(
            .start(
                ticket.load, view: ticket.view, JournalMask.masked(brokerRequest),
                deadlineMs: deadlineMs))
        services.loads.start(ticket, brokerRequest, deadlineMs: deadlineMs)
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
        recordOutput(.cancel(ticket.load, view: ticket.view, because: reason))
        services.loads.cancel(ticket, because: reason)
    }

    func edit(_ ticket: EditTicket, _ request: EditRequest, deadlineMs: Int) {
        recordOutput(.edit(ticket, request, deadlineMs: deadlineMs))
        services.loads.edit(ticket, request, deadlineMs: deadlineMs)
    }

    // MARK: SessionLocator

    /// The request is not recorded if clients are not authenticated.
    func authenticate(_ authenticationRequest: AuthenticationRequest, for requester: SessionKey)
        -> AdmissionVerdict?
    {
        guard let locator = services.sessionLocator else { return .admitted(.anonymous) }
        let verdict = locator.authenticate(authenticationRequest, for: requester)
        if let verdict {
            if verdict != .admitted(.anonymous) { recordInput(.known(verdict), at: now) }
        } else {
            recordOutput(.identify)
        }
        return verdict
    }

    func registerSession(_ session: String, at key: SessionKey) {
        services.sessionLocator?.registerSession(session, at: key)
    }

    func recordReceivedWelcome(of session: String) {
        services.sessionLocator?.recordReceivedWelcome(of: session)
    }

    func resume(_ attempt: ResumeAttempt) {
        recordOutput(.resume(session: attempt.request.session))
        // If there is no host, the attempt gets no answer.
        services.sessionLocator?.resume(attempt)
    }

    // MARK: SnapshotSealing

    func seal(_ snapshot: SessionSnapshot, at now: Instant) -> SealedText? {
        let sealed = services.seal?.seal(snapshot, at: now)
        recordInput(.sealed(sealed), at: now)
        return sealed
    }

    /// Always throws, because sessions only seal. Their host opens snapshots.
    func open(
        _ text: String, for claim: SnapshotClaim, at now: Instant
    ) throws(ResumeRefusal) -> SessionSnapshot {
        throw .snapshotInvalid
    }
}
