internal import RefreshBroker
internal import RefreshProtocol
internal import WebSocketTransport

/// What one event loop does with what its connections bring: it lets them in, and gives each to who
/// is in charge of its kind: sessions to `SessionHost`, workers to `LoopWorkers`, operators to
/// `LoopOperators`, echoes to `EchoConnections`. Plain requests are answered with the pages
/// (`LoopHandler+Pages`).
///
///     socket -> Connection -> received -> SessionHost -> SessionLink -> Connection -> socket
///
/// `@unchecked Sendable`, because other threads hold it to `post`: that uses `loop` alone, which
/// takes jobs from any thread. `gate`, `pages`, `metrics`, `log`, `occupancy`, `doorkeeper`,
/// `proxies` are Sendable. Everything else is touched on the loop's thread only, where the
/// transport calls and where posted jobs run.
final class LoopHandler: TransportHandler, @unchecked Sendable {
    /// What a connection was admitted for, as the transport hands it back.
    private enum Tag {
        static let session = 0
        static let echo = 1
        static let worker = 2
        static let watcher = 3
    }

    /// Of the updates that leave at once, one in so many is timed, and counted for all of them: the
    /// second look at the clock would cost each message some fifty instructions.
    private static let latencySampling = 16

    /// Holds this handler too, until it ends.
    private let loop: EventLoop
    let index: UInt16
    private var limits: Limits
    private(set) var gate: GatePolicy
    private(set) var pages: HTTPPages
    private let occupancy: Occupancy
    let doorkeeper: Doorkeeper
    let proxies: ProxyTrust
    private let entrance: Entrance
    let metrics: LoopMetrics
    let log: DaemonLog

    /// The loop's sessions.
    let host: SessionHost
    private var echoes = EchoConnections()
    private let workers: LoopWorkers
    let operators: LoopOperators
    private var unsampledUpdates = 0

    init(
        loop: EventLoop, index: UInt16, shared: ServerParts
    ) {
        self.loop = loop
        self.index = index
        limits = shared.configuration.limits
        gate = shared.gate
        pages = shared.pages
        occupancy = shared.occupancy
        doorkeeper = shared.doorkeeper
        proxies = shared.proxies
        metrics = shared.metrics[Int(index)]
        log = shared.log
        let journals = shared.journals
        let entrance = shared.entrance
        self.entrance = entrance
        let services = SessionServices(
            limits: limits, feeds: shared.feeds.descriptions,
            indicators: IndicatorCatalogue(shared.configuration.indicators),
            loads: BrokeredLoads(broker: shared.broker),
            metrics: metrics, seal: shared.seal)
        services.log = log
        host = SessionHost(
            loop: loop, index: index, services: services,
            directory: shared.directory, entrance: entrance, occupancy: occupancy,
            doorkeeper: doorkeeper, log: log, journals: shared.requestedJournals,
            journal: { journals?.journal(ofSession: $0) })
        workers = LoopWorkers(shared.workers, log: shared.log) { [loop] job in
            Self.post(on: loop) { job($0.workers) }
        }
        operators = LoopOperators(
            shared.admin, room: shared.watchRoom, directory: shared.directory
        ) { [loop] job in
            Self.post(on: loop) { job($0.operators) }
        } answer: { [unowned loop] ticket, response in
            loop.answer(ticket, with: response)
        }
    }

    /// Takes up another configuration.
    func adopt(_ shared: ServerParts) {
        let configuration = shared.configuration
        limits = configuration.limits
        gate = shared.gate
        pages = shared.pages
        operators.adopt(shared.admin)
        metrics.adopt(feeds: shared.feeds.measured)
        loop.awaitHeads(forMs: limits.headTimeoutMs)
        host.adopt(
            limits: limits, feeds: shared.feeds.descriptions,
            indicators: IndicatorCatalogue(configuration.indicators))
        workers.adopt(shared.workers)
    }

    /// Runs `job` with the handler of the loop, on its thread. From any thread.
    private static func post(
        on loop: EventLoop, _ job: @escaping @Sendable (LoopHandler) -> Void
    ) {
        loop.postToHandler { ($0 as? LoopHandler).map(job) }
    }

    /// Runs `job` on the loop's thread. From any thread.
    func post(_ job: @escaping @Sendable (LoopHandler) -> Void) {
        loop.post { job(self) }
    }

    var now: Instant { Instant(microseconds: MonotonicClock.nowMicroseconds) }

    // MARK: Coming and going

    func admit(_ request: UpgradeRequest) -> UpgradeDecision {
        let silentHere = occupancy.silent(of: PeerNetwork(request.clientAddress))
        var occupancy = occupancy.value
        occupancy.silentHere = silentHere
        occupancy.workers = workers.count
        let place = request.place.object as? ConnectionPlace
        let hasRoom = hasRoom(
            for: request.clientAddress, of: request.peerAddress, at: request.place)
        occupancy.refusal =
            doorkeeper.refusal(ofRequestAt: place) ?? (hasRoom ? nil : .tooManyConnections)
        let isAdmin = gate.isAdmin(address: request.localAddress, port: request.localPort)
        if request.path == ServedPath.watch {
            // An operator must be able to look just when there is too much.
            return admit(
                watcher: request,
                unless: isAdmin ? doorkeeper.refusal(ofRequestAt: place) : occupancy.refusal)
        }
        let route =
            isAdmin
            ? .failure(.notFound)
            : gate.route(
                path: request.path, host: request.host, origin: request.origin,
                peer: GatePolicy.Peer(request), localAddress: request.localAddress,
                localPort: request.localPort, isEncrypted: request.isEncrypted,
                occupancy: occupancy)
        // Only who would come in uses up what handshakes there may be: pages of strangers, and who
        // is refused anyway, cannot keep others out.
        if case .success = route, let refusal = doorkeeper.refusal(ofUpgradeAt: place, now: now) {
            return refuse(request, refusal)
        }
        switch route {
        case .success(.session):
            return .accept(
                messageBytesMax: limits.frameBytesMax, tag: Tag.session,
                loosePerSecondMax: limits.framesPerSecondMax, owner: kept(of: request))
        case .success(.worker):
            // Who has not registered may be anybody; a worker's messages may be longer.
            return .accept(
                messageBytesMax: limits.frameBytesMax, tag: Tag.worker, subprotocol: 1,
                loosePerSecondMax: limits.framesPerSecondMax,
                owner: ClientAddress(request.clientAddress, by: request.peerAddress))
        case .success(.echo):
            return .accept(messageBytesMax: limits.echoBytesMax, tag: Tag.echo)
        case .failure(let refusal): return refuse(request, refusal)
        }
    }

    var headersWanted: [String] {
        if case .arrival(let headers) = entrance.details { headers } else { [] }
    }

    /// What has to be known of an upgrade when its client says who it is.
    private func kept(of request: UpgradeRequest) -> (any AnyObject & Sendable)? {
        let client = ClientAddress(request.clientAddress, by: request.peerAddress)
        guard case .arrival = entrance.details else { return client }
        return KeptArrival(
            client,
            Visitor.Arrival(
                peer: request.clientAddress, origin: request.origin,
                headers: request.headers.map { HeaderField(name: $0.name, value: $0.value) }))
    }

    private func admit(
        watcher request: UpgradeRequest, unless tooMuch: GateRefusal?
    ) -> UpgradeDecision {
        let isAdmin = gate.isAdmin(address: request.localAddress, port: request.localPort)
        let place = request.place.object as? ConnectionPlace
        if let refusal = operators.refusal(ofWatch: request) ?? tooMuch
            ?? (isAdmin ? nil : doorkeeper.refusal(ofUpgradeAt: place, now: now))
        {
            return refuse(request, refusal)
        }
        // A watcher has nothing to say.
        return .accept(
            messageBytesMax: limits.frameBytesMax, tag: Tag.watcher, subprotocol: 2,
            loosePerSecondMax: limits.framesPerSecondMax,
            owner: WatchFilter(query: request.query))
    }

    private func refuse(
        _ request: UpgradeRequest, _ refusal: GateRefusal
    ) -> UpgradeDecision {
        metrics.upgradeRefused(refusal)
        if refusal == .proxyNotConfigured { warnOfProxy(at: request.peerAddress) }
        log(
            .upgradeRefused,
            [
                .status: String(refusal.status), .reason: "\(refusal)", .path: request.path,
                .host: request.host ?? "", .origin: request.origin ?? "",
                .peer: request.clientAddress,
            ])
        return .refuse(refusal.response)
    }

    /// Says, now and then, that somebody came by a proxy that nobody has told the daemon of.
    func warnOfProxy(at address: String) {
        if proxies.isWarningDue(at: now) { log(.proxyNotConfigured, [.peer: address]) }
    }

    func opened(_ connection: Connection) {
        if connection.tag == Tag.worker {
            workers.opened(connection, name: SessionName.text(.random(in: .min ... .max)), at: now)
            return wakeForWorkers()
        }
        if connection.tag == Tag.watcher {
            return operators.opened(connection)
        }
        guard connection.tag == Tag.session else {
            return echoes.opened(connection)
        }
        // Since `admit` the daemon may have begun to stop. A place is taken when its client is let
        // in.
        guard occupancy.enter() else {
            let code = FaultCode.draining
            connection.close(
                code: (code.closeCode ?? .overloaded).rawValue, reason: code.rawValue)
            return
        }
        let link = SessionLink(connection: connection)
        connection.keep(link)
        link.session = host.opened(link, at: now)
    }

    func closed(_ connection: Connection) {
        if connection.tag == Tag.worker {
            return workers.closed(connection)
        }
        if connection.tag == Tag.watcher {
            return operators.closed(connection)
        }
        guard connection.tag == Tag.session else {
            return echoes.closed(connection)
        }
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        link.session = nil
        host.closed(session, at: now)
        occupancy.leave()
    }

    /// Accepts nobody any more but operators, who want to see it, and ends the sessions in their
    /// time; `closed` follows for each.
    func drain(_ settings: DrainSettings) {
        loop.closeListeners(keepingReserve: true)
        host.drain(spreadMs: settings.spreadMs, loadsMs: settings.loadsMs, at: now)
    }

    /// Closes the connections of workers, whom the sessions that are gone needed, and the echoes.
    func drainRest() {
        workers.drain()
        echoes.drain()
    }

    // MARK: Messages

    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
        guard connection.tag == Tag.session else {
            return receivedByOthers(message, isBinary: isBinary, on: connection)
        }
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        let now = now
        link.isWaiting = false
        link.hasSent = false
        var didSendUpdate = false
        if isBinary {
            host.receiveBinary(bytes: message.count, by: session, at: now)
        } else {
            didSendUpdate = host.receive(message, by: session, at: now)
        }
        if didSendUpdate {
            sampleLatency(since: now)
        } else if link.isWaiting, link.waitingSince == nil {
            link.waitingSince = now
        }
    }

    /// Not of a session; apart, so that it does not burden their path.
    @inline(never)
    private func receivedByOthers(
        _ message: Span<UInt8>, isBinary: Bool, on connection: Connection
    ) {
        switch connection.tag {
        case Tag.worker: workers.received(message, isBinary: isBinary, on: connection)
        // A watcher has nothing to say.
        case Tag.watcher: return
        default: echoes.received(message, isBinary: isBinary, on: connection)
        }
    }

    func kept(bytes: Int) { doorkeeper.sessionsGrew(by: bytes, at: now) }

    func refused(_ breach: MessageBreach, on connection: Connection) {
        metrics.breached(breach)
        if connection.tag == Tag.worker {
            return workers.refused(breach, on: connection)
        }
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        switch breach {
        case .tooBig: host.end(session, because: .frameTooLarge, at: now)
        case .notText: host.end(session, because: .invalidText, at: now)
        case .tooManyFrames: host.end(session, because: .tooManyFrames, at: now)
        }
    }

    func dropped(on connection: Connection) {
        if connection.tag == Tag.session { metrics.voidFrame() }
    }

    func refusedUpgrade(status: Int) {
        metrics.upgradeRefused(status: status)
        log(.upgradeRefused, [.status: String(status), .loop: String(index)])
    }

    func writable(_ connection: Connection) {
        if connection.tag == Tag.watcher {
            return operators.writable(connection)
        }
        guard let link = connection.owner as? SessionLink, let session = link.session else {
            return
        }
        let now = now
        let didSendUpdate = host.becameWritable(session, at: now)
        if didSendUpdate, let since = link.waitingSince {
            metrics.updateLatency(microseconds: now.microseconds - since.microseconds)
            link.waitingSince = nil
        }
    }

    private func sampleLatency(since start: Instant) {
        unsampledUpdates += 1
        guard unsampledUpdates >= Self.latencySampling else { return }
        unsampledUpdates = 0
        metrics.updateLatency(
            microseconds: now.microseconds - start.microseconds, count: Self.latencySampling)
    }

    func woken() {
        let now = now
        workers.wake(at: now)
        operators.wake(at: now)
        wakeForWorkers()
        wakeForOperators()
        host.woken(at: now)
    }

    func ticked() { host.lookAtCalendar(at: now) }

    private func wakeForWorkers() {
        if let next = workers.nextDeadline { loop.wake(at: next) }
    }

    func wakeForOperators() {
        if let next = operators.nextDeadline { loop.wake(at: next) }
    }
}
