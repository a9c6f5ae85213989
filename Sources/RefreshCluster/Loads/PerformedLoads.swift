internal import RefreshBroker
internal import RefreshProtocol

/// The loads that this node performs for other nodes.
struct PerformedLoads: Sendable {
    /// The period in which the requesting node hears that its load is running. If the deadline is
    /// near, it hears it for the first time after an eighth of the time that is left.
    static let waitingMs = 250.0
    static let loadsMax = 10_000

    /// What a request to perform a load means.
    enum Start: Equatable {
        case started
        /// The load is running or has ended. The bus has delivered the message twice, or after the
        /// cancellation of the load.
        case repeated
        case tooMany
    }

    private var deadlines: [RemoteLoadID: Instant] = [:]
    private var ended: [NodeID: EndedLoads] = [:]
    private var dues = DueQueue<NumberedDeadline<RemoteLoadID>>()
    private var serial: UInt64 = 0

    var count: Int { deadlines.count }

    /// The number of loads of a node.
    func count(of node: NodeID) -> Int { deadlines.keys.count { $0.node == node } }

    mutating func start(_ id: RemoteLoadID, deadline: Instant, at now: Instant) -> Start {
        guard deadlines[id] == nil, ended[id.node]?.contains(id.number) != true else {
            return .repeated
        }
        guard deadlines.count < Self.loadsMax else {
            refuse(id)
            return .tooMany
        }
        deadlines[id] = deadline
        scheduleReport(of: id, after: max(1, deadline.milliseconds(since: now) / 8), at: now)
        return .started
    }

    /// Records that a load was refused.
    mutating func refuse(_ id: RemoteLoadID) {
        ended[id.node, default: EndedLoads()].insert(id.number)
    }

    func isRunning(_ id: RemoteLoadID) -> Bool { deadlines[id] != nil }

    /// Ends a load. Returns false if it was not running.
    mutating func end(_ id: RemoteLoadID) -> Bool {
        guard deadlines.removeValue(forKey: id) != nil else { return false }
        ended[id.node, default: EndedLoads()].insert(id.number)
        return true
    }

    /// Cancels a load. If the load arrives later than its cancellation, it is not started. Returns
    /// whether it was running.
    mutating func cancel(_ id: RemoteLoadID) -> Bool {
        ended[id.node, default: EndedLoads()].insert(id.number)
        return deadlines.removeValue(forKey: id) != nil
    }

    /// Cancels the loads of a node and returns those that were running.
    mutating func cancelAll(of node: NodeID) -> [RemoteLoadID] {
        let running = deadlines.keys.filter { $0.node == node }.sorted { $0.number < $1.number }
        for id in running { _ = end(id) }
        return running
    }

    /// Returns the loads of which the requesting nodes must hear now, and ends the loads whose
    /// deadline has passed.
    mutating func removeDue(
        at now: Instant
    ) -> (running: [RemoteLoadID], expired: [RemoteLoadID]) {
        var running: [RemoteLoadID] = []
        var expired: [RemoteLoadID] = []
        while let due = dues.nextDeadline, due <= now, let entry = dues.first {
            dues.removeFirst()
            guard let deadline = deadlines[entry.name] else { continue }
            if deadline <= now {
                _ = end(entry.name)
                expired.append(entry.name)
            } else {
                running.append(entry.name)
                scheduleReport(of: entry.name, after: Self.waitingMs, at: now)
            }
        }
        return (running, expired)
    }

    /// The time at which `removeDue` must be called.
    var nextDeadline: Instant? { dues.nextDeadline }

    /// Forgets the ended loads of a node.
    mutating func forget(_ node: NodeID) { ended[node] = nil }

    private mutating func scheduleReport(
        of id: RemoteLoadID, after milliseconds: Double, at now: Instant
    ) {
        serial += 1
        let report = now.advanced(byMilliseconds: min(Self.waitingMs, milliseconds))
        dues.insert(id, at: min(report, deadlines[id] ?? report), serial: serial)
    }
}

/// The numbers of the last loads of a node that have ended. A load with a much lower number counts
/// as ended too, so the memory is bounded.
struct EndedLoads: Sendable {
    static let countMax = 512

    /// All numbers up to this one have ended.
    private var floor: UInt64 = 0
    private var numbers: Set<UInt64> = []

    func contains(_ number: UInt64) -> Bool { number <= floor || numbers.contains(number) }

    mutating func insert(_ number: UInt64) {
        guard number > floor else { return }
        numbers.insert(number)
        guard numbers.count > Self.countMax else { return }
        let ascending = numbers.sorted()
        let half = ascending.count / 2
        floor = ascending[half - 1]
        numbers = Set(ascending[half...])
    }
}
