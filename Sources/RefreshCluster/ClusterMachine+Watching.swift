internal import RefreshBroker
internal import RefreshProtocol

/// Watchers that receive the events of all nodes. Source: docs/cluster.md, "Watching all nodes".
extension ClusterMachine {
    /// Repeats the watches of this node, so that the other nodes do not end them.
    mutating func repeatWatches(into effects: inout [Effect]) {
        for (id, selection) in watches.sorted(by: { $0.key < $1.key }) {
            publishToAll(.watch(selection, number: id), into: &effects)
        }
    }

    /// Handles a new or repeated watch of another node.
    mutating func serveWatch(
        _ selection: EventSelection, _ id: RemoteWatchID, at now: Instant,
        into effects: inout [Effect]
    ) {
        // The watch of a node that is not live could not be ended when this node is lost.
        guard membership.isLive(id.node) else { return }
        switch remoteWatches.receive(id, at: now) {
        case .new: effects.append(.beginWatch(selection, id))
        case .repeated: break
        case .tooMany: counters.watchesRefused += 1
        }
    }

    mutating func handleDueWatches(at now: Instant, into effects: inout [Effect]) {
        for id in remoteWatches.removeDue(at: now) { effects.append(.endWatch(id)) }
        for id in remoteWatches.takeReady(at: now) { effects.append(.collectEvents(id)) }
    }

    /// Sends events to the node of their watcher. More events may wait, until `events` is nil.
    mutating func sendEvents(
        _ events: [[UInt8]]?, _ id: RemoteWatchID, at now: Instant, into effects: inout [Effect]
    ) {
        guard let events, remoteWatches.contains(id) else { return }
        remoteWatches.setWaiting(id, at: now)
        publish(.watched(events, number: id.number), to: id.node, into: &effects)
    }
}

extension MessageMembers {
    /// The objects of an array, each as JSON.
    func events(_ name: StaticString) throws(BusMessageDrop) -> [[UInt8]] {
        var events: [[UInt8]] = []
        for value in try list(name, countMax: BusMessageLimits.eventsMax) {
            guard case .object = value else { throw .member }
            events.append(Array(value.text.utf8))
        }
        return events
    }
}
