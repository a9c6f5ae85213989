internal import RefreshBroker
internal import RefreshProtocol

/// Connection, messages and nodes.
extension ClusterMachine {
    /// The state that this node publishes.
    var currentState: NodeState {
        var state = state
        state.changes = ownChanges.published.filter {
            feeds.contains($0.key) || relayedFeeds.contains($0.key)
        }
        state.loads = performedLoads.count
        return state
    }

    mutating func connect(at now: Instant, into effects: inout [Effect]) {
        isConnected = true
        connections += 1
        nextStateAt = now.advanced(byMilliseconds: Self.stateMs)
        publishToAll(.state(currentState), into: &effects)
        repeatWatches(into: &effects)
        limitShare.connect(at: now)
        countGossip.repeatSoon()
        // No load may get a page that was cached before the connection.
        for feed in feeds.sorted() { effects.append(.pagesOutdated(feed: feed)) }
        // Before a first connection that comes late, this node has served without the bus. The
        // views are notified later, spread over time.
        guard connections > 1 || !hasJustStarted(at: now) else { return }
        reconnectionChanges.schedule(feeds, at: now, &random)
    }

    /// Whether this node has just started and has no sessions, so that no view is outdated.
    func hasJustStarted(at now: Instant) -> Bool {
        guard let startedAt, state.sessions == 0 else { return false }
        return connections <= 1 && now.milliseconds(since: startedAt) < Membership.livenessMs
    }

    mutating func disconnect(at now: Instant, into effects: inout [Effect]) {
        if isConnected { limitShare.disconnect(nodes: 1 + membership.recentCount(at: now)) }
        isConnected = false
        for node in membership.loseAll() { handleLoss(of: node, into: &effects) }
        endLists(at: nil, into: &effects)
    }

    /// Ends everything that a node does for this one, and the reverse.
    mutating func handleLoss(
        of node: NodeID, hasLeft: Bool = false, into effects: inout [Effect]
    ) {
        areOwnersOutdated = true
        countGossip.clear(node)
        for ask in asks.closeAll(at: node) {
            counters.asksLost += 1
            if !hasLeft { publish(.cancel(number: ask.number), to: node, into: &effects) }
        }
        for load in performedLoads.cancelAll(of: node) { cancelLoad(load, into: &effects) }
        for watch in remoteWatches.removeAll(of: node) { effects.append(.endWatch(watch)) }
    }

    mutating func forget(_ node: NodeID) {
        knownChanges.forget(node)
        performedLoads.forget(node)
        countGossip.forget(node)
    }

    /// Tells the broker the owners, if they have changed.
    mutating func updateOwners(into effects: inout [Effect]) {
        guard areOwnersOutdated else { return }
        areOwnersOutdated = false
        var new: RequestOwners?
        if membership.liveCount > 0 {
            var workers = membership.workers.filter { feeds.contains($0.key) }
            for feed in state.workers where feeds.contains(feed) {
                workers[feed, default: []].append(own)
            }
            new = RequestOwners(own: own, live: membership.live + [own], workers: workers)
        }
        guard new != owners else { return }
        owners = new
        effects.append(.ownersChanged(new))
    }

    // MARK: - Received messages

    mutating func receive(_ bytes: [UInt8], at now: Instant, into effects: inout [Effect]) {
        let message: BusMessage
        do throws(BusMessageDrop) {
            message = try BusMessage(reading: bytes, reports: changeReader)
        } catch {
            counters.dropped[error, default: 0] += 1
            return
        }
        let sender = message.sender
        guard sender != own else { return }
        guard isConnected else {
            counters.dropped[.disconnected, default: 0] += 1
            return
        }
        counters.received[message.content.type, default: 0] += 1
        switch message.content {
        case .state(let state): receive(state, from: sender, at: now, into: &effects)
        case .leave:
            guard membership.leave(sender, at: now) else { return }
            counters.nodesLeft += 1
            handleLoss(of: sender, hasLeft: true, into: &effects)
        case .changed(let change, let number):
            receive(change, number: number, from: sender, at: now, into: &effects)
        case .load(let load, let number):
            let id = RemoteLoadID(node: sender, number: number)
            startLoad(load, id, at: now, into: &effects)
        case .cancel(let number):
            let id = RemoteLoadID(node: sender, number: number)
            guard membership.isLive(sender), performedLoads.cancel(id) else { return }
            cancelLoad(id, into: &effects)
        case .list(let after, let number):
            let id = RemoteListID(node: sender, number: number)
            startList(after: after, id, at: now, into: &effects)
        case .listed(let page, let number):
            receive(page, number: number, from: sender, into: &effects)
        case .watch(let selection, let number):
            let id = RemoteWatchID(node: sender, number: number)
            serveWatch(selection, id, at: now, into: &effects)
        case .unwatch(let number):
            let id = RemoteWatchID(node: sender, number: number)
            if remoteWatches.remove(id) { effects.append(.endWatch(id)) }
        case .watched(let events, let number):
            guard watches[number] != nil, membership.isLive(sender) else { return }
            effects.append(.eventsReceived(events, id: number))
        case .event(let event, let number):
            receive(event, number: number, from: sender, into: &effects)
        case .counts(let counts, let number):
            receive(counts, number: number, from: sender, at: now)
        }
    }

    private mutating func receive(
        _ state: NodeState, from node: NodeID, at now: Instant, into effects: inout [Effect]
    ) {
        let isFirst = !membership.hasState(node)
        let oldWorkers = membership.workers(of: node)
        var forgotten: [NodeID] = []
        let arrival = membership.receive(state, from: node, at: now, forgotten: &forgotten)
        forgotten.forEach { forget($0) }
        switch arrival {
        case .known:
            areOwnersOutdated = areOwnersOutdated || oldWorkers != state.workers
        case .new:
            counters.nodesJoined += 1
            areOwnersOutdated = true
            // The other node may not know this one.
            countGossip.repeatSoon()
            publish(.state(currentState), to: node, into: &effects)
        case .late: return
        case .tooManyNodes:
            counters.dropped[.tooManyNodes, default: 0] += 1
            return
        }
        compareChanges(with: state, of: node, isFirst: isFirst, at: now, into: &effects)
    }
}
