/// The limit of concurrent calls of a backend, and the FIFO queue of loads that wait for a call.
/// Source: docs/backends.md, "Calls at one time".
struct CallGate: Sendable {
    private(set) var callsMax: Int
    private(set) var queueMax: Int
    /// The number of calls that have not returned.
    private(set) var running = 0
    private var waiting: Set<UInt64> = []
    /// The queued loads in order. Entries before the index `next`, and loads that are absent from
    /// `waiting`, have left the queue.
    private var order: [UInt64] = []
    private var next = 0

    init(callsMax: Int, queueMax: Int) {
        self.callsMax = max(1, callsMax)
        self.queueMax = max(0, queueMax)
    }

    init(_ policy: BackendPolicy) { self.init(callsMax: policy.calls, queueMax: policy.queue) }

    /// Applies new limits. Running calls and queued loads are kept, even if there are more of them
    /// than the new limits allow.
    mutating func apply(_ policy: BackendPolicy) {
        callsMax = max(1, policy.calls)
        queueMax = max(0, policy.queue)
    }

    var hasCapacity: Bool { running < callsMax }
    var queued: Int { waiting.count }

    mutating func recordCallStart() { running += 1 }

    mutating func recordCallEnd() { running = max(0, running - 1) }

    /// Appends a load to the queue. Returns false if the queue is full. A load must not be queued
    /// twice at the same time.
    mutating func enqueue(_ load: UInt64) -> Bool {
        guard waiting.count < queueMax else { return false }
        waiting.insert(load)
        order.append(load)
        return true
    }

    /// Removes a load from the queue, at any position. The caller must not queue this load again.
    mutating func remove(_ load: UInt64) {
        guard waiting.remove(load) != nil else { return }
        if order.count - next > 2 * waiting.count + 16 { compact() }
    }

    /// Removes and returns the first load of the queue.
    mutating func dequeue() -> UInt64? {
        while next < order.count {
            let load = order[next]
            next += 1
            guard waiting.remove(load) != nil else { continue }
            if next > order.count / 2 + 16 { compact() }
            return load
        }
        order.removeAll(keepingCapacity: true)
        next = 0
        return nil
    }

    private mutating func compact() {
        order.removeFirst(next)
        next = 0
        order.removeAll { !waiting.contains($0) }
    }
}
