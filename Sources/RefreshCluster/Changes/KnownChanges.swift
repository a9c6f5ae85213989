internal import RefreshBroker
internal import RefreshProtocol

/// The changes that were reported at other nodes, and are known here. Each change is applied once.
struct KnownChanges: Sendable {
    /// What a number of a change means.
    enum Arrival: Equatable {
        /// The change was known.
        case repeated
        /// The change is the next one of its feed at its node.
        case next
        /// Changes before this one were missed.
        case gap
    }

    private struct Known {
        var number: UInt64 = 0
        /// A higher number that is covered by a change that is due soon.
        var deferred: UInt64 = 0
    }

    /// By feed and by node.
    private var known: [String: [NodeID: Known]] = [:]

    /// Records a change that must be applied now, unless it was known.
    mutating func record(_ feed: String, number: UInt64, of node: NodeID) -> Arrival {
        let last = self.number(of: feed, at: node)
        guard number > last else { return .repeated }
        known[feed, default: [:]][node, default: Known()].number = number
        return number == last + 1 ? .next : .gap
    }

    /// Records a number that is not a change for this node, because the node has just started.
    mutating func start(_ feed: String, at number: UInt64, of node: NodeID) {
        guard number > self.number(of: feed, at: node) else { return }
        known[feed, default: [:]][node, default: Known()].number = number
    }

    /// Records a number whose change is applied when `applyDeferred` is called for the feed. If a
    /// `load` names the number earlier, the change is applied then.
    mutating func postpone(_ feed: String, number: UInt64, of node: NodeID) {
        let entry = known[feed]?[node] ?? Known()
        guard number > max(entry.number, entry.deferred) else { return }
        known[feed, default: [:]][node, default: Known()].deferred = number
    }

    /// Records that the postponed changes of a feed are applied now.
    mutating func applyDeferred(_ feed: String) {
        guard let nodes = known[feed] else { return }
        for (node, entry) in nodes where entry.deferred > 0 {
            known[feed]?[node]?.deferred = 0
            guard entry.deferred > entry.number else { continue }
            known[feed]?[node]?.number = entry.deferred
        }
    }

    /// The last known number of the feed's changes at the node; 0 if none is known.
    func number(of feed: String, at node: NodeID) -> UInt64 { known[feed]?[node]?.number ?? 0 }

    /// The last known change of a feed at each node, in the order of the nodes.
    func last(of feed: String) -> [SeenChange] {
        (known[feed] ?? [:])
            .filter { $0.value.number > 0 }
            .map { SeenChange(node: $0.key, number: $0.value.number) }
            .sorted { $0.node < $1.node }
    }

    /// Forgets a node.
    mutating func forget(_ node: NodeID) {
        for feed in known.keys { known[feed]?[node] = nil }
    }

    /// Forgets the other feeds.
    mutating func keepOnly(_ feeds: Set<String>) {
        known = known.filter { feeds.contains($0.key) }
    }
}
