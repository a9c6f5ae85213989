import RefreshBroker
import RefreshProtocol

@testable import RefreshCluster

/// Some nodes on a bus that delays, drops, duplicates, reorders and separates. The same seed gives
/// the same run.
struct SimulatedCluster {
    struct Faults {
        var delayMs = 1.0...5.0
        /// One message in so many is lost; 0: none.
        var dropsOneIn = 0
        /// One message in so many arrives twice; 0: none.
        var duplicatesOneIn = 0
        /// Nodes are separated, lose the bus, or crash and start again.
        var hasOutages = false
        /// Garbage and messages of nodes that do not exist are on the bus.
        var hasGarbage = false
    }

    struct Node {
        var machine: ClusterMachine
        let id: NodeID
        var broker = SimulatedBroker()
        var isConnected = false
        let startedAt: Instant
        /// The number of changes of each feed that were applied because of other nodes.
        var applied: [String: Int] = [:]
        /// The last time at which each feed has changed for this node.
        var changedAt: [String: Instant] = [:]
        /// The last time at which a change of each feed was reported here.
        var reportedAt: [String: Instant] = [:]
        /// The number of changes of each feed that were reported here.
        var reported: [String: Int] = [:]
        /// The number of messages about changes of each feed.
        var published: [String: Int] = [:]
        /// The last counts of the other nodes.
        var counts = ClusterCounts()
        /// The sessions that the node has for the subject of its own.
        var sessions = 10
    }

    private struct Delivery: Sendable {
        let bytes: [UInt8]
        let node: NodeID
    }

    static let feeds: Set<String> = ["news", "mail", "shop"]
    /// The key of an address with one connection at each node.
    static let sharedAddress = CountKey(bits: 0)

    private(set) var now = Instant.origin
    private(set) var nodes: [Node] = []
    var faults: Faults
    private var random: SeededRandom
    private let hadGarbage: Bool
    private var countRandom: SeededRandom
    private var nextCountsAt = Instant.origin
    /// The numbers of sessions that each node has had for the subject of its own.
    private var ownSessions: [NodeID: Set<Int>] = [:]
    /// What was wrong with the counts that nodes have received.
    private(set) var countViolations: [String] = []
    private var inFlight = DueQueue<NumberedDeadline<Delivery>>()
    private var serial: UInt64 = 0
    private var nextActionAt = Instant.origin
    /// The group of each node; nodes of different groups do not hear each other.
    private var groups: [NodeID: Int] = [:]

    init(nodes count: Int, _ faults: Faults, seed: UInt64, _ test: String) {
        self.faults = faults
        hadGarbage = faults.hasGarbage
        random = SeededRandom(test, seed: seed)
        countRandom = SeededRandom(seed: ~seed)
        for index in 0..<count { start(at: index) }
    }

    // MARK: - Time

    /// Runs to a time, with random actions of sessions and operators.
    mutating func run(untilMs end: Double) { run(until: .ms(end), acting: true) }

    /// Ends all faults, and runs for so long without actions that nothing is left to happen.
    mutating func settle() {
        faults = Faults()
        groups = [:]
        for index in nodes.indices where !nodes[index].isConnected {
            nodes[index].isConnected = true
            send(.connected, to: index)
        }
        run(until: now.advanced(byMilliseconds: 15_000.0), acting: false)
    }

    private mutating func run(until end: Instant, acting: Bool) {
        while true {
            var next = acting ? nextActionAt : end
            for index in nodes.indices {
                next = min(next, nodes[index].machine.nextDeadline ?? next)
                next = min(next, nodes[index].broker.nextDeadline ?? next)
            }
            next = min(next, nextCountsAt, inFlight.first?.deadline ?? next)
            guard next < end else { break }
            now = max(now, next)
            deliverDue()
            for index in nodes.indices {
                if let time = nodes[index].machine.nextDeadline, time <= now {
                    send(.clockAdvanced, to: index)
                }
                for event in nodes[index].broker.removeDue(at: now, &random) {
                    send(event, to: index)
                }
            }
            if nextCountsAt <= now { count(acting: acting) }
            if acting, nextActionAt <= now { act() }
        }
        now = end
    }

    // MARK: - Nodes

    private mutating func start(at index: Int) {
        let id = NodeID(bits: random.next())
        var node = Node(
            machine: ClusterMachine(own: id, name: "n", version: "1", seed: random.next()), id: id,
            startedAt: now)
        node.isConnected = true
        if index < nodes.count { nodes[index] = node } else { nodes.append(node) }
        send(.feeds(Self.feeds), to: index)
        send(.connected, to: index)
    }

    private mutating func send(_ event: ClusterMachine.Event, to index: Int) {
        var effects: [ClusterMachine.Effect] = []
        nodes[index].machine.handle(event, at: now, into: &effects)
        for effect in effects { perform(effect, of: index) }
    }

    private mutating func perform(_ effect: ClusterMachine.Effect, of index: Int) {
        switch effect {
        case .publishToAll(let bytes):
            if case .changed(let change, _)? = (try? BusMessage(reading: bytes))?.content {
                nodes[index].published[change.feed, default: 0] += 1
            }
            for node in nodes { post(bytes, from: nodes[index].id, to: node.id) }
        case .publish(let bytes, let node): post(bytes, from: nodes[index].id, to: node)
        case .startLoad(_, let load, _):
            let end = now.advanced(byMilliseconds: Double(1 + random.below(2500)))
            nodes[index].broker.perform(load, until: end)
        case .cancelLoad(let load): nodes[index].broker.cancel(load)
        case .ownerEvent(let event, let call):
            nodes[index].broker.receive(event, of: call, at: now)
        case .ownersChanged(let owners): nodes[index].broker.apply(owners)
        case .feedChanged(let change):
            nodes[index].applied[change.feed, default: 0] += 1
            nodes[index].changedAt[change.feed] = now
        case .pagesOutdated, .viewsOutdated, .listSessions, .listEnded, .beginWatch, .endWatch,
            .collectEvents, .eventsReceived:
            break
        case .countsChanged(let counts):
            nodes[index].counts = counts
            check(counts, of: nodes[index].id)
        }
    }

    // MARK: - Counts

    /// Each node counts its clients: some sessions of a subject of its own, one connection of the
    /// shared address, and one handshake.
    private mutating func count(acting: Bool) {
        nextCountsAt = now.advanced(byMilliseconds: 1000.0)
        for index in nodes.indices {
            if acting { nodes[index].sessions = 10 + countRandom.below(10) }
            let (id, sessions) = (nodes[index].id, nodes[index].sessions)
            ownSessions[id, default: []].insert(sessions)
            var counts = NodeCounts()
            counts.sessions = [CountKey(bits: id.bits): sessions]
            counts.connections = [Self.sharedAddress: 1]
            if acting { counts.handshakes = [Self.sharedAddress: 1] }
            send(.counts(counts), to: index)
        }
    }

    /// A count that was added twice would be at least 20, and the shared address would have more
    /// connections than there are nodes with sessions.
    private mutating func check(_ counts: ClusterCounts, of node: NodeID) {
        guard !hadGarbage else { return }
        for (key, sessions) in counts.others.sessions {
            let other = NodeID(bits: key.bits)
            if other == node || ownSessions[other]?.contains(sessions) != true {
                countViolations.append("\(sessions) sessions of \(other.text)")
            }
        }
        let connections = counts.others.connections[Self.sharedAddress] ?? 0
        if connections != counts.others.sessions.count {
            countViolations.append("\(connections) connections of the shared address")
        }
    }

    // MARK: - The bus

    private mutating func post(_ bytes: [UInt8], from sender: NodeID, to receiver: NodeID) {
        guard groups[sender, default: 0] == groups[receiver, default: 0] else { return }
        if faults.dropsOneIn > 0, random.once(in: faults.dropsOneIn), sender != receiver { return }
        var copies = 1
        if faults.duplicatesOneIn > 0, random.once(in: faults.duplicatesOneIn) { copies = 2 }
        for _ in 0..<copies {
            serial += 1
            let range = faults.delayMs
            let delay =
                range.lowerBound
                + random.next().fraction * (range.upperBound - range.lowerBound)
            inFlight.insert(
                Delivery(bytes: bytes, node: receiver), at: now.advanced(byMilliseconds: delay),
                serial: serial)
        }
    }

    private mutating func deliverDue() {
        while let entry = inFlight.first, entry.deadline <= now {
            inFlight.removeFirst()
            let delivery = entry.name
            guard let index = nodes.firstIndex(where: { $0.id == delivery.node }),
                nodes[index].isConnected
            else { continue }
            send(.received(delivery.bytes), to: index)
        }
    }

    // MARK: - Actions

    private mutating func act() {
        nextActionAt = now.advanced(byMilliseconds: Double(1 + random.below(60)))
        let index = random.below(nodes.count)
        switch random.below(24) {
        case 0..<6: report(at: index)
        case 6..<18: ask(at: index)
        case 18, 19:
            if let event = nodes[index].broker.withdrawAny(&random) { send(event, to: index) }
        case 20:
            let workers = random.once(in: 2) ? ["news"] : []
            send(.census(sessions: random.below(9), workers: workers), to: index)
        default:
            if faults.hasGarbage { addGarbage() }
            if faults.hasOutages, random.once(in: 12) { causeOutage(at: index) }
        }
    }

    private mutating func report(at index: Int) {
        let feed = random.element(of: Self.feeds.sorted())
        nodes[index].reported[feed, default: 0] += 1
        nodes[index].reportedAt[feed] = now
        nodes[index].changedAt[feed] = now
        send(.changed(FeedChange(feed, count: NewerCount(1))), to: index)
    }

    private mutating func ask(at index: Int) {
        let feed = random.element(of: Self.feeds.sorted())
        let deadlineMs = Double(500 + random.below(8000))
        let request = LoadRequest.page(random.below(40), of: feed)
        let event = nodes[index].broker.ask(request, deadlineMs: deadlineMs, at: now)
        if let event { send(event, to: index) }
    }

    private mutating func addGarbage() {
        let ghost = NodeID(bits: UInt64(random.below(4)))
        let content = random.element(of: MessageSamples.contents)
        var bytes = BusMessage(from: ghost, content).bytes ?? []
        if random.once(in: 2) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
        // Each node receives it, whatever the partition of the bus.
        for node in nodes { post(bytes, from: node.id, to: node.id) }
    }

    private mutating func causeOutage(at index: Int) {
        switch random.below(4) {
        case 0:
            // A partition of the bus that no node hears of, or its end.
            groups =
                groups.isEmpty
                ? Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, random.below(2)) }) : [:]
        case 1, 2:
            let isConnected = !nodes[index].isConnected
            nodes[index].isConnected = isConnected
            send(isConnected ? .connected : .disconnected, to: index)
        default:
            if random.once(in: 3) { send(.stopped, to: index) }
            start(at: index)
        }
    }
}
