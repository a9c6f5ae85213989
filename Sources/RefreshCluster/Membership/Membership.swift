internal import RefreshBroker
internal import RefreshProtocol

/// The other nodes of the cluster. A node is live if one of its states has arrived in the last
/// 3.5 s, and it has not left after that.
///
/// A node that is not live any more stays known for a minute, so that the numbers of its changes
/// are still known if it comes back, for example after a partition. The number of known nodes has a
/// limit. Above this limit, nodes that are not live are forgotten first.
struct Membership: Sendable {
    /// The time for which a node is live after its last state.
    static let livenessMs = 3500.0
    /// The time after which a node that sends nothing is forgotten.
    static let memoryMs = 60_000.0
    static let nodesMax = 256
    /// The silence up to which a node that has not left is believed to run, although it may not be
    /// live any more. It is longer than the time in which the loss of a bus is noticed.
    static let recentMs = 10_000.0

    /// What the arrival of a state means.
    enum Arrival: Equatable {
        /// The node was live already.
        case known
        /// The node was not live.
        case new
        /// The node has just left. The state was sent earlier, and the bus has delayed it.
        case late
        case tooManyNodes
    }

    private struct Record {
        /// The last state; nil if only other messages of the node have arrived.
        var state: NodeState?
        var isLive = false
        var lastStateAt: Instant
        /// The time at which the last state or change of the node arrived, or another node named
        /// one of its changes.
        var lastHeardAt: Instant
        /// The time at which the last state or change of the node itself arrived.
        var lastSentAt = Instant.never
        var leftAt: Instant?
    }

    private var records: [NodeID: Record] = [:]
    private(set) var liveCount = 0

    func isLive(_ node: NodeID) -> Bool { records[node]?.isLive == true }

    /// Whether a state of the node has arrived.
    func hasState(_ node: NodeID) -> Bool { records[node]?.state != nil }

    /// The live nodes in ascending order.
    var live: [NodeID] { records.filter(\.value.isLive).keys.sorted() }

    var nodes: [ClusterNode] {
        live.compactMap { node in
            records[node].flatMap { record in
                record.state.map { ClusterNode(id: node, $0, lastStateAt: record.lastStateAt) }
            }
        }
    }

    /// For each feed with workers, the live nodes to which they are connected.
    var workers: [String: [NodeID]] {
        var workers: [String: [NodeID]] = [:]
        for node in live {
            for feed in records[node]?.state?.workers ?? [] {
                workers[feed, default: []].append(node)
            }
        }
        return workers
    }

    /// The feeds for which workers are connected to the node.
    func workers(of node: NodeID) -> [String] { records[node]?.state?.workers ?? [] }

    /// The number of nodes that are believed to run, whether or not they are live.
    func recentCount(at now: Instant) -> Int {
        records.values.count { record in
            record.state != nil && record.leftAt == nil
                && now.milliseconds(since: record.lastStateAt) < Self.recentMs
        }
    }

    /// Applies a state. `forgotten` receives the nodes that are forgotten because of it.
    mutating func receive(
        _ state: NodeState, from node: NodeID, at now: Instant, forgotten: inout [NodeID]
    ) -> Arrival {
        if let leftAt = records[node]?.leftAt, now.milliseconds(since: leftAt) < Self.livenessMs {
            return .late
        }
        guard remember(node, at: now, forgotten: &forgotten) else { return .tooManyNodes }
        let wasLive = isLive(node)
        if !wasLive { liveCount += 1 }
        records[node] = Record(
            state: state, isLive: true, lastStateAt: now, lastHeardAt: now, lastSentAt: now,
            leftAt: nil)
        return wasLive ? .known : .new
    }

    /// Makes the node known, because it has sent a message (`isDirect`), or because another node
    /// has named it. Returns false if there are too many live nodes.
    mutating func remember(
        _ node: NodeID, isDirect: Bool = true, at now: Instant, forgotten: inout [NodeID]
    ) -> Bool {
        if records[node] != nil {
            records[node]?.lastHeardAt = now
            if isDirect { records[node]?.lastSentAt = now }
            return true
        }
        if records.count >= Self.nodesMax {
            let oldest = records.filter { !$0.value.isLive }
                .min { ($0.value.lastHeardAt, $0.key) < ($1.value.lastHeardAt, $1.key) }
            guard let oldest else { return false }
            records[oldest.key] = nil
            forgotten.append(oldest.key)
        }
        records[node] = Record(
            lastStateAt: now, lastHeardAt: now, lastSentAt: isDirect ? now : .never)
        return true
    }

    /// Whether the node itself has sent something recently enough to name its changes to others.
    /// The time is shorter than `memoryMs`, so that the nodes do not remind each other for ever of
    /// one that is gone.
    func mayBeNamed(_ node: NodeID, at now: Instant) -> Bool {
        guard let sentAt = records[node]?.lastSentAt, sentAt != .never else { return false }
        return now.milliseconds(since: sentAt) < Self.memoryMs / 2
    }

    /// Keeps a known node in memory, because another node has named it.
    mutating func renew(_ node: NodeID, at now: Instant) { records[node]?.lastHeardAt = now }

    /// Applies a `leave`. Returns whether the node was live.
    mutating func leave(_ node: NodeID, at now: Instant) -> Bool {
        guard records[node] != nil else { return false }
        records[node]?.leftAt = now
        return lose(node)
    }

    /// Marks the nodes as lost of which no state has arrived in time, and returns them.
    mutating func expire(at now: Instant) -> [NodeID] {
        guard let deadline = nextDeadline, deadline <= now else { return [] }
        let lost = live.filter { node in
            records[node].map { Self.deadline(of: $0) <= now } ?? false
        }
        for node in lost { _ = lose(node) }
        return lost
    }

    /// Marks all nodes as lost, and returns those that were live.
    mutating func loseAll() -> [NodeID] {
        let lost = live
        for node in lost { _ = lose(node) }
        return lost
    }

    /// Forgets the nodes that have sent nothing for a minute, and returns them.
    mutating func forget(at now: Instant) -> [NodeID] {
        let forgotten = records.filter {
            !$0.value.isLive && now.milliseconds(since: $0.value.lastHeardAt) >= Self.memoryMs
        }
        for node in forgotten.keys { records[node] = nil }
        return forgotten.keys.sorted()
    }

    /// The earliest time at which the last state of a live node arrived.
    var oldestStateAt: Instant? {
        guard liveCount > 0 else { return nil }
        return records.values.lazy.filter { $0.isLive }.map { $0.lastStateAt }.min()
    }

    /// The time at which the next live node is lost, if no state of it arrives.
    var nextDeadline: Instant? {
        oldestStateAt?.advanced(byMilliseconds: Self.livenessMs)
    }

    private mutating func lose(_ node: NodeID) -> Bool {
        guard records[node]?.isLive == true else { return false }
        records[node]?.isLive = false
        liveCount -= 1
        return true
    }

    private static func deadline(of record: Record) -> Instant {
        record.lastStateAt.advanced(byMilliseconds: livenessMs)
    }
}
