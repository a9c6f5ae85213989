package import RefreshBroker
package import RefreshProtocol

/// The state machine of a node's part in a cluster. It knows the other nodes, determines the owners
/// of requests, spreads changes of feeds, and carries the loads that nodes perform for each other.
///
/// ```
/// bus ──received──▶ ClusterMachine ──publish──▶ bus
///                     │        ▲
///     startLoad, cancelLoad,  ask, withdraw, loadEvent
///     ownerEvent, ownersChanged
///                     ▼        │
///                       broker            feedChanged ──▶ broker, views
/// ```
///
/// A `ClusterMachine` is a value without clock, task, lock or socket, and its random numbers come
/// from the seed. The owner passes every event to `handle` with the time, and performs the effects
/// in order. It sends `.clockAdvanced` at `nextDeadline`. No event causes a trap, whatever the bus
/// delivers. Without the bus, no other node is live, and `ownersChanged(nil)` makes the broker
/// perform all requests. Source: docs/cluster.md.
package struct ClusterMachine: Sendable {
    /// An input of the state machine.
    package enum Event: Hashable, Sendable {
        /// The bus is connected, for the first time or again.
        case connected
        case disconnected
        /// A message has arrived: from this node or another one, for all nodes or for this one.
        case received([UInt8])
        /// Time has passed, and nothing else has happened.
        case clockAdvanced
        /// The number of this node's sessions, and the feeds for which workers are connected here.
        case census(sessions: Int, workers: [String])
        /// The feeds that this node shares with other nodes.
        case feeds(Set<String>)
        /// Reads the operations of other nodes' changes.
        case changeReader(ChangeReader)
        /// A change was reported at this node. The caller has applied it.
        case changed(FeedChange)
        /// A worker on the bus has reported a change that no other node has received. The feed is
        /// one that this node serves or has served.
        case relayed(FeedChange)
        /// The broker asks another node to perform a request. Replaces an earlier ask with the same
        /// identity.
        case ask(NodeID, RemoteOrder)
        /// The broker does not need the answer to the ask.
        case withdraw(CallID, from: NodeID)
        /// The broker reports an event of a load that another node has asked for.
        case loadEvent(OwnerEvent, RemoteLoadID)
        /// An operator requests the sessions of the other nodes whose names sort after `after`.
        case list(after: String?, id: UInt64)
        /// The sessions of this node, for a node that has requested them by `listSessions`.
        case sessionsListed(SessionPage, RemoteListID)
        /// A watcher of this node receives the events of all nodes from now on.
        case watch(EventSelection, id: UInt64)
        /// The connection of the watcher has ended.
        case unwatch(id: UInt64)
        /// No place is free for a watcher of another node. The next repetition tries again.
        case watchRefused(RemoteWatchID)
        /// Events wait for a watcher of another node. Answered by `collectEvents`.
        case eventsWaiting(RemoteWatchID)
        /// The next events for a watcher of another node; nil if none wait.
        case eventsCollected([[UInt8]]?, RemoteWatchID)
        /// The counts of this node's clients that other nodes must know. The owner sends this event
        /// once a second, after `census`, also without the bus.
        case counts(NodeCounts)
        /// The daemon stops. No effect follows after those of this event.
        case stopped
    }

    /// An output of the state machine.
    package enum Effect: Hashable, Sendable {
        case publishToAll([UInt8])
        case publish([UInt8], to: NodeID)
        /// Perform a load for another node, and report its events with `loadEvent`.
        case startLoad(BrokerRequest, RemoteLoadID, deadlineMs: Int)
        /// The node that has asked for the load does not need it any more. Nothing is to be
        /// reported.
        case cancelLoad(RemoteLoadID)
        /// Pass an event of the owner to the broker.
        case ownerEvent(OwnerEvent, CallID)
        /// Pass the new owners to the broker; nil: no other node is live. Open asks at nodes that
        /// are not live any more have ended without an event.
        case ownersChanged(RequestOwners?)
        /// Apply a change that was reported at another node, or that may have been missed: to the
        /// broker and to the views.
        case feedChanged(FeedChange)
        /// Cached pages of the feed may be outdated, because changes may have been missed. Tell it
        /// to the broker only. If views can be outdated, `feedChanged` or `viewsOutdated` follows
        /// within two seconds.
        case pagesOutdated(feed: String)
        /// Another node requests the sessions of this node. Report them with `sessionsListed`.
        case listSessions(after: String?, RemoteListID)
        /// The sessions of the other nodes, for the event `list` with this identity; nil if too
        /// many lists are open.
        case listEnded(ClusterSessions?, id: UInt64)
        /// Collect the selected events of this node's sessions for a watcher of another node.
        case beginWatch(EventSelection, RemoteWatchID)
        case endWatch(RemoteWatchID)
        /// Report the next events with `eventsCollected`.
        case collectEvents(RemoteWatchID)
        /// Pass events of another node to a watcher of this node.
        case eventsReceived([[UInt8]], id: UInt64)
        /// The feed has changed before this node has started. Only a session that a snapshot has
        /// brought to this node can show an older page. Notify the views only.
        case viewsOutdated(feed: String)
        /// Apply the counts of the other nodes. The handshakes in them are new each time.
        case countsChanged(ClusterCounts)
    }

    /// The period in which a node publishes its state.
    static let stateMs = 1000.0

    /// The identity of this node.
    package let own: NodeID
    /// The maximum length of a message, as the bus has declared it. The default is that of NATS.
    package var payloadBytesMax = 1_048_576
    package internal(set) var counters = ClusterCounters()
    /// The last counts of the other nodes that `countsChanged` has reported.
    package internal(set) var counts = ClusterCounts()

    var state: NodeState
    var changeReader = ChangeReader()
    var feeds: Set<String> = []
    /// The feeds whose changes were relayed.
    var relayedFeeds: Set<String> = []
    var random: SeededRandom
    var isConnected = false
    var isStopped = false
    /// The number of connections to the bus so far.
    var connections = 0
    /// The time of the first event; nil before it.
    var startedAt: Instant?
    var nextStateAt = Instant.origin
    var membership = Membership()
    var ownChanges = OwnChanges()
    var knownChanges = KnownChanges()
    var reconnectionChanges = ReconnectionChanges()
    var asks = OpenAsks()
    var performedLoads = PerformedLoads()
    var lists = OpenLists()
    /// The watchers of this node that receive the events of all nodes.
    var watches: [UInt64: EventSelection] = [:]
    var remoteWatches = RemoteWatches()
    var countGossip = CountGossip()
    var limitShare = LimitShare()
    /// The owners that the broker knows.
    var owners: RequestOwners?
    /// Whether the thread was delayed, and messages may wait that it has not read.
    package var hasBacklog = false
    /// Whether nodes or workers have changed after `owners` was computed.
    var areOwnersOutdated = false

    /// `name` is the name of the node, for people; a long name is shortened. `version` is the
    /// version of refreshd. `seed` determines the times of the changes after a reconnection.
    package init(own: NodeID, name: String, version: String, seed: UInt64) {
        self.own = own
        self.random = SeededRandom(seed: seed)
        self.state = NodeState(
            name: name.shortened(toBytes: BusMessageLimits.nodeNameBytesMax),
            version: version.shortened(toBytes: BusMessageLimits.versionBytesMax))
    }

    /// Handles one event and appends the resulting effects to `effects`, in order.
    ///
    /// Deadlines up to `now` are handled first, so that the result does not depend on a late timer.
    /// Only a received message does not cause the loss of a node, and no event does while there is
    /// a backlog: the state of that node may be the next message.
    package mutating func handle(
        _ event: Event, at now: Instant, into effects: inout [Effect]
    ) {
        guard !isStopped else { return }
        startedAt = startedAt ?? now
        if case .received(let bytes) = event {
            handleDueTimes(at: now, into: &effects)
            receive(bytes, at: now, into: &effects)
        } else {
            for node in hasBacklog ? [] : membership.expire(at: now) {
                counters.nodesLost += 1
                handleLoss(of: node, into: &effects)
            }
            handleDueTimes(at: now, into: &effects)
            handleLocal(event, at: now, into: &effects)
        }
        updateOwners(into: &effects)
    }

    /// The time at which `.clockAdvanced` is needed; nil if there is none.
    package var nextDeadline: Instant? {
        guard !isStopped else { return nil }
        let next = min(nextDueTime, membership.nextDeadline ?? .never)
        return next == .never ? nil : next
    }

    /// The time at which `handleDueTimes` has something to do.
    private var nextDueTime: Instant {
        var next = isConnected ? nextStateAt : .never
        next = min(next, ownChanges.nextDeadline ?? .never)
        next = min(next, reconnectionChanges.nextDeadline ?? .never)
        next = min(next, performedLoads.nextDeadline ?? .never)
        next = min(next, lists.nextDeadline ?? .never)
        return min(next, remoteWatches.nextDeadline ?? .never)
    }

    /// The live nodes, with this one, in ascending order of their identities.
    package var nodes: [ClusterNode] {
        let all = membership.nodes + [ClusterNode(id: own, state, lastStateAt: nil)]
        return all.sorted { $0.id < $1.id }
    }

    /// The number of live nodes, with this one.
    package var nodeCount: Int { membership.liveCount + 1 }

    /// The earliest time at which the last state of another live node arrived.
    package var oldestStateAt: Instant? { membership.oldestStateAt }

    /// Whether the bus is connected.
    package var isBusConnected: Bool { isConnected }

    /// The number of asks whose last event has not arrived.
    package var openAsks: Int { asks.count }

    /// The number of loads that this node performs for other nodes.
    package var runningLoads: Int { performedLoads.count }

    // MARK: - Events of this node

    private mutating func handleLocal(
        _ event: Event, at now: Instant, into effects: inout [Effect]
    ) {
        switch event {
        case .connected: connect(at: now, into: &effects)
        case .disconnected: disconnect(at: now, into: &effects)
        case .received, .clockAdvanced: break
        case .census(let sessions, let workers):
            state.sessions = sessions
            let sorted = Set(workers).sorted()
            areOwnersOutdated = areOwnersOutdated || sorted != state.workers
            state.workers = sorted
        case .feeds(let feeds):
            self.feeds = feeds
            knownChanges.keepOnly(feeds)
            reconnectionChanges.keepOnly(feeds)
            areOwnersOutdated = true
        case .changeReader(let reader): changeReader = reader
        case .changed(let change):
            if feeds.contains(change.feed) { reportChange(change, at: now, into: &effects) }
        case .relayed(let change):
            relayedFeeds.insert(change.feed)
            reportChange(change, at: now, into: &effects)
        case .ask(let node, let order): ask(node, order, at: now, into: &effects)
        case .withdraw(let call, let node): withdraw(call, from: node, into: &effects)
        case .loadEvent(let event, let load): report(event, of: load, into: &effects)
        case .list(let after, let id): list(after: after, id: id, at: now, into: &effects)
        case .sessionsListed(let page, let id): answerList(page, id, into: &effects)
        case .watch(let selection, let id):
            guard selection.canMatch else { break }
            watches[id] = selection
            publishToAll(.watch(selection, number: id), into: &effects)
        case .unwatch(let id):
            watches[id] = nil
            publishToAll(.unwatch(number: id), into: &effects)
        case .watchRefused(let id): _ = remoteWatches.remove(id)
        case .eventsWaiting(let id): remoteWatches.setWaiting(id, at: now)
        case .eventsCollected(let events, let id):
            sendEvents(events, id, at: now, into: &effects)
        case .counts(let counts): exchangeCounts(counts, at: now, into: &effects)
        case .stopped: stop(at: now, into: &effects)
        }
    }

    private mutating func stop(at now: Instant, into effects: inout [Effect]) {
        for due in ownChanges.removeAll(at: now) {
            publish(due, into: &effects)
        }
        publishToAll(.leave, into: &effects)
        disconnect(at: now, into: &effects)
        updateOwners(into: &effects)
        isStopped = true
    }

    // MARK: - Time

    private mutating func handleDueTimes(at now: Instant, into effects: inout [Effect]) {
        guard nextDueTime <= now else { return }
        let (running, expired) = performedLoads.removeDue(at: now)
        for load in running {
            publish(.event(.waiting, number: load.number), to: load.node, into: &effects)
        }
        for load in expired { cancelLoad(load, into: &effects) }
        handleDueChanges(at: now, into: &effects)
        endLists(at: now, into: &effects)
        handleDueWatches(at: now, into: &effects)
        guard isConnected, nextStateAt <= now else { return }
        publishToAll(.state(currentState), into: &effects)
        repeatWatches(into: &effects)
        nextStateAt = nextStateAt.advanced(byMilliseconds: Self.stateMs)
        // After a delay, the missed states are not made up for.
        if nextStateAt <= now { nextStateAt = now.advanced(byMilliseconds: Self.stateMs) }
        for ask in asks.expire(at: now) {
            counters.asksExpired += 1
            publish(.cancel(number: ask.number), to: ask.node, into: &effects)
        }
        for node in membership.forget(at: now) { forget(node) }
    }

    // MARK: - Messages

    mutating func publishToAll(_ content: BusMessage.Content, into effects: inout [Effect]) {
        guard isConnected, let bytes = BusMessage(from: own, content).bytes else { return }
        counters.published[content.type, default: 0] += 1
        effects.append(.publishToAll(bytes))
    }

    mutating func publish(
        _ content: BusMessage.Content, to node: NodeID, into effects: inout [Effect]
    ) {
        guard isConnected, let bytes = BusMessage(from: own, content).bytes else { return }
        publish(bytes, of: content.type, to: node, into: &effects)
    }

    mutating func publish(
        _ bytes: [UInt8], of type: BusMessageType, to node: NodeID,
        into effects: inout [Effect]
    ) {
        guard isConnected else { return }
        counters.published[type, default: 0] += 1
        effects.append(.publish(bytes, to: node))
    }
}

extension String {
    /// The beginning of the text with at most `bytes` bytes of UTF-8. No Unicode scalar is divided.
    func shortened(toBytes bytes: Int) -> String {
        var view = unicodeScalars[...]
        while String(view).utf8.count > bytes { view.removeLast() }
        return String(view)
    }
}
