internal import MessageBus
internal import RefreshBroker
internal import RefreshCluster
internal import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession
internal import Synchronization

/// The daemon's part in a cluster: the connection to the bus, and the thread that handles its
/// messages. Without the bus, this node performs all its loads. Source: docs/cluster.md.
///
/// Any thread may call any method.
final class ClusterService: Sendable {
    let own = NodeID(bits: .random(in: .min ... .max))
    /// The name of this node, and the name of the cluster.
    private let name, cluster: String
    private let inbox = ClusterInbox()
    private let subjects: ClusterSubjects
    private let bus: BusConnection
    private let log: DaemonLog
    private let published = Mutex(ClusterStatus())
    /// The number of watchers so far that received the events of all nodes.
    private let watches = Atomic<UInt64>(0)
    /// The cluster's thread; nil before `start` and after `stop`.
    private let thread = Mutex<ServiceThread?>(nil)

    /// Begins to connect to the bus. No message is handled before `start`.
    init(_ settings: ClusterSettings, log: DaemonLog) throws(ConfigurationError) {
        name = settings.nodeName
        cluster = settings.name
        subjects = ClusterSubjects(cluster: settings.name)
        self.log = log
        do {
            bus = try BusConnection(BusOptions(settings)) { [inbox] in inbox.post($0) }
            try bus.subscribe(subjects.all)
            try bus.subscribe(subjects.subject(of: own))
        } catch {
            let reason = (error as? BusError)?.reason ?? (error as? KeyFileProblem)?.message
            throw ConfigurationError([
                ConfigurationProblem(key: "cluster", reason ?? "\(error)")
            ])
        }
    }

    /// Connects the broker to the cluster, and starts the thread. A second call has no effect.
    ///
    /// `census` counts the sessions and workers of this node. `notify` notifies the views of a
    /// change that another node has reported. `list` collects the sessions of this node whose names
    /// sort after a name, for another node. All are called on the cluster's thread. `registry`:
    /// watchers of other nodes take places in it.
    func start(
        with broker: Broker<LoadTicket>, registry: WatcherRegistry,
        census: @escaping @Sendable () -> ClusterCensus,
        notify: @escaping @Sendable (FeedChange) -> Void, list: @escaping ClusterLoop.Listing
    ) {
        let machine = ClusterMachine(
            own: own, name: name, version: DaemonVersion.current,
            seed: .random(in: .min ... .max))
        thread.withLock { thread in
            guard thread == nil else { return }
            broker.connect(to: self)
            thread = ServiceThread { [self] in
                var loop = ClusterLoop(
                    machine, inbox: inbox, subjects: subjects, bus: bus, broker: broker,
                    cluster: cluster, census: census, notify: notify, list: list,
                    registry: registry,
                    publishStatus: { [self] status in published.withLock { $0 = status } }, log: log
                )
                loop.run()
            }
        }
    }

    /// Tells the other nodes that this node leaves, and waits until the connection is closed.
    func stop() {
        inbox.mailbox.post(.stop)
        thread.withLock { $0.take() }?.join()
    }

    /// Sets the feeds that this node shares with other nodes.
    func share(_ feeds: Set<String>) { inbox.post(.feeds(feeds)) }

    /// Reports a change to the other nodes. The caller has applied it to this node.
    func reportFeedChange(_ change: FeedChange) { inbox.post(.changed(change)) }

    /// Describes the nodes as JSON. `reply` is called on the cluster's thread.
    func describe(_ reply: @escaping @Sendable ([UInt8]) -> Void) {
        inbox.mailbox.post(.describe(reply))
    }

    /// Requests the sessions of the other nodes whose names sort after `after`. `reply` is called
    /// on the cluster's thread, with nil if too many such requests wait.
    func list(after: String?, _ reply: @escaping @Sendable (ClusterSessions?) -> Void) {
        inbox.mailbox.post(.list(after: after, reply))
    }

    /// Sends the matching events of the other nodes to a watcher, until `unwatch` of the returned
    /// identity.
    func watch(_ filter: WatchFilter, with watcher: Watcher) -> UInt64 {
        let id = watches.add(1, ordering: .relaxed).newValue
        inbox.mailbox.post(.watch(filter, watcher, id))
        return id
    }

    func unwatch(_ id: UInt64) { inbox.mailbox.post(.unwatch(id)) }

    var status: ClusterStatus { published.withLock { $0 } }
}

extension ClusterService: ClusterLink {
    func ask(_ node: NodeID, _ order: RemoteOrder) { inbox.post(.ask(node, order)) }

    func withdraw(_ id: CallID, from node: NodeID) { inbox.post(.withdraw(id, from: node)) }

    func deliver(_ event: OwnerEvent, to load: RemoteLoadID) { inbox.post(.loadEvent(event, load)) }
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
