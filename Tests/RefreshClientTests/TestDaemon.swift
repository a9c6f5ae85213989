import RefreshBroker
import RefreshProtocol
import RefreshSession
import SealedSnapshots
import Synchronization

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

        /// Answers as if a frame of the client were refused.
        func refuseFrame() {
            frames.append(
                #"{"type":"error","code":"stringTooLong","message":"","temporary":false}"#)
        }

        func takeFrames() -> [String] {
            defer { frames = [] }
            return frames
        }
    }

    var now = Instant(milliseconds: 1000)
    /// The loads that run, in the order in which they began.
    private(set) var loads: [LoadTicket] = []
    /// The feed of the load that has begun last; nil: none has begun.
    private(set) var lastFeed: String?
    /// The requests of the loads that have begun.
    private(set) var requests: [LoadTicket: LoadRequest] = [:]
    /// The number of loads that have begun or were cancelled.
    private(set) var loadChangeCount = 0
    /// The edits that were not answered yet, in their order.
    private(set) var edits: [(ticket: EditTicket, request: EditRequest)] = []
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
            owner?.requests[ticket] = request.request
            owner?.lastFeed = request.request.feed
            owner?.loadChangeCount += 1
        }
        func edit(_ ticket: EditTicket, _ request: EditRequest, deadlineMs: Int) {
            owner?.edits.append((ticket, request))
        }
        func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
            owner?.loads.removeAll { $0 == ticket }
            owner?.loadChangeCount += 1
        }
    }

    /// The key of items; nil: the feed has none.
    private let itemKey: JSONPointer?
    private let clock: Clock
    private var rebuilds = true
    private let ring: KeyRing
    private let limits: Limits

    /// The clock of the machine, which continues while a daemon restarts.
    private final class Clock: Sendable {
        /// Milliseconds.
        let now = Mutex<Int64>(0)
    }

    /// `rebuilds`: whether the daemon accepts snapshots.
    convenience init(limits: Limits = Limits(), itemKey: String? = nil, rebuilds: Bool = true) {
        self.init(limits, itemKey, .ephemeral(), Clock(), firstSlot: 0)
        self.rebuilds = rebuilds
    }

    private init(
        _ limits: Limits, _ itemKey: String?, _ ring: KeyRing, _ clock: Clock, firstSlot: UInt32
    ) {
        self.limits = limits
        self.itemKey = itemKey.flatMap { JSONPointer($0) }
        (self.ring, self.clock, slot) = (ring, clock, firstSlot)
        loadsOfServices = Loads()
        services = SessionServices(
            limits: limits,
            feeds: [
                FeedDescription(
                    name: "packages", parameters: ["q"], style: .page, first: 1, size: 16,
                    itemKey: self.itemKey, edits: Set(ItemOperation.Kind.allCases)),
                FeedDescription(name: "news", style: .page, first: 1, size: 16),
                FeedDescription(name: "rows", sectionKey: JSONPointer("/section")),
            ], loads: loadsOfServices, metrics: SessionMetrics(),
            seal: SnapshotSeal(ring, limits: limits) {
                1_795_262_400_000 + clock.now.withLock { $0 }
            })
        services.itemHash = Self.itemHash
        loadsOfServices.owner = self
        services.sessionLocator = self
    }

    /// The daemon that is started after this one has crashed. It has no sessions. `keepsKeys`:
    /// whether it can read the snapshots of this one.
    func successor(keepsKeys: Bool) -> TestDaemon {
        clock.now.withLock { $0 = Int64(now.milliseconds) }
        let next = TestDaemon(
            limits, itemKey?.text, keepsKeys ? ring : .ephemeral(), clock, firstSlot: slot + 1000)
        next.now = now
        return next
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
        clock.now.withLock { $0 = Int64(now.milliseconds) }
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
                rebuild(requester, attempt, after: .unknownSession)
                continue
            }
            if let refusal = old.refusal(of: attempt, at: now) {
                rebuild(requester, attempt, after: refusal)
                continue
            }
            let handoff = old.handOff(at: now)
            lines[key] = nil
            defer { sessions[attempt.request.session] = attempt.requester }
            requester.acceptHandoff(handoff, observer: nil, at: now)
        }
    }

    /// Rebuilds a session from the client's snapshot, or refuses to resume it.
    private func rebuild(
        _ requester: Session, _ attempt: ResumeAttempt, after refusal: ResumeRefusal
    ) {
        do throws(ResumeRefusal) {
            guard refusal == .unknownSession || refusal == .resultsLost, rebuilds,
                let seal = services.seal,
                let text = attempt.request.snapshot
            else { throw refusal }
            let snapshot = try seal.open(text, for: SnapshotClaim(of: attempt), at: now)
            let earlier = sessions[snapshot.session.name]
            try requester.rebuild(from: snapshot, at: now)
            if let earlier, earlier != attempt.requester { lines[earlier] = nil }
            sessions[snapshot.session.name] = attempt.requester
        } catch {
            requester.handle(.refused(error), at: now)
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
    func answer(count: Int) { answer((0..<count).map { #"{"id":\#($0)}"# }) }

    /// Answers the oldest running load by a page with these items.
    func answer(_ items: [String]) {
        guard !loads.isEmpty else { return }
        let ticket = loads.removeFirst()
        let text = "[\(items.joined(separator: ","))]"
        var page = Page(items: Array(text.utf8), count: items.count, more: true)
        page.itemKeys = itemKey.flatMap { ItemKeys(of: page, at: $0, hashedBy: Self.itemHash) }
        for line in lines.values where line.session?.initialKey == ticket.session {
            line.session?.handle(
                .load(ticket.load, view: ticket.view, .ended(.page(page))), at: now)
        }
    }

    /// Answers the oldest running load by the rows of its page. `total`: the number of rows.
    func answerRows(total: Int?) {
        guard let ticket = loads.first, let request = requests[ticket] else { return }
        loads.removeFirst()
        let end = min(request.offset + request.size, total ?? .max)
        let rows = (request.offset..<max(end, request.offset)).map {
            #"{"id":\#($0),"section":\#($0 / 100)}"#
        }
        let page = Page(
            items: Array("[\(rows.joined(separator: ","))]".utf8), count: rows.count,
            total: total)
        for line in lines.values where line.session?.initialKey == ticket.session {
            line.session?.handle(
                .load(ticket.load, view: ticket.view, .ended(.page(page))), at: now)
        }
    }

    // MARK: Edits

    /// The hash of items and their keys.
    static let itemHash = SipHash(key: 1, 2)

    /// Answers the oldest edit.
    func answerEdit(_ outcome: EditOutcome) {
        guard !edits.isEmpty else { return }
        let (ticket, request) = edits.removeFirst()
        for line in lines.values where line.session?.initialKey == ticket.session {
            line.session?.handle(.edited(ticket, request, outcome), at: now)
        }
    }

    /// Reports to all sessions what has changed in the feed.
    func report(_ operations: [ItemOperation]) {
        for line in lines.values {
            line.session?.handle(
                .changed(feed: "packages", items: [ItemChange(operations)]), at: now)
        }
    }

    // MARK: SessionLocator

    func registerSession(_ session: String, at key: SessionKey) { sessions[session] = key }
    func authenticate(
        _ request: AuthenticationRequest, for requester: SessionKey
    ) -> AdmissionVerdict? { .admitted(.anonymous) }
    func resume(_ attempt: ResumeAttempt) { attempts.append(attempt) }
    func recordReceivedWelcome(of session: String) {}
}
