internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshServer
internal import RefreshSession

/// A session that runs with the inputs that its journal contains. Each output of the session is
/// compared with the next line of the journal.
///
/// The type is `@unchecked Sendable` because `SnapshotSealing` requires `Sendable`. It must not be
/// used on several threads. One caller creates, runs and releases the instance. All fields are
/// accessed only within `run`.
final class ReplayedSession: Channel, LoadDispatching, SessionLocator, SnapshotSealing,
    @unchecked Sendable
{
    private var lines: JournalReader
    private let header: JournalHeader
    private var verdict: ReplayVerdict
    /// The number of the journal line whose input is being handled.
    private var inputLine = 1
    private var answersWritable = true
    /// An error that occurred while a callback of the session read a line. The callback cannot
    /// throw the error.
    private var readingFailure: (any Error)?
    /// The time of the input that is being handled.
    private var now: Instant
    /// The latest frames. After the first difference, these are the frames around this difference.
    private var surroundings: ReplaySurroundings

    /// Creates a replay of the lines after the header. At most `context` frames before the first
    /// difference are kept, and at most as many after it.
    init(header: JournalHeader, lines: JournalReader, context: Int) {
        self.header = header
        now = header.at
        surroundings = ReplaySurroundings(count: context, began: header.at)
        self.lines = lines
        verdict = ReplayVerdict(recordedBy: header.server)
    }

    /// Runs to the end of the journal or to the first difference.
    func run() throws -> ReplayVerdict {
        let services = SessionServices(
            limits: header.limits, feeds: header.feeds,
            indicators: IndicatorCatalogue(header.indicators), loads: self,
            metrics: SessionMetrics(), seal: header.seals ? self : nil)
        services.sessionLocator = self
        services.version = header.server
        let session = Session(
            key: header.key, name: header.session, subject: header.subject,
            token: header.token, channel: self, services: services, now: header.at)
        while verdict.problem == nil {
            guard case .line(let number, let line) = lines.next else { break }
            try replayLine(number, line, session)
            if let readingFailure { throw readingFailure }
        }
        if verdict.problem == nil, case .damage(let number, let reason) = lines.next {
            verdict.problem = .damage(line: number, reason: "\(reason)")
        }
        if case .difference(var difference) = verdict.problem {
            try replayAfterDifference(session)
            difference.context = surroundings.context
            verdict.problem = .difference(difference)
        }
        verdict.tornLine = lines.tornLine
        return verdict
    }

    /// Continues after the first difference, to collect the frames that follow it. The outputs
    /// after the difference are not compared.
    private func replayAfterDifference(_ session: Session) throws {
        while !surroundings.isFull, case .line(let number, let line) = lines.next {
            try lines.advance()
            switch line {
            case .input(let at, let input):
                self.inputLine = number
                deliver(input, at: at, to: session)
            case .output(let output):
                surroundings.appendRecorded(JournalLine.output(output), number, at: now)
            case .header, .end, .observed: return
            }
        }
    }

    private func replayLine(_ number: Int, _ line: JournalLine, _ session: Session) throws {
        guard !verdict.isClosed else {
            verdict.problem = .damage(line: number, reason: "follows the closing line")
            return
        }
        switch line {
        case .input(_, .channel), .input(_, .sealed), .input(_, .known), .output, .observed:
            // Lines of these kinds are consumed when the session has an output or makes a request.
            // This line was not consumed, so the session has not done what the line records.
            recordDifference(at: number, recorded: line, replayed: nil)
        case .input(let at, let input):
            verdict.inputs += 1
            self.inputLine = number
            try lines.advance()
            deliver(input, at: at, to: session)
        case .end(let inputs, let outputs):
            guard inputs == verdict.inputs, outputs == verdict.outputs else {
                verdict.problem = .damage(
                    line: number,
                    reason: "closes a journal of \(inputs) inputs and \(outputs) outputs, but "
                        + "\(verdict.inputs) and \(verdict.outputs) precede it")
                return
            }
            verdict.isClosed = true
            try lines.advance()
        case .header:
            verdict.problem = .damage(line: number, reason: "is a second header")
        }
    }

    private func deliver(_ input: SessionInput, at now: Instant, to session: Session) {
        self.now = now
        surroundings.recordInput(input, line: self.inputLine, at: now)
        switch input {
        case .begun(let checkpoint):
            guard session.restore(from: checkpoint) else {
                verdict.problem = .damage(
                    line: self.inputLine, reason: "begins with an impossible session state")
                return
            }
        case .resumed(let arrival, let token):
            session.resume(arrival, token: token, on: self, at: now)
        case .rebuilt(let snapshot):
            // If the session cannot be rebuilt, the journal records a refusal in its next line.
            try? session.rebuild(from: snapshot, at: now)
        case .left: return
        default: session.handle(input, at: now)
        }
    }

    /// Compares an output of the session with the next line.
    private func compareOutput(_ output: JournalOutput) {
        guard verdict.problem == nil else {
            surroundings.appendReplayed(.output(output), at: now)
            return
        }
        switch lines.next {
        case .line(let number, .output(let recorded)) where recorded == output:
            verdict.outputs += 1
            surroundings.recordMatch(recorded, line: number, at: now)
            advance()
        case .line(let number, let line):
            recordDifference(at: number, recorded: line, replayed: output)
        // The journal ends before the session has finished its last input.
        case .end, .damage: return
        }
    }

    private func recordDifference(at number: Int, recorded: JournalLine, replayed: JournalOutput?) {
        let replayed = replayed.map { JournalLine.output($0) }
        verdict.problem = .difference(
            ReplayDifference(
                line: number, inputLine: inputLine, at: surroundings.seconds(at: now),
                cause: surroundings.lastClientFrame, recorded: recorded.text,
                replayed: replayed?.text))
        surroundings.recordDifference(recorded, line: number, replayed, at: now)
    }

    private func advance() {
        do { try lines.advance() } catch { readingFailure = error }
    }

    // MARK: Channel

    var isWritable: Bool {
        if verdict.problem == nil, case .line(_, .input(_, .channel(let answer))) = lines.next {
            answersWritable = answer
            verdict.inputs += 1
            advance()
        }
        return answersWritable
    }

    func send(_ frame: inout ByteBuffer) { compareOutput(.frame(frame.bytes)) }
    func requestWritable() { compareOutput(.wait) }
    func setReadingPaused(_ isPaused: Bool) {}

    func close(_ code: CloseCode, reason: String) {
        compareOutput(.close(code: code.rawValue, reason: reason))
    }

    // MARK: LoadDispatching

    func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int) {
        compareOutput(.start(ticket.load, view: ticket.view, brokerRequest, deadlineMs: deadlineMs))
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
        compareOutput(.cancel(ticket.load, view: ticket.view, because: reason))
    }

    func edit(_ ticket: EditTicket, _ request: EditRequest, deadlineMs: Int) {
        compareOutput(.edit(ticket, request, deadlineMs: deadlineMs))
    }

    // MARK: SessionLocator

    func registerSession(_ session: String, at key: SessionKey) {}
    func recordReceivedWelcome(of session: String) {}

    /// Returns the result of authentication, if the journal records that the result was known at
    /// once. Returns nil if the journal records the result as a later input. If the journal records
    /// no authentication, the client is admitted.
    func authenticate(_ authenticationRequest: AuthenticationRequest, for requester: SessionKey)
        -> AdmissionVerdict?
    {
        guard verdict.problem == nil else { return nil }
        switch lines.next {
        case .line(_, .input(_, .known(let known))):
            verdict.inputs += 1
            advance()
            return known
        case .line(_, .output(.identify)):
            compareOutput(.identify)
            return nil
        default: return .admitted(.anonymous)
        }
    }

    func resume(_ attempt: ResumeAttempt) {
        compareOutput(.resume(session: attempt.request.session))
    }

    // MARK: SnapshotSealing

    /// Returns the sealed snapshot that the journal records.
    func seal(_ snapshot: SessionSnapshot, at now: Instant) -> SealedText? {
        guard verdict.problem == nil, case .line(_, .input(_, .sealed(let sealed))) = lines.next
        else { return nil }
        verdict.inputs += 1
        advance()
        return sealed
    }

    func open(
        _ text: String, for claim: SnapshotClaim, at now: Instant
    ) throws(ResumeRefusal) -> SessionSnapshot {
        throw .snapshotInvalid
    }
}
