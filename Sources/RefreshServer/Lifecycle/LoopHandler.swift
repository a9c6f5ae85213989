internal import RefreshBroker
internal import RefreshProtocol
internal import WebSocketTransport

/// What one event loop does with what its connections bring: sessions, their deadlines and loads, the
/// echo, and the plain pages.
///
///     socket -> Connection -> received -> Session -> SessionLink -> Connection -> socket
///     Session -> BrokeredLoads -> Broker -> LoopDirectory -> loadEnded -> Session
///
/// `@unchecked Sendable`, because other threads hold it to `post`: that uses `loop` alone, which takes
/// jobs from any thread. `gate`, `pages`, `metrics`, `log`, `journals`, `occupancy` are Sendable. Everything else
/// is touched on the loop's thread only, where the transport calls and where posted jobs run.
final class LoopHandler: TransportHandler, @unchecked Sendable {
    /// What a connection was admitted for, as the transport hands it back.
    private enum Tag {
        static let session = 0
        static let echo = 1
        static let worker = 2
    }

    /// Of the updates that leave at once, one in so many is timed, and counted for all of them: the
    /// second look at the clock would cost each message some fifty instructions.
    private static let latencySampling = 16

    /// So many sessions are told of something at one go; then the loop looks after its sockets.
    static let piece = 256

    /// Holds this handler too, until it ends.
    private let loop: EventLoop
    private let index: UInt16
    private let limits: Limits
    private let gate: GatePolicy
    private let pages: HTTPPages
    private let occupancy: Occupancy
    private let metrics: LoopMetrics
    private let log: DaemonLog
    private let journals: JournalWriter?

    private let services: SessionServices
    private var sessions = SlotTable<SessionLink>()
    private var deadlines = SlotDeadlines()
    private var echoes: [UInt64: Connection] = [:]
    /// Nil: there are no feeds for workers.
    private var workers: WorkerConnections?
    private let reception: WorkerReception?
    private var unsampledUpdates = 0
    /// Changes of feeds that this loop is about to have told.
    private var changes = FeedChanges()
    private let tell: @Sendable (_ feed: String) -> Void

    /// `tell` has all loops told that a feed has changed.
    init(
        loop: EventLoop, index: UInt16, shared: ServerParts, broker: Broker<LoadTicket>,
        tell: @escaping @Sendable (_ feed: String) -> Void
    ) {
        self.loop = loop
        self.index = index
        self.tell = tell
        limits = shared.configuration.limits
        gate = shared.gate
        pages = shared.pages
        occupancy = shared.occupancy
        metrics = shared.metrics[Int(index)]
        log = shared.log
        journals = shared.journals
        reception = shared.workers
        services = SessionServices(
            limits: limits, feeds: shared.feeds,
            indicators: IndicatorCatalogue(shared.configuration.indicators),
            loads: BrokeredLoads(broker: broker),
            metrics: metrics)
        workers = shared.workers.map { reception in
            WorkerConnections(reception, log: log) { [weak self] job in
                self?.post { $0.workers.map(job) }
            }
        }
    }

    /// Runs `job` on the loop's thread. From any thread.
    func post(_ job: @escaping @Sendable (LoopHandler) -> Void) {
        loop.post { job(self) }
    }

    private var now: Instant { Instant(microseconds: MonotonicClock.nowMicroseconds) }

    // MARK: Coming and going

    func admit(_ request: UpgradeRequest) -> UpgradeDecision {
        var occupancy = occupancy.value
        occupancy.workers = reception?.count ?? 0
        let isAdmin = gate.isAdmin(address: request.localAddress, port: request.localPort)
        let route =
            isAdmin
            ? .failure(.notFound)
            : gate.route(
                path: request.path, host: request.host, origin: request.origin,
                localAddress: request.localAddress, isEncrypted: request.isEncrypted,
                occupancy: occupancy)
        switch route {
        case .success(.session):
            return .accept(messageBytesMax: limits.frameBytesMax, tag: Tag.session)
        case .success(.worker):
            // Who has not registered may be anybody; a worker's messages may be longer.
            return .accept(
                messageBytesMax: limits.frameBytesMax, tag: Tag.worker, subprotocol: 1)
        case .success(.echo):
            return .accept(messageBytesMax: limits.echoBytesMax, tag: Tag.echo)
        case .failure(let refusal):
            metrics.upgradeRefused(status: refusal.status)
            log(
                .upgradeRefused,
                [
                    .status: String(refusal.status), .reason: "\(refusal)", .path: request.path,
                    .host: request.host ?? "", .origin: request.origin ?? "",
                    .peer: request.clientAddress,
                ])
            return .refuse(refusal.response)
        }
    }

    func opened(_ connection: Connection) {
        if connection.tag == Tag.worker {
            workers?.opened(connection, name: Self.newName(), at: now)
            wakeForWorkers()
            return
        }
        guard connection.tag == Tag.session else {
            echoes[connection.key] = connection
            return
        }
        // Between `admit` and here others may have come in.
        guard occupancy.enter(sessionsMax: limits.sessionsMax) else {
            let code = occupancy.isDraining ? FaultCode.draining : .tooManySessions
            connection.close(
                code: (code.closeCode ?? .overloaded).rawValue, reason: code.rawValue)
            return
        }
        let now = now
        let link = sessions.insert { slot, generation in
            let key = SessionKey(loop: index, slot: slot, generation: generation)
            return SessionLink(
                key: key, name: Self.newName(), connection: connection)
        }
        connection.keep(link)
        metrics.sessionOpened()
        let session = Session(
            key: link.key, name: link.name, channel: link, services: services, now: now,
            journal: journals?.journal(ofSession: link.name))
        link.session = session
        arm(link, session)
        log(.sessionOpened, [.session: link.name, .loop: String(index)])
    }

    func closed(_ connection: Connection) {
        if connection.tag == Tag.worker {
            workers?.closed(connection)
            return
        }
        guard connection.tag == Tag.session else {
            echoes[connection.key] = nil
            return
        }
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        session.channelClosed(at: now)
        link.session = nil
        sessions.remove(slot: link.key.slot, generation: link.key.generation)
        deadlines.disarm(slot: link.key.slot)
        metrics.sessionClosed()
        occupancy.leave()
        log(.sessionClosed, [.session: link.name, .loop: String(index)])
    }

    /// Closes all that is open; `closed` follows for each.
    func drain() {
        loop.closeListeners()
        let now = now
        for link in sessions.elements {
            link.session?.end(.draining, at: now)
        }
        workers?.drain()
        for connection in echoes.values {
            connection.close(
                code: CloseCode.draining.rawValue, reason: FaultCode.draining.rawValue)
        }
    }

    /// 64 random bits: a name for logs, hard to guess.
    private static func newName() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    // MARK: Messages

    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
        guard connection.tag == Tag.session else {
            if connection.tag == Tag.worker {
                workers?.received(message, isBinary: isBinary, on: connection)
                return
            }
            connection.enqueue(Self.bytes(of: message), isBinary: isBinary)
            return
        }
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        let now = now
        link.isWaiting = false
        var didSendUpdate = false
        if isBinary {
            metrics.received(bytes: message.count)
            session.receiveBinary(at: now)
        } else {
            didSendUpdate = session.receive(message, at: now)
        }
        if didSendUpdate {
            sampleLatency(since: now)
        } else if link.isWaiting, link.waitingSince == nil {
            link.waitingSince = now
        }
        arm(link, session)
    }

    func refused(_ breach: MessageBreach, on connection: Connection) {
        if connection.tag == Tag.worker {
            workers?.refused(breach, on: connection)
            return
        }
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        switch breach {
        case .tooBig: session.end(.frameTooLarge, at: now)
        case .notText: session.end(.invalidText, at: now)
        }
    }

    func refusedUpgrade(status: Int) {
        metrics.upgradeRefused(status: status)
        log(.upgradeRefused, [.status: String(status), .loop: String(index)])
    }

    func writable(_ connection: Connection) {
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        let now = now
        let didSendUpdate = session.becameWritable(at: now)
        if didSendUpdate, let since = link.waitingSince {
            metrics.updateLatency(microseconds: now.microseconds - since.microseconds)
            link.waitingSince = nil
        }
        arm(link, session)
    }

    private static func bytes(of message: Span<UInt8>) -> [UInt8] {
        unsafe message.withUnsafeBufferPointer { unsafe Array($0) }
    }

    private func sampleLatency(since start: Instant) {
        unsampledUpdates += 1
        guard unsampledUpdates >= Self.latencySampling else { return }
        unsampledUpdates = 0
        metrics.updateLatency(
            microseconds: now.microseconds - start.microseconds, count: Self.latencySampling)
    }

    // MARK: Loads and time

    /// News of loads came home, for sessions that may be gone by now: some at a time.
    func take(_ news: LoadNews, for tickets: ArraySlice<LoadTicket>) {
        for ticket in tickets.prefix(Self.piece) {
            let key = ticket.session
            guard let link = sessions[key.slot, key.generation], let session = link.session
            else {
                if news != .ended(.cancelled) { metrics.orphanedLoad() }
                continue
            }
            session.loadNews(ticket, news, at: now)
            arm(link, session)
        }
        let rest = tickets.dropFirst(Self.piece)
        if !rest.isEmpty { post { $0.take(news, for: rest) } }
    }

    /// A feed has newer data: all loops are told soon, once for all that comes until then.
    func gatherChange(of feed: String) {
        let now = now
        changes.note(feed, at: now)
        if let due = changes.nextDeadline { loop.wake(at: due.microseconds) }
    }

    /// A feed has newer data: the loop's sessions that show it are told, some at a time.
    func feedChanged(_ feed: String) {
        tell(sessions.elements.map(\.key)[...], of: feed)
    }

    private func tell(_ keys: ArraySlice<SessionKey>, of feed: String) {
        for key in keys.prefix(Self.piece) {
            guard let link = sessions[key.slot, key.generation], let session = link.session
            else { continue }
            session.feedChanged(feed, at: now)
            arm(link, session)
        }
        let rest = keys.dropFirst(Self.piece)
        if !rest.isEmpty { post { $0.tell(rest, of: feed) } }
    }

    func woken() {
        let now = now
        // All that are due first: a session that is due again at once waits for the next turn.
        var due: [SessionLink] = []
        while let slot = deadlines.popDue(at: now) {
            guard let link = sessions[slot] else { continue }
            link.armed = nil
            due.append(link)
        }
        for link in due {
            guard let session = link.session else { continue }
            session.wake(at: now)
            arm(link, session)
        }
        workers?.wake(at: now)
        wakeForWorkers()
        for feed in changes.take(at: now) { tell(feed) }
        if let due = changes.nextDeadline { loop.wake(at: due.microseconds) }
        if let first = deadlines.first { loop.wake(at: first.microseconds) }
    }

    private func wakeForWorkers() {
        if let next = workers?.nextDeadline { loop.wake(at: next.microseconds) }
    }

    /// Sees to it that the session is woken in time. Costs a comparison when nothing is earlier.
    @inline(__always)
    private func arm(_ link: SessionLink, _ session: Session) {
        guard let deadline = session.nextDeadline else { return }
        if let armed = link.armed, armed <= deadline { return }
        rearm(deadline, link)
    }

    private func rearm(_ deadline: Instant, _ link: SessionLink) {
        link.armed = deadline
        deadlines.arm(deadline, slot: link.key.slot)
        if deadlines.first == deadline { loop.wake(at: deadline.microseconds) }
    }

    // MARK: Plain HTTP

    func respond(to request: HTTPRequest) -> HTTPResponse {
        let response = pages.respond(to: request)
        if response.status == 400 {
            log(
                .requestRefused,
                [.path: request.path, .host: request.host ?? "", .peer: request.clientAddress])
        }
        return response
    }
}
