internal import Dispatch
internal import Glibc
internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

/// The daemon: loops, broker and pages, from a configuration until it is drained.
///
/// Signals must be blocked in the thread that makes it, so that they are in all of its threads
/// (`EventLoop`). Any thread may call any method.
package final class Server: Sendable {
    private enum Phase { case made, started, stopped }

    /// As the daemon began; what other configurations replace of it is in `current`.
    let parts: ServerParts
    let current: Mutex<ServerParts>
    /// What new connections see; nil without TLS.
    let identity: Mutex<TLSIdentity?>
    let handlers: LoopHandlers
    let broker: Broker<LoadTicket>
    let loops: [EventLoop]
    private let phase = Mutex(Phase.made)

    /// How long the journals may take to be written then, milliseconds.
    static let journalMs = 500

    /// Binds every listener and makes loops and backends; nothing is served before `start`.
    package init(_ configuration: Configuration, log: DaemonLog) throws(ServerError) {
        // The daemon's clock begins here, not with its first connection.
        _ = MonotonicClock.nowMicroseconds
        TransportLog.send { level, line in
            log(level == .error ? .libraryError : .libraryWarning, [.reason: line])
        }
        let feeds: Feeds
        do { feeds = try Feeds(configuration, log: log) } catch { throw .configuration(error) }
        let journals = try Self.journals(
            in: configuration.journalFolder, key: "journal", filesMax: OpenFileLimit.clientFiles,
            log: log)
        let writer = try Self.journals(
            in: configuration.requestedJournalFolder, key: "journalOnRequest", log: log)
        let requested = RequestedJournals(
            limits: configuration.limits, log: log, writer: writer ?? journals)
        let identity = try Self.identity(configuration.tls, log: log)
        let keys = try Self.keys(configuration, log: log)
        let entrance = try Self.entrance(configuration, log: log)
        let count = configuration.loops ?? Self.coreCount
        let group: ListenerGroup
        do {
            group = try ListenerGroup(
                configuration.listeners, admin: configuration.adminListeners,
                activation: configuration.activation, speaksTLS: configuration.tls != nil,
                loops: count)
        } catch {
            throw .transport(error)
        }
        for half in group.halves { log(.halfLocalhost, [.address: half.authority]) }
        let directory = LoopDirectory()
        let handlers = LoopHandlers()
        let broker = Broker<LoadTicket>(
            plan: feeds.plan(configuration.limits), seed: .random(in: .min ... .max),
            itemHash: (keys ?? .ephemeral()).itemHash,
            breakerChanged: { log($0) }
        ) { tickets, news in directory.deliver(news, to: tickets) }
        // What is kept is stale at once; the views are told soon.
        feeds.notices.listen { feed in
            log(.feedChanged, [.feed: feed])
            broker.feedChanged(feed)
            directory.gatherChange(of: feed)
        }
        let proxies = ProxyTrust(configuration.proxies)
        let parts = ServerParts(
            configuration, feeds: feeds, log: log, bound: group.bound, broker: broker, loops: count,
            doorkeeper: Doorkeeper(
                limits: configuration.limits,
                now: Instant(microseconds: MonotonicClock.nowMicroseconds),
                isProxy: { proxies.contains($0) }, memoryIsShort: { directory.spareMemory() }),
            proxies: proxies,
            directory: directory,
            watchRoom: WatchRoom(directory, most: configuration.limits.watchersMax),
            entrance: entrance, journals: journals,
            requestedJournals: requested, requestedWriter: writer,
            seal: keys.map { SnapshotSeal($0, limits: configuration.limits) },
            startSeconds: Self.nowSeconds)
        let muster = LoopMuster(loops: count)
        var loops: [EventLoop] = []
        do {
            for index in 0..<count {
                loops.append(
                    try EventLoop(
                        configuration: LoopConfiguration(
                            index: index, headTimeoutMs: configuration.limits.headTimeoutMs,
                            clientFilesMax: OpenFileLimit.clientFiles),
                        listeners: group.sockets(ofLoop: index), identity: identity,
                        proxies: configuration.proxies
                    ) { loop in
                        let handler = LoopHandler(
                            loop: loop, index: UInt16(index), shared: parts, broker: broker,
                            directory: directory)
                        directory.enter(handler.host, index: UInt16(index))
                        handlers.enter(handler, index: index)
                        muster.arrive()
                        return handler
                    })
            }
        } catch {
            // The loop that failed has closed its own.
            group.close(fromLoop: loops.count + 1)
            throw .transport(error)
        }
        self.parts = parts
        current = Mutex(parts)
        self.identity = Mutex(identity)
        self.handlers = handlers
        self.broker = broker
        self.loops = loops
    }

    private static func entrance(
        _ configuration: Configuration, log: DaemonLog
    ) throws(ServerError) -> Entrance {
        do throws(ConfigurationError) {
            return try Entrance(
                configuration.auth, tokens: AccessTokens(configuration.tokens),
                deadlineMs: configuration.limits.authDeadlineMs, log: log)
        } catch {
            throw .configuration(error)
        }
    }

    /// Nil: no snapshots are given.
    private static func keys(
        _ configuration: Configuration, log: DaemonLog
    ) throws(ServerError) -> KeyRing? {
        guard configuration.resume.snapshots else { return nil }
        do throws(ConfigurationError) {
            return try KeyRing(configuration.resume, log: log)
        } catch {
            throw .configuration(error)
        }
    }

    /// Nil without a folder; `key`: where that was said.
    private static func journals(
        in path: String?, key: String, filesMax: Int = .max, log: DaemonLog
    ) throws(ServerError) -> JournalWriter? {
        guard let path else { return nil }
        do throws(ConfigurationError) {
            let folder = try JournalFolder(path: path, key: key, filesMax: filesMax)
            return JournalWriter(log: log) { name throws(JournalFolder.Refusal) in
                try folder.make(name)
            }
        } catch {
            throw .configuration(error)
        }
    }

    /// Those that this process may run on.
    private static var coreCount: Int {
        let count = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        return min(max(1, count), Configuration.loopsRange.upperBound)
    }

    private static var nowSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec / 1_000_000) / 1000
    }

    /// Where connections are accepted, in the order of the configuration.
    package var listeners: [BoundListener] { parts.bound }

    /// The counts of all loops, in their order. From any thread.
    package var metrics: [MetricsSnapshot] { parts.metrics.map(\.snapshot) }

    /// Begins to serve. A second call changes nothing.
    package func start() {
        // Within the lock: the loops wait for each other, so none may be stopped before all have begun.
        let isFirst = phase.withLock { phase in
            guard phase == .made else { return false }
            phase = .started
            for loop in loops { loop.start() }
            return true
        }
        guard isFirst else { return }
        parts.log(.starting, [.version: DaemonVersion.current, .loops: String(loops.count)])
        if let folder = parts.configuration.journalFolder {
            parts.log(.recording, [.folder: folder])
        }
        for listener in parts.bound { parts.log(.listening, [.address: listener.authority]) }
    }

    /// Ends the loops and the broker at once and waits for them. The process need not call it: it may
    /// just exit.
    package func stop() {
        let wasRunning = phase.withLock { phase in
            defer { phase = .stopped }
            return phase == .started
        }
        guard wasRunning else { return }
        for loop in loops { loop.stop() }
        broker.stop()
        parts.stopJournals(withinMilliseconds: Self.journalMs)
    }
}
