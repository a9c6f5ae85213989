internal import RefreshBroker
internal import RefreshProtocol

/// The counts of the other nodes, and the pace at which this node publishes its own.
///
/// The last counts of a node replace its earlier ones, so each node is in a sum once. Counts of a
/// node that is silent for 12 s are not added any more.
struct CountGossip: Sendable {
    /// The time after which counts are published that have not changed.
    static let repetitionMs = 5000.0
    /// The age up to which the counts of another node are valid. One lost message has no effect.
    static let lifetimeMs = 12_000.0
    /// The maximum number of addresses whose handshakes are remembered until they are applied.
    static let handshakeKeysMax = 16_384

    private struct Record {
        /// The number of the last message.
        var number: UInt64
        var counts: NodeCounts
        var arrivedAt: Instant
    }

    private var records: [NodeID: Record] = [:]
    /// The handshakes of other nodes that `removeHandshakes` has not returned.
    private var handshakes: [CountKey: Int] = [:]
    /// The sum of the records; nil if a record has changed after it was computed.
    private var sum: NodeCounts?

    /// The sessions and connections that were published last.
    private var published = NodeCounts()
    private var publishedAt: Instant?
    private var lastNumber: UInt64 = 0
    /// Whether a node may not know the last published counts.
    private var isRepetitionDue = false

    // MARK: - Other nodes

    /// Applies the counts of a live node. Returns false if a later message of the node has arrived.
    mutating func receive(
        _ counts: NodeCounts, number: UInt64, from node: NodeID, at now: Instant
    ) -> Bool {
        guard records[node].map({ number > $0.number }) ?? true else { return false }
        for (key, count) in counts.handshakes {
            let known = handshakes[key]
            guard known != nil || handshakes.count < Self.handshakeKeysMax else { continue }
            handshakes[key] = min((known ?? 0) + count, BusMessageLimits.countMax)
        }
        var kept = counts
        kept.handshakes = [:]
        records[node] = Record(number: number, counts: kept, arrivedAt: now)
        sum = nil
        return true
    }

    /// Ends the counting of a node that is not live any more. Its last number stays known.
    mutating func clear(_ node: NodeID) {
        guard records[node]?.counts.isEmpty == false else { return }
        records[node]?.counts = NodeCounts()
        sum = nil
    }

    /// Forgets a node.
    mutating func forget(_ node: NodeID) {
        clear(node)
        records[node] = nil
    }

    /// The sums of the sessions and connections of the other nodes.
    mutating func others(at now: Instant) -> NodeCounts {
        for (node, record) in records
        where now.milliseconds(since: record.arrivedAt) >= Self.lifetimeMs { clear(node) }
        if let sum { return sum }
        var sum = NodeCounts()
        for record in records.values { sum.add(record.counts) }
        self.sum = sum
        return sum
    }

    /// Returns the handshakes at other nodes that were reported since the previous call.
    mutating func removeHandshakes() -> [CountKey: Int] {
        defer { handshakes = [:] }
        return handshakes
    }

    // MARK: - This node

    /// Makes the next call of `publication` return the counts even if they have not changed.
    mutating func repeatSoon() { isRepetitionDue = true }

    /// Returns the number under which the node's counts must be published now; nil if there is
    /// nothing to publish.
    mutating func publication(of own: NodeCounts, at now: Instant) -> UInt64? {
        var steady = own
        steady.handshakes = [:]
        let isOld = publishedAt.map { now.milliseconds(since: $0) >= Self.repetitionMs } ?? true
        let repeats = (isOld || isRepetitionDue) && !steady.isEmpty
        isRepetitionDue = false
        guard repeats || steady != published || !own.handshakes.isEmpty else { return nil }
        published = steady
        publishedAt = now
        lastNumber += 1
        return lastNumber
    }
}
