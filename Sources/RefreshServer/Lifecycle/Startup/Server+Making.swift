internal import Foundation
internal import Glibc
internal import RefreshBroker
internal import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession
internal import SealedSnapshots
internal import WebSocketTransport

// Creates the parts of a server. Steps that may fail come before steps that start something.
extension Server {
    /// Opens every listener.
    static func listeners(
        of configuration: Configuration, log: DaemonLog
    ) throws(ServerError) -> ListenerGroup {
        do {
            let group = try ListenerGroup(
                configuration.listeners, admin: configuration.adminListeners,
                activation: configuration.activation, speaksTLS: configuration.tls != nil,
                loops: configuration.loops ?? coreCount)
            for half in group.halves { log(.halfLocalhost, [.address: half.authority]) }
            return group
        } catch {
            throw .transport(error)
        }
    }

    /// Creates the loops. The loops then own the listeners. Each loop creates its handler from
    /// `deferredParts` when the loop starts to run.
    static func loops(
        of configuration: Configuration, on group: ListenerGroup, identity: TLSIdentity?,
        _ deferredParts: DeferredServerParts, into handlers: LoopHandlers
    ) throws(ServerError) -> [EventLoop] {
        let startupBarrier = StartupBarrier(loops: group.loops)
        var loops: [EventLoop] = []
        do {
            for index in 0..<group.loops {
                loops.append(
                    try EventLoop(
                        configuration: LoopConfiguration(
                            index: index, headTimeoutMs: configuration.limits.headTimeoutMs,
                            clientFilesMax: OpenFileLimit.clientFiles),
                        listeners: group.sockets(ofLoop: index), identity: identity,
                        proxies: configuration.proxies
                    ) { loop in
                        guard let parts = deferredParts.parts else {
                            preconditionFailure("a loop runs before its server was created")
                        }
                        let handler = LoopHandler(loop: loop, index: UInt16(index), shared: parts)
                        parts.directory.register(handler.host, index: UInt16(index))
                        handlers.register(handler, index: index)
                        startupBarrier.arriveAndWait()
                        return handler
                    })
            }
            return loops
        } catch {
            for loop in loops { loop.stop() }
            // The loop that could not be created has closed its own sockets.
            group.close(fromLoop: loops.count + 1)
            throw .transport(error)
        }
    }

    /// Creates everything that the loops share. Of the steps that can fail, the creation of the
    /// feeds is the last, because it starts programs.
    static func parts(
        of configuration: Configuration, _ preflight: ConfigurationPreflight,
        bound: [BoundListener],
        loops: Int,
        memory: MemoryGauge, log: DaemonLog
    ) throws(ConfigurationError) -> ServerParts {
        let limits = configuration.limits
        let journals = try journals(
            in: configuration.journalFolder, key: "journal", filesMax: OpenFileLimit.journalFiles,
            log: log)
        let writer = try Self.journals(
            in: configuration.requestedJournalFolder, key: "journalOnRequest", log: log)
        let keys =
            configuration.resume.snapshots ? try KeyRing(configuration.resume, log: log) : nil
        var cluster: ClusterService?
        if let settings = configuration.cluster {
            let resume = configuration.resume
            let isShared = resume.snapshots && !resume.keys.isEmpty
            cluster = try ClusterService(
                settings, snapshotLifetimeMs: isShared ? limits.snapshotLifetimeMs : nil, log: log)
        }
        let feeds = try Feeds(configuration, log: log)
        let itemHash = (keys ?? .ephemeral()).itemHash
        feeds.notices.setItemHash(itemHash)
        cluster?.share(feeds.clustered, reader: feeds.notices.reader)
        cluster?.serve(feeds.workers)
        let directory = LoopDirectory(
            seed: .random(in: .min ... .max), isClustered: cluster != nil, fence: cluster?.fencing)
        directory.applyChangePolicies(feeds.changePolicies)
        let proxies = ProxyTrust(configuration.proxies)
        return ServerParts(
            configuration, feeds: feeds, log: log, bound: bound,
            broker: broker(
                of: feeds.brokerPlan(limits), itemHash: itemHash, feeds.notices, directory, cluster,
                log: log),
            cluster: cluster, loops: loops,
            connectionLimiter: ConnectionLimiter(
                limits: limits, memory: memory,
                now: Instant(microseconds: MonotonicClock.nowMicroseconds),
                isProxy: { proxies.contains($0) },
                shedMemory: { directory.evictDetachedSessions(then: $0) },
                shedNewest: { directory.shedNewest(for: $0) }),
            proxies: proxies, directory: directory,
            watcherRegistry: WatcherRegistry(directory, most: limits.watchersMax),
            authenticationService: preflight.authenticationService,
            journals: journals,
            requestedJournals: RequestedJournals(
                limits: limits, log: log, writer: writer ?? journals),
            requestedWriter: writer, seal: keys.map { SnapshotSeal($0, limits: limits) },
            startSeconds: nowSeconds)
    }

    private static func broker(
        of plan: BrokerPlan, itemHash: SipHash, _ notices: FeedNotices, _ directory: LoopDirectory,
        _ cluster: ClusterService?, log: DaemonLog
    ) -> Broker<LoadTicket> {
        let broker = Broker<LoadTicket>(
            plan: plan, seed: .random(in: .min ... .max), itemHash: itemHash, notices: notices,
            breakerChanged: { log($0) }
        ) { tickets, event in directory.deliver(event, to: tickets) }
        // The broker's cached pages of the feed become stale at once. The views of the feed are
        // notified within 100 ms at the latest. The other nodes of the cluster do the same.
        notices.setListener { change in
            log(.feedChanged, [.feed: change.feed])
            // The cluster must know the change before a load that it causes asks another node, and
            // before another node asks this one, the cached pages must be outdated here.
            broker.reportFeedChange(change.feed) {
                if !change.reachesEveryNode { cluster?.reportFeedChange(change) }
            }
            directory.scheduleNotification(of: change)
        }
        return broker
    }

    /// Creates a writer of journals; nil without a folder. `key`: the folder's configuration key.
    private static func journals(
        in path: String?, key: String, filesMax: Int = .max, log: DaemonLog
    ) throws(ConfigurationError) -> JournalWriter? {
        guard let path else { return nil }
        let folder = try JournalFolder(path: path, key: key, filesMax: filesMax)
        return JournalWriter(log: log) { name throws(JournalFolder.Refusal) in
            try folder.createFile(name)
        }
    }

    /// The number of processors on which this process may run. If there are more processors than a
    /// daemon may have loops, returns the maximum number of loops.
    private static var coreCount: Int {
        let count = Self.allowedProcessors ?? sysconf(Int32(_SC_NPROCESSORS_ONLN))
        return min(max(1, count), Configuration.loopsRange.upperBound)
    }

    /// The number of processors that the kernel lets this process use: the number of bits that are
    /// set in the mask `Cpus_allowed` of `/proc/self/status`, see proc(5). Nil if the mask cannot
    /// be read.
    private static var allowedProcessors: Int? {
        let key = "Cpus_allowed:"
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let mask = status.split(separator: "\n").first(where: { $0.hasPrefix(key) })
        else { return nil }
        return mask.dropFirst(key.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    }

    private static var nowSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec / 1_000_000) / 1000
    }
}
