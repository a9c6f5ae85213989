import RefreshBroker
import RefreshProtocol
import RefreshSession
import SealedSnapshots

/// The sessions of a daemon without sockets. Its clock is `now`, which the test sets.
final class TestDaemon: SessionLocator {
    /// One connection of a client. It keeps the frames of the daemon until the test takes them.
    final class Line: Channel {
        fileprivate(set) var frames: [String] = []
        fileprivate(set) var closed: CloseCode?
        fileprivate var session: Session?

        var isWritable: Bool { closed == nil }

        func send(_ frame: inout ByteBuffer) {
            frames.append(String(decoding: frame.bytes, as: UTF8.self))
        }
        func requestWritable() {}
        func setReadingPaused(_ isPaused: Bool) {}
        func close(_ code: CloseCode, reason: String) { closed = code }

        func takeFrames() -> [String] {
            defer { frames = [] }
            return frames
        }
    }

    var now = Instant(milliseconds: 1000)
    /// The loads that run, in the order in which they began.
    private(set) var loads: [LoadTicket] = []
    /// The number of loads that have begun or were cancelled.
    private(set) var loadChangeCount = 0
    private let services: SessionServices
    private var lines: [SessionKey: Line] = [:]
    private var sessions: [String: SessionKey] = [:]
    private var attempts: [ResumeAttempt] = []
    private var slot: UInt32 = 0
    private let loadsOfServices: Loads

    private final class Loads: LoadDispatching {
        weak var owner: TestDaemon?

        func start(_ ticket: LoadTicket, _ request: BrokerRequest, deadlineMs: Int) {
            owner?.loads.append(ticket)
            owner?.loadChangeCount += 1
        }
        func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
            owner?.loads.removeAll { $0 == ticket }
            owner?.loadChangeCount += 1
        }
    }

    init(limits: Limits = Limits()) {
        loadsOfServices = Loads()
        services = SessionServices(
            limits: limits,
            feeds: [
                FeedDescription(name: "packages", parameters: [], style: .page, first: 1, size: 16)
            ], loads: loadsOfServices, metrics: SessionMetrics(),
            seal: SnapshotSeal(.ephemeral(), limits: limits) { 1_795_262_400_000 })
        loadsOfServices.owner = self
        services.sessionLocator = self
    }

    // MARK: Connections

    func connect() -> Line {
        let line = Line()
        slot += 1
        let key = SessionKey(loop: 0, slot: slot, generation: 1)
        line.session = Session(
            key: key, name: "session\(slot)", token: ResumeToken(UInt64(slot), 1), channel: line,
            services: services, now: now)
        lines[key] = line
        return line
    }

    func receive(_ text: String, on line: Line) {
        let bytes = Array(text.utf8)
        line.session?.receive(bytes.span, at: now)
        resumeSessions()
    }

    /// The connection is lost. The session waits for its client.
    func cut(_ line: Line) { line.session?.handle(.lost, at: now) }

    private func resumeSessions() {
        while !attempts.isEmpty {
            let attempt = attempts.removeFirst()
            guard let requester = lines[attempt.requester]?.session else { continue }
            guard let key = sessions[attempt.request.session], key != attempt.requester,
                let old = lines[key]?.session
            else {
                requester.handle(.refused(.unknownSession), at: now)
                continue
            }
            if let refusal = old.refusal(of: attempt, at: now) {
                requester.handle(.refused(refusal), at: now)
                continue
            }
            let handoff = old.handOff(at: now)
            lines[key] = nil
            defer { sessions[attempt.request.session] = attempt.requester }
            requester.acceptHandoff(handoff, observer: nil, at: now)
        }
    }

    // MARK: Time and loads

    var nextDeadline: Instant? {
        lines.values.compactMap { $0.session?.nextDeadline }.min()
    }

    func wake() {
        for line in lines.values {
            guard let session = line.session, let due = session.nextDeadline, due <= now else {
                continue
            }
            if let deadline = session.resumeDeadline, deadline <= now {
                session.handle(.closed, at: now)
                lines[session.key] = nil
                sessions = sessions.filter { $0.value != session.key }
            } else {
                session.handle(.wake, at: now)
            }
        }
    }

    /// Answers the oldest running load by a page with this number of items.
    func answer(count: Int) {
        guard !loads.isEmpty else { return }
        let ticket = loads.removeFirst()
        let items = (0..<count).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let page = Page(items: Array("[\(items)]".utf8), count: count, more: true)
        for line in lines.values where line.session?.initialKey == ticket.session {
            line.session?.handle(
                .load(ticket.load, view: ticket.view, .ended(.page(page))), at: now)
        }
    }

    // MARK: SessionLocator

    func registerSession(_ session: String, at key: SessionKey) { sessions[session] = key }
    func authenticate(
        _ request: AuthenticationRequest, for requester: SessionKey
    ) -> AdmissionVerdict? { .admitted(.anonymous) }
    func resume(_ attempt: ResumeAttempt) { attempts.append(attempt) }

}
