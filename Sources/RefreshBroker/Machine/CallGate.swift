/// How many calls of a backend run at one time, and who waits for one: first come, first served.
/// Source: docs/backends.md, "Calls at one time".
struct CallGate: Sendable {
    private(set) var callsMax: Int
    private(set) var queueMax: Int
    /// Calls that have not returned.
    private(set) var running = 0
    private var waiting: Set<UInt64> = []
    /// Those of `waiting` from `next` on, and loads that left it.
    private var order: [UInt64] = []
    private var next = 0

    init(callsMax: Int, queueMax: Int) {
        self.callsMax = max(1, callsMax)
        self.queueMax = max(0, queueMax)
    }

    init(_ policy: BackendPolicy) { self.init(callsMax: policy.calls, queueMax: policy.queue) }

    /// Other bounds hold; what runs and waits beyond them does so to its end.
    mutating func adopt(_ policy: BackendPolicy) {
        callsMax = max(1, policy.calls)
        queueMax = max(0, policy.queue)
    }

    var hasRoom: Bool { running < callsMax }
    var queued: Int { waiting.count }

    mutating func callBegan() { running += 1 }

    mutating func callEnded() { running = max(0, running - 1) }

    /// Puts a load at the end of the queue; false: it is full. Never the same load twice at a time.
    mutating func enqueue(_ load: UInt64) -> Bool {
        guard waiting.count < queueMax else { return false }
        waiting.insert(load)
        order.append(load)
        return true
    }

    /// Takes a load out of the queue, wherever it stands; it must not come again.
    mutating func leave(_ load: UInt64) {
        guard waiting.remove(load) != nil else { return }
        if order.count - next > 2 * waiting.count + 16 { tidy() }
    }

    /// Takes the first of the queue out.
    mutating func dequeue() -> UInt64? {
        while next < order.count {
            let load = order[next]
            next += 1
            guard waiting.remove(load) != nil else { continue }
            if next > order.count / 2 + 16 { tidy() }
            return load
        }
        order.removeAll(keepingCapacity: true)
        next = 0
        return nil
    }

    private mutating func tidy() {
        order.removeFirst(next)
        next = 0
        order.removeAll { !waiting.contains($0) }
    }
}
