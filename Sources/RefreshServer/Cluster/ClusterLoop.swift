internal import MessageBus
internal import RefreshBroker
internal import RefreshCluster
internal import RefreshProtocol
internal import RefreshSession

/// The main loop of the cluster's thread. It passes the events of the bus, the broker and the feeds
/// to the `ClusterMachine`, and performs the machine's effects.
struct ClusterLoop {
    /// The time between two counts of the sessions and workers, in milliseconds.
    private static let censusMs = 1000.0

    let inbox: ClusterInbox
    let subjects: ClusterSubjects
    let bus: BusConnection
    let broker: Broker<LoadTicket>
    let limiter: ConnectionLimiter
    let directory: LoopDirectory
    /// Counts the sessions and workers of this node.
    let census: @Sendable () -> ClusterCensus
    /// Notifies the views of this node of a change that another node has reported.
    let notify: @Sendable (FeedChange) -> Void
    /// Receives the status after each batch of messages.
    let publishStatus: (ClusterStatus) -> Void
    let log: DaemonLog
    private var machine: ClusterMachine
    private var effects: [ClusterMachine.Effect] = []
    private var status = ClusterStatus()
    private var nextCensusAt = MonotonicTime.now
    private var knownNodes: [NodeID: String] = [:]

    init(
        _ machine: ClusterMachine, inbox: ClusterInbox, subjects: ClusterSubjects,
        bus: BusConnection, broker: Broker<LoadTicket>, limiter: ConnectionLimiter,
        directory: LoopDirectory,
        census: @escaping @Sendable () -> ClusterCensus,
        notify: @escaping @Sendable (FeedChange) -> Void,
        publishStatus: @escaping (ClusterStatus) -> Void, log: DaemonLog
    ) {
        self.machine = machine
        self.inbox = inbox
        self.subjects = subjects
        self.bus = bus
        self.broker = broker
        self.limiter = limiter
        self.directory = directory
        self.census = census
        self.notify = notify
        self.publishStatus = publishStatus
        self.log = log
        knownNodes = [machine.own: ""]
    }

    /// Runs until `stop` is received. Then notifies the other nodes that this node leaves.
    mutating func run() {
        var messages: [ClusterInbox.Message] = []
        var isRunning = true
        while isRunning {
            let deadline = min(machine.nextDeadline ?? nextCensusAt, nextCensusAt)
            inbox.mailbox.receive(into: &messages, until: deadline)
            let now = MonotonicTime.now
            if nextCensusAt <= now {
                let census = census()
                handle(.census(sessions: census.sessions, workers: census.workers), at: now)
                handle(.counts(limiter.removeClusterCounts()), at: now)
                nextCensusAt = now.advanced(byMilliseconds: Self.censusMs)
            }
            for message in messages { isRunning = receive(message, at: now) && isRunning }
            // The states of the received messages are known now, so a silent node is lost.
            handle(.clockAdvanced, at: now)
            publish()
        }
        bus.close()
        _ = inbox.mailbox.close()
    }

    /// Handles one message. Returns false for `stop`.
    private mutating func receive(_ message: ClusterInbox.Message, at now: Instant) -> Bool {
        switch message {
        case .event(let event): handle(event, at: now)
        case .bus(let event): handle(event, at: now)
        case .stop:
            handle(.stopped, at: now)
            return false
        }
        return true
    }

    private mutating func handle(_ event: BusEvent, at now: Instant) {
        switch event {
        case .connected(let server):
            log(.busConnected, [.address: server])
            machine.payloadBytesMax = bus.payloadMax
            status.isConnected = true
            handle(.connected, at: now)
        case .disconnected(let reason):
            log(.busDisconnected, [.reason: reason])
            status.isConnected = false
            handle(.disconnected, at: now)
        case .received(let bytes, _):
            inbox.release(bytes.count)
            status.bytesReceived += bytes.count
            handle(.received(bytes), at: now)
        case .failed(let reason):
            log(.busFailed, [.reason: reason])
        }
    }

    private mutating func handle(_ event: ClusterMachine.Event, at now: Instant) {
        machine.handle(event, at: now, into: &effects)
        for effect in effects { perform(effect) }
        effects.removeAll(keepingCapacity: true)
    }

    private mutating func perform(_ effect: ClusterMachine.Effect) {
        switch effect {
        case .publishToAll(let bytes): send(bytes, to: subjects.all)
        case .publish(let bytes, let node): send(bytes, to: subjects.subject(of: node))
        case .startLoad(let request, let load, let deadlineMs):
            broker.start(request, for: load, deadlineMs: deadlineMs)
        case .cancelLoad(let load): broker.cancel(load)
        case .ownerEvent(let event, let id): broker.handle(event, of: id)
        case .ownersChanged(let owners):
            logNodes()
            broker.apply(owners)
        case .feedChanged(let change):
            // The broker's cached pages must be stale before a view refreshes.
            broker.reportFeedChange(change.feed)
            notify(change)
        case .pagesOutdated(let feed): broker.reportFeedChange(feed)
        case .countsChanged(let counts):
            limiter.apply(counts, at: MonotonicTime.now)
            directory.applyRefreshShare(counts.refreshShare, of: counts.feeds)
        }
    }

    /// Publishes a message. If the bus is not connected, the message is lost. The machine notices
    /// this by the silence of the other nodes.
    private mutating func send(_ bytes: [UInt8], to subject: String) {
        if bus.publish(bytes, to: subject) { status.bytesPublished += bytes.count }
    }

    private mutating func logNodes() {
        let nodes = Dictionary(
            machine.nodes.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        for (id, name) in nodes where knownNodes[id] == nil {
            log(.nodeJoined, [.node: "\(name) (\(id.text))"])
        }
        for (id, name) in knownNodes where nodes[id] == nil {
            log(.nodeLeft, [.node: "\(name) (\(id.text))"])
        }
        knownNodes = nodes
    }

    private mutating func publish() {
        status.nodes = machine.nodes.count
        status.counters = machine.counters
        status.counts = machine.counts
        status.droppedFromQueue = inbox.droppedCount
        publishStatus(status)
    }
}

/// The subjects of the messages of a cluster. Source: docs/cluster.md, "Messages of the bus".
struct ClusterSubjects: Sendable {
    /// The subject that all nodes receive.
    let all: String
    private let nodes: String

    /// `name`: the name of the cluster.
    init(cluster name: String) {
        all = "refreshd.\(name).all"
        nodes = "refreshd.\(name).node."
    }

    /// The subject that only this node receives.
    func subject(of node: NodeID) -> String { nodes + node.text }
}
