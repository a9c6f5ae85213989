internal import RefreshBroker
internal import RefreshProtocol

/// Changes of feeds.
extension ClusterMachine {
    mutating func reportChange(
        _ change: FeedChange, at now: Instant, into effects: inout [Effect]
    ) {
        counters.changesReported += 1
        let due = ownChanges.report(change, isConnected: isConnected, at: now)
        if let due { publish(due, into: &effects) }
    }

    mutating func handleDueChanges(at now: Instant, into effects: inout [Effect]) {
        for due in ownChanges.removeDue(at: now) {
            publish(due, into: &effects)
        }
        for feed in reconnectionChanges.removeDue(at: now) {
            counters.changesOfReconnections += 1
            knownChanges.applyDeferred(feed)
            effects.append(.feedChanged(FeedChange(feed)))
        }
    }

    /// Publishes a change. Its operations are left out if they are too large for a message, or if
    /// their order is not certain.
    mutating func publish(_ due: OwnChanges.Publication, into effects: inout [Effect]) {
        var change = due.change
        if !change.isOrdered { change.items = nil }
        if change.items != nil {
            let bytes = BusMessage(from: own, .changed(change, number: due.number)).bytes
            if bytes.map({ $0.count > payloadBytesMax }) ?? true { change.items = nil }
        }
        publishToAll(.changed(change, number: due.number), into: &effects)
    }

    mutating func receive(
        _ change: FeedChange, number: UInt64, from node: NodeID, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard feeds.contains(change.feed), remember(node, at: now) else { return }
        switch knownChanges.record(change.feed, number: number, of: node) {
        case .repeated: counters.changesRepeated += 1
        case .next:
            counters.changesApplied += 1
            var change = change
            if change.items != nil { change.reporter = "node \(node.bits)" }
            effects.append(.feedChanged(change))
        case .gap: applyMissedChange(of: change.feed, into: &effects)
        }
    }

    /// Applies the changes that a state shows and that were missed.
    mutating func compareChanges(
        with state: NodeState, of node: NodeID, isFirst: Bool, at now: Instant,
        into effects: inout [Effect]
    ) {
        let hasJustStarted = hasJustStarted(at: now)
        for (feed, number) in state.changes.sorted(by: { $0.key < $1.key }) {
            let known = knownChanges.number(of: feed, at: node)
            guard feeds.contains(feed), number > known else { continue }
            if isFirst, hasJustStarted, known == 0 {
                knownChanges.start(feed, at: number, of: node)
                // A load may have kept a page before the connection.
                effects.append(.pagesOutdated(feed: feed))
                effects.append(.viewsOutdated(feed: feed))
            } else if reconnectionChanges.isWaiting(feed) {
                knownChanges.postpone(feed, number: number, of: node)
            } else {
                _ = knownChanges.record(feed, number: number, of: node)
                applyMissedChange(of: feed, into: &effects)
            }
        }
    }

    /// The last changes of a feed at the nodes that this node hears. A `load` names them to the
    /// owner, which may have missed them.
    mutating func lastChanges(of feed: String, at now: Instant) -> [SeenChange] {
        var changes = knownChanges.last(of: feed).filter {
            membership.mayBeNamed($0.node, at: now)
        }
        if let number = ownChanges.nameLast(of: feed) {
            changes.insert(SeenChange(node: own, number: number), at: 0)
        }
        return Array(changes.prefix(BusMessageLimits.seenMax))
    }

    /// Applies the changes of a feed that another node knows and this one does not.
    mutating func apply(
        _ seen: [SeenChange], of feed: String, at now: Instant, into effects: inout [Effect]
    ) {
        var isNews = false
        for change in seen where change.node != own {
            let known = knownChanges.number(of: feed, at: change.node)
            guard change.number > known else {
                membership.renew(change.node, at: now)
                continue
            }
            guard remember(change.node, isDirect: false, at: now) else { continue }
            _ = knownChanges.record(feed, number: change.number, of: change.node)
            isNews = true
        }
        if isNews { applyMissedChange(of: feed, into: &effects) }
    }

    private mutating func applyMissedChange(of feed: String, into effects: inout [Effect]) {
        counters.changesApplied += 1
        counters.changesMissed += 1
        effects.append(.feedChanged(FeedChange(feed)))
    }

    /// Makes a node known whose change has arrived. Returns false if there are too many nodes.
    private mutating func remember(
        _ node: NodeID, isDirect: Bool = true, at now: Instant
    ) -> Bool {
        var forgotten: [NodeID] = []
        let isKnown = membership.remember(
            node, isDirect: isDirect, at: now, forgotten: &forgotten)
        forgotten.forEach { forget($0) }
        if !isKnown { counters.dropped[.tooManyNodes, default: 0] += 1 }
        return isKnown
    }
}
