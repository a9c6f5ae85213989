internal import RefreshBroker
internal import RefreshProtocol

/// The loads that this node has asked other nodes to perform, and whose last event has not arrived.
///
/// Each ask has a number of its own. So an answer to an earlier ask of the same call is recognized
/// as late.
struct OpenAsks: Sendable {
    /// An ask as it is known at its owner.
    struct Ask: Equatable {
        var node: NodeID
        var number: UInt64
    }

    private struct Entry {
        var call: CallID
        var node: NodeID
        var deadline: Instant
    }

    private var entries: [UInt64: Entry] = [:]
    private var numbers: [CallID: UInt64] = [:]
    private var lastNumber: UInt64 = 0

    var count: Int { entries.count }

    /// The number of asks at a node.
    func count(at node: NodeID) -> Int { entries.values.count { $0.node == node } }

    /// Opens an ask and returns its number.
    mutating func open(_ call: CallID, at node: NodeID, deadline: Instant) -> UInt64 {
        lastNumber += 1
        entries[lastNumber] = Entry(call: call, node: node, deadline: deadline)
        numbers[call] = lastNumber
        return lastNumber
    }

    /// Returns the call of which `node` reports an event. Returns nil if the ask is not open, or if
    /// another node was asked. The last event closes the ask.
    mutating func receive(number: UInt64, from node: NodeID, isLast: Bool) -> CallID? {
        guard let entry = entries[number], entry.node == node else { return nil }
        if isLast { close(number) }
        return entry.call
    }

    /// Closes the ask of a call. Returns nil if none is open, or if it is at another node than
    /// `node`. If `node` is nil, the node does not matter.
    mutating func withdraw(_ call: CallID, from node: NodeID? = nil) -> Ask? {
        guard let number = numbers[call], let entry = entries[number],
            node == nil || node == entry.node
        else { return nil }
        close(number)
        return Ask(node: entry.node, number: number)
    }

    /// Closes the asks at a node, and returns them.
    mutating func closeAll(at node: NodeID) -> [Ask] { closeAll { $0.node == node } }

    /// Closes the asks whose deadline has passed, and returns them.
    mutating func expire(at now: Instant) -> [Ask] { closeAll { $0.deadline <= now } }

    private mutating func closeAll(where isOver: (Entry) -> Bool) -> [Ask] {
        let asks = entries.filter { isOver($0.value) }
            .map { Ask(node: $0.value.node, number: $0.key) }
            .sorted { $0.number < $1.number }
        for ask in asks { close(ask.number) }
        return asks
    }

    private mutating func close(_ number: UInt64) {
        guard let entry = entries.removeValue(forKey: number) else { return }
        if numbers[entry.call] == number { numbers[entry.call] = nil }
    }
}
