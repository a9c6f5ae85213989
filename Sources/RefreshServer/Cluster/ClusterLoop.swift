internal import MessageBus
internal import RefreshBroker
internal import RefreshCluster
internal import RefreshProtocol
internal import RefreshSession

/// The cluster's work on the broker's thread, or on a thread of its own. It passes the events of
/// the bus, the broker and the feeds to the `ClusterMachine`, and performs the machine's effects.
struct ClusterLoop: ClusterWork {
    /// The time between two counts of the sessions and workers, in milliseconds.
    private static let censusMs = 1000.0
    /// The time between two turns that is a delay of the thread, in milliseconds. There is a turn
    /// for each census, and the other work of the thread is brief. Catching up with a delay takes
    /// at most as long, and is not prolonged by a further delay.
    private static let delayMs = 2000.0

    let inbox: ClusterInbox
    let subjects: ClusterSubjects
    let bus: BusConnection
    let host: ClusterHost
    let workers: ClusterWorkers
    /// The name of the cluster.
    let cluster: String
    /// Receives the status after each batch of messages.
    let publishStatus: (ClusterStatus) -> Void
    /// Is called when the work has ended.
    let ended: () -> Void
    /// Nil if no other node can read the snapshots of this one.
    var fence: SessionFence?
    /// The answers to the claims that wait, by the number of the claim.
    var claims: [UInt64: @Sendable (ClaimVerdict) -> Void] = [:]
    var lastClaim: UInt64 = 0
    private var machine: ClusterMachine
    private var effects: [ClusterMachine.Effect] = []
    private var status = ClusterStatus()
    /// Whether this node takes part in the cluster.
    private var isRunning = true
    private var events: [BusEvent] = []
    private var messages: [ClusterInbox.Message] = []
    private var nextCensusAt = MonotonicTime.now
    /// The time of the last turn, and the time until which the thread catches up with a delay.
    private var turnedAt = MonotonicTime.now
    private var caughtUpAt = Instant.origin
    private var knownNodes: [NodeID: String] = [:]
    /// The operators' requests for lists that the other nodes have not answered.
    private var lists: [UInt64: @Sendable (ClusterSessions?) -> Void] = [:]
    private var lastList: UInt64 = 0
    /// The watchers of this node that receive the events of all nodes.
    private var watchers: [UInt64: Watcher] = [:]
    /// The watchers of other nodes.
    private var remoteWatchers: [RemoteWatchID: Watcher] = [:]

    init(
        _ machine: ClusterMachine, _ fence: SessionFence?, of cluster: String, inbox: ClusterInbox,
        subjects: ClusterSubjects, bus: BusConnection, host: ClusterHost,
        workers: ClusterWorkers, publishStatus: @escaping (ClusterStatus) -> Void,
        ended: @escaping () -> Void
    ) {
        self.machine = machine
        self.fence = fence
        self.cluster = cluster
        self.inbox = inbox
        self.subjects = subjects
        self.bus = bus
        self.host = host
        self.workers = workers
        self.publishStatus = publishStatus
        self.ended = ended
        knownNodes = [machine.own: ""]
    }

    var wake: @Sendable () -> Void { { [bus] in bus.wake() } }

    /// Handles the events until the broker's deadline or an earlier one of the cluster.
    mutating func turn(until deadline: Instant?) -> Bool {
        guard isRunning else { return false }
        var deadline = min(nextCensusAt, deadline ?? nextCensusAt)
        if let next = machine.nextDeadline { deadline = min(deadline, next) }
        if let next = fence?.nextDeadline { deadline = min(deadline, next) }
        // The connection is closed only below.
        _ = bus.receive(into: &events, untilMs: (deadline.microseconds + 999) / 1000)
        let now = MonotonicTime.now
        for event in events where !workers.handle(event) { handle(event, at: now) }
        // After a delay of the thread, states of other nodes may wait in the socket. They are read
        // before a node counts as silent.
        let isDelayed = turnedAt.advanced(byMilliseconds: Self.delayMs) < now
        if isDelayed, caughtUpAt <= turnedAt {
            caughtUpAt = now.advanced(byMilliseconds: Self.delayMs)
        }
        turnedAt = now
        machine.hasBacklog = now < caughtUpAt && (!events.isEmpty || bus.hasUnreadBytes)
        handleTime(now)
        handle(SessionFence.Event.clockAdvanced, at: now)
        publish()
        return true
    }

    mutating func handleMessages() -> Bool {
        inbox.remove(into: &messages)
        guard isRunning, !messages.isEmpty else { return false }
        // The broker's thread may have been delayed since the turn, so that states of other nodes
        // wait in the socket. Only the next turn notices that a node is silent.
        machine.hasBacklog = true
        let now = MonotonicTime.now
        var isStopped = false
        for message in messages { isStopped = !receive(message, at: now) || isStopped }
        publish()
        if isStopped { end() }
        return true
    }

    func clearWake() { bus.clearWake() }

    private mutating func handleTime(_ now: Instant) {
        handle(ClusterMachine.Event.clockAdvanced, at: now)
        guard nextCensusAt <= now else { return }
        takeCensus(at: now)
        handle(.counts(host.limiter.removeClusterCounts()), at: now)
        nextCensusAt = now.advanced(byMilliseconds: Self.censusMs)
    }

    private mutating func takeCensus(at now: Instant) {
        let census = host.census()
        handle(.census(sessions: census.sessions, workers: census.workers), at: now)
        if census.sessions > 0 { handle(SessionFence.Event.hasSessions, at: now) }
    }

    /// Notifies the other nodes that this node leaves, and closes the connection.
    mutating func end() {
        guard isRunning else { return }
        isRunning = false
        handle(ClusterMachine.Event.stopped, at: MonotonicTime.now)
        // Closing the connection can take seconds. Nothing waits for this.
        inbox.close()
        for answer in claims.values { answer(.unfenced) }
        claims = [:]
        for reply in lists.values { reply(nil) }
        lists = [:]
        status.isConnected = false
        publishStatus(status)
        // The other nodes perform the loads that they have asked of this one, so the failures of
        // these loads are not sent.
        workers.stop()
        bus.close()
        ended()
    }

    /// Handles one message. Returns false for `stop`.
    private mutating func receive(_ message: ClusterInbox.Message, at now: Instant) -> Bool {
        switch message {
        case .event(let event): handle(event, at: now)
        case .fence(let event): handle(event, at: now)
        case .claim(let session, let head, let askedAt, let answer):
            claim(session, head, askedAt: askedAt, answer, at: now)
        case .describe(let reply): reply(machine.overview(ofCluster: cluster, at: now))
        case .list(let after, let reply):
            lastList += 1
            lists[lastList] = reply
            handle(.list(after: after, id: lastList), at: now)
        case .watch(let filter, let watcher, let id):
            watchers[id] = watcher
            let selection = EventSelection(session: filter.session, feed: filter.feed)
            handle(.watch(selection, id: id), at: now)
        case .unwatch(let id):
            watchers[id] = nil
            handle(.unwatch(id: id), at: now)
        case .relay(let feed):
            guard let change = inbox.removeRelay(of: feed) else { break }
            handle(.relayed(change), at: now)
            // This node may still have the feed, without workers on the bus.
            host.broker.reportFeedChange(feed)
            host.directory.scheduleNotification(of: change)
        case .stop: return false
        }
        return true
    }

    private mutating func handle(_ event: BusEvent, at now: Instant) {
        switch event {
        case .connected(let server):
            host.log(.busConnected, [.address: server])
            machine.payloadBytesMax = bus.payloadMax
            checkPayloadMax()
            status.isConnected = true
            takeCensus(at: now)
            handle(ClusterMachine.Event.connected, at: now)
            handle(SessionFence.Event.connected, at: now)
        case .disconnected(let reason):
            host.log(.busDisconnected, [.reason: reason])
            status.isConnected = false
            handle(ClusterMachine.Event.disconnected, at: now)
            handle(SessionFence.Event.disconnected, at: now)
        case .received(let bytes, let subject, _):
            status.bytesReceived += bytes.count
            if let arrival = fence?.store.arrival(on: subject) {
                handle(SessionFence.Event.received(arrival, bytes), at: now)
            } else {
                handle(.received(bytes), at: now)
            }
        case .failed(let reason):
            host.log(.busFailed, [.reason: reason])
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
            host.broker.start(request, for: load, deadlineMs: deadlineMs)
        case .cancelLoad(let load): host.broker.cancel(load)
        case .ownerEvent(let event, let id): host.broker.handle(event, of: id)
        case .ownersChanged(let owners):
            logNodes()
            host.broker.apply(owners)
        case .feedChanged(let change):
            // The broker's cached pages must be stale before a view refreshes.
            host.broker.reportFeedChange(change.feed)
            host.notify(change)
        case .pagesOutdated(let feed): host.broker.reportFeedChange(feed)
        case .listSessions(let after, let id):
            host.directory.list(after: after) { [inbox] page in
                inbox.post(.sessionsListed(page, id))
            }
        case .listEnded(let sessions, let id): lists.removeValue(forKey: id)?(sessions)
        case .beginWatch(let selection, let id): beginWatch(selection, id)
        case .endWatch(let id):
            remoteWatchers.removeValue(forKey: id).map(host.registry.unregister)
        case .collectEvents(let id):
            inbox.post(.eventsCollected(remoteWatchers[id]?.dequeueEvents(), id))
        case .eventsReceived(let events, let id):
            for event in events { watchers[id]?.enqueue(event) }
        case .viewsOutdated(let feed): host.notify(FeedChange(feed))
        case .countsChanged(let counts):
            host.limiter.apply(counts, at: MonotonicTime.now)
            host.directory.applyRefreshShare(counts.refreshShare, of: counts.feeds)
        }
    }

    /// Publishes a message. If the bus does not accept it, the message is counted and lost. The
    /// machine notices this by the silence of the other nodes.
    mutating func send(
        _ bytes: [UInt8], to subject: String, _ envelope: BusEnvelope = BusEnvelope()
    ) {
        guard bus.publish(bytes, to: subject, envelope) else {
            status.unsent += 1
            return
        }
        status.bytesPublished += bytes.count
    }

    /// Logs if the server of the bus does not accept each message that a node may have to send.
    private func checkPayloadMax() {
        let (accepted, needed) = (bus.payloadMax, BusMessageLimits.headBytesMax)
        guard accepted < needed else { return }
        host.log(
            .busFailed,
            [.reason: "A message may have \(accepted) bytes there, and a node needs \(needed)."])
    }

    /// Registers a watcher of another node with the loops, if a place is free.
    private mutating func beginWatch(_ selection: EventSelection, _ id: RemoteWatchID) {
        guard host.registry.reservePlace() else { return inbox.post(.watchRefused(id)) }
        let filter = WatchFilter(session: selection.session, feed: selection.feed)
        remoteWatchers[id] = host.registry.register { loops in
            Watcher(filter, loops: loops) { [inbox] in inbox.post(.eventsWaiting(id)) }
        }
    }

    private mutating func logNodes() {
        let nodes = Dictionary(
            machine.nodes.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        for (id, name) in nodes where knownNodes[id] == nil {
            host.log(.nodeJoined, [.node: "\(name) (\(id.text))"])
        }
        for (id, name) in knownNodes where nodes[id] == nil {
            host.log(.nodeLeft, [.node: "\(name) (\(id.text))"])
        }
        knownNodes = nodes
    }

    private mutating func publish() {
        status.nodes = machine.nodeCount
        status.oldestStateAt = machine.oldestStateAt
        status.openAsks = machine.openAsks
        status.runningLoads = machine.runningLoads
        status.counters = machine.counters
        status.isFencing = fence?.isAvailable
        status.fenceCounters = fence?.counters ?? FenceCounters()
        status.counts = machine.counts
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
