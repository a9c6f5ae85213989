internal import Dispatch
internal import MessageBus
internal import RefreshBackends
internal import RefreshBroker
internal import RefreshCluster
internal import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession
internal import Synchronization

/// The daemon's part in a cluster: the connection to the bus, whose messages the broker's thread
/// handles, or with TLS a thread of their own. Without the bus, this node performs all its loads.
/// Source: docs/cluster.md.
///
/// Any thread may call any method.
final class ClusterService: Sendable {
    let own = NodeID(bits: .random(in: .min ... .max))
    /// The name of this node, and the name of the cluster.
    private let name, cluster: String
    private let countKeys: CountKeys
    private let inbox: ClusterInbox
    private let subjects: ClusterSubjects
    /// Nil if no other node can read the snapshots of this one.
    private let store: HeadStore?
    private let workers: ClusterWorkers
    private let bus: BusConnection
    private let log: DaemonLog
    private let published = Mutex(ClusterStatus())
    /// The number of watchers so far that received the events of all nodes.
    private let watches = Atomic<UInt64>(0)
    /// Whether the messages have a thread of their own. With TLS, libnats can wait for the socket,
    /// and the broker must not wait.
    private let needsThread: Bool
    private let phase = Mutex(Phase.made)
    private let ended = DispatchSemaphore(value: 0)

    private enum Phase { case made, started, stopped }

    /// The maximum time that `stop` waits, in seconds. Over TLS, closing the connection can take up
    /// to six.
    private static let stopSecondsMax = 10

    /// Prepares the connection to the bus, which `start` begins. `snapshotLifetimeMs` is nil if no
    /// other node can read the snapshots of this one.
    init(
        _ settings: ClusterSettings, snapshotLifetimeMs: Int?, log: DaemonLog
    ) throws(ConfigurationError) {
        name = settings.nodeName
        cluster = settings.name
        needsThread = settings.usesTLS
        countKeys = CountKeys(cluster: settings.name)
        subjects = ClusterSubjects(cluster: settings.name)
        // By a clock that is behind, a snapshot is valid for up to twice its lifetime.
        store = snapshotLifetimeMs.map { [own] in
            HeadStore(cluster: settings.name, own: own, lifetimeMs: 2 * $0)
        }
        self.log = log
        do {
            let bus = try BusConnection(BusOptions(settings))
            self.bus = bus
            let inbox = ClusterInbox { bus.wake() }
            self.inbox = inbox
            workers = ClusterWorkers(cluster: settings.name, own: own) { inbox.postRelay($0) }
            try bus.subscribe(subjects.all)
            try bus.subscribe(subjects.subject(of: own))
            if let store {
                try bus.subscribe(store.replies, receivesReplies: true)
                try bus.subscribe(store.entries)
            }
        } catch {
            let reason = (error as? BusError)?.reason ?? (error as? KeyFileProblem)?.message
            throw ConfigurationError([
                ConfigurationProblem(key: "cluster", reason ?? "\(error)")
            ])
        }
    }

    /// Connects the daemon's parts to the cluster. A second call has no effect. `makeThread`
    /// returns nil if the system refuses a thread.
    func start(
        with host: ClusterHost,
        makeThread: (@escaping @Sendable () -> Void) -> ServiceThread? = { ServiceThread($0) }
    ) {
        let isFirst = phase.withLock { phase in
            guard phase == .made else { return false }
            phase = .started
            return true
        }
        guard isFirst else { return }
        host.limiter.joinCluster(countKeys)
        guard needsThread else { return host.broker.connect(to: self) { [self] in loop(host) } }
        host.broker.connect(to: self)
        let thread = makeThread { [self] in
            var loop = loop(host)
            while loop.turn(until: nil) { _ = loop.handleMessages() }
        }
        if let thread { return thread.detach() }
        // Without the thread, no other node is ever live, and this node performs all its loads.
        log(.busFailed, [.reason: "The system refuses a thread."])
        // Nothing here spreads a change of which NATS chooses this node as the receiver.
        bus.close()
        inbox.close()
        ended.signal()
    }

    private func loop(_ host: ClusterHost) -> ClusterLoop {
        let machine = ClusterMachine(
            own: own, name: name, version: DaemonVersion.current,
            seed: .random(in: .min ... .max))
        return ClusterLoop(
            machine, store.map { SessionFence(own: own, store: $0) }, of: cluster, inbox: inbox,
            subjects: subjects, bus: bus, host: host, workers: workers,
            publishStatus: { [self] status in published.withLock { $0 = status } },
            ended: { [ended] in ended.signal() })
    }

    /// Tells the other nodes the changes that were reported so far and that this node leaves, and
    /// waits until the connection is closed, but not for ever. Must not be called on the broker's
    /// thread. The broker must not have stopped.
    func stop(after broker: Broker<LoadTicket>) {
        let wasStarted = phase.withLock { phase in
            defer { phase = .stopped }
            return phase == .started
        }
        guard wasStarted else { return leave() }
        // The broker's thread announces the changes that were reported to it before.
        broker.enqueueBarrier { [self] in leave() }
        _ = ended.wait(timeout: .now() + .seconds(Self.stopSecondsMax))
    }

    /// Tells the other nodes that this node leaves, without waiting.
    func leave() { inbox.post(ClusterInbox.Message.stop) }

    /// Sets the feeds that this node shares with other nodes, and the reader of their operations.
    func share(_ feeds: Set<String>, reader: ChangeReader) {
        inbox.post(.changeReader(reader))
        inbox.post(.feeds(feeds))
    }

    /// Offers the loads of the backend to workers on the bus, if its feeds have any. `backend` is
    /// nil if there is none any more.
    func serve(_ backend: WorkerBackend?) {
        workers.serve(backend, on: bus)
    }

    /// Reports a change to the other nodes. The caller has applied it to this node.
    func reportFeedChange(_ change: FeedChange) { inbox.post(.changed(change)) }

    /// The part of the cluster in which the sessions take part; nil if there is none.
    var fencing: (any SessionFencing)? { store == nil ? nil : self }

    /// Describes the nodes as JSON. `reply` is called on any thread, with nil if this node has left
    /// the cluster.
    func describe(_ reply: @escaping @Sendable ([UInt8]?) -> Void) {
        inbox.post(.describe(reply))
    }

    /// Requests the sessions of the other nodes whose names sort after `after`. `reply` is called
    /// on any thread, with nil if too many such requests wait, or this node has left the cluster.
    func list(after: String?, _ reply: @escaping @Sendable (ClusterSessions?) -> Void) {
        inbox.post(.list(after: after, reply))
    }

    /// Sends the matching events of the other nodes to a watcher, until `unwatch` of the returned
    /// identity.
    func watch(_ filter: WatchFilter, with watcher: Watcher) -> UInt64 {
        let id = watches.add(1, ordering: .relaxed).newValue
        inbox.post(.watch(filter, watcher, id))
        return id
    }

    func unwatch(_ id: UInt64) { inbox.post(.unwatch(id)) }

    var status: ClusterStatus {
        var status = published.withLock { $0 }
        status.bytesReceived += workers.bytesReceived
        status.bytesPublished += workers.bytesPublished
        return status
    }
}

extension ClusterService: ClusterLink {
    func ask(_ node: NodeID, _ order: RemoteOrder) { inbox.post(.ask(node, order)) }

    func withdraw(_ id: CallID, from node: NodeID) { inbox.post(.withdraw(id, from: node)) }

    func deliver(_ event: OwnerEvent, to load: RemoteLoadID) { inbox.post(.loadEvent(event, load)) }
}

extension ClusterService: SessionFencing {
    func claim(
        _ session: String, _ head: SessionHead, answer: @escaping @Sendable (ClaimVerdict) -> Void
    ) {
        inbox.post(.claim(session, head, askedAt: MonotonicTime.now, answer: answer))
    }

    func post(_ event: SessionFence.Event) { inbox.post(.fence(event)) }
}

extension BusOptions {
    /// The options for a daemon's connection. Reads the file with the password.
    fileprivate init(_ settings: ClusterSettings) throws(KeyFileProblem) {
        self.init(
            name: "refreshd \(settings.nodeName)", servers: settings.servers.map(\.description))
        connectTimeoutMs = settings.connectTimeoutMs
        if let login = settings.login {
            credentials =
                switch try ClusterCredentials(login) {
                case .file(let path): .file(path)
                case .nkey(let path): .nkey(path)
                case .password(let user, let password): .password(user: user, password: password)
                }
        }
        if settings.usesTLS {
            tls = TLS(
                ca: settings.ca, certificate: settings.certificate?.certificate,
                key: settings.certificate?.key)
        }
    }
}
