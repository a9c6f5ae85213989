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
    private let own = NodeID(bits: .random(in: .min ... .max))
    private let name: String
    private let countKeys: CountKeys
    private let inbox = ClusterInbox()
    private let subjects: ClusterSubjects
    private let bus: BusConnection
    private let log: DaemonLog
    private let published = Mutex(ClusterStatus())
    /// The cluster's thread; nil before `start` and after `stop`.
    private let thread = Mutex<ServiceThread?>(nil)

    /// Begins to connect to the bus. No message is handled before `start`.
    init(_ settings: ClusterSettings, log: DaemonLog) throws(ConfigurationError) {
        name = settings.nodeName
        countKeys = CountKeys(cluster: settings.name)
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
    /// `limiter` and `directory` apply limits to the whole cluster. `census` counts the sessions and
    /// workers of this node. `notify` notifies the views of a change that another node has reported.
    /// Both are called on the cluster's thread.
    func start(
        with broker: Broker<LoadTicket>, limiter: ConnectionLimiter, directory: LoopDirectory,
        census: @escaping @Sendable () -> ClusterCensus,
        notify: @escaping @Sendable (FeedChange) -> Void
    ) {
        let machine = ClusterMachine(
            own: own, name: name, version: DaemonVersion.current,
            seed: .random(in: .min ... .max))
        thread.withLock { thread in
            guard thread == nil else { return }
            broker.connect(to: self)
            limiter.joinCluster(countKeys)
            thread = ServiceThread { [self] in
                var loop = ClusterLoop(
                    machine, inbox: inbox, subjects: subjects, bus: bus, broker: broker,
                    limiter: limiter, directory: directory,
                    census: census, notify: notify,
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
