import RefreshBroker
import RefreshProtocol

/// The bus of a simulated cluster. It carries messages between nodes, and stores only
/// the bucket of JetStream.
///
/// It delays, drops, duplicates and reorders messages. Its servers can be separated, so that the
/// nodes form groups, and single directions can be cut. It can disappear, and comes back without
/// any message.
final class SimulatedBus {
    /// The time after which all nodes know which nodes are live, if the bus works: 3.5 s until a
    /// silent node is lost, a second until the next state, and the times on the way.
    static let settlingMs = 6000.0

    let agenda: Agenda
    private let plan: ClusterPlan
    private var generator: SeededGenerator
    /// The nodes that have subscribed, by number.
    private(set) var nodes: [Int: SimulatedNode] = [:]
    private var lastArrivals: [Int: Instant] = [:]
    /// Records a message for people.
    var log: ((String) -> Void)?

    /// The group of the server of each place of a node; nodes of different groups receive nothing
    /// of each other. A place that is not included has the group 0.
    private(set) var groups: [Int: Int] = [:]
    /// The directions that are cut, each from one place to another one.
    private var cuts: Set<[Int]> = []
    /// The percentage of messages that are lost.
    private var lossPercent = 0
    private var isSlow = false
    private(set) var isGone = false
    /// The last moment at which the bus or its nodes changed.
    private(set) var changedAt = Instant.origin
    private(set) var messages = 0
    /// The bucket in which the nodes note who holds a session, and its server.
    var store: StoreServer
    /// Called when the store has lost its entries.
    var storeLost: () -> Void = {}

    init(_ plan: ClusterPlan, places: Int, agenda: Agenda, seed: UInt64) {
        self.plan = plan
        self.agenda = agenda
        generator = SeededGenerator(seed: seed, 16)
        store = StoreServer(plan.store, places: places, lane: agenda.newLane(), seed: seed)
    }

    /// Whether each message arrives within the usual delay, except between groups. All nodes are
    /// connected.
    var isCalm: Bool {
        cuts.isEmpty && lossPercent == 0 && !isSlow && !isGone
            && nodes.values.allSatisfy(\.isConnected)
    }

    /// Whether each message from one place to another one arrives within the usual delay.
    func isReliable(_ way: [Int]) -> Bool {
        !isGone && !isSlow && lossPercent == 0 && !cuts.contains(way)
            && Set(way.map { groups[$0, default: 0] }).count == 1
    }

    /// Whether the nodes of each group have known for some time which nodes are live.
    var isSettled: Bool {
        isCalm && agenda.now.milliseconds(since: changedAt) >= Self.settlingMs
    }

    /// Records that the nodes or the bus change now.
    func disturb() { changedAt = agenda.now }

    // MARK: Nodes

    func add(_ node: SimulatedNode) {
        nodes[node.number] = node
        disturb()
        connect(node)
    }

    func remove(_ node: SimulatedNode) {
        nodes[node.number] = nil
        disturb()
    }

    /// Connects a node after a pause, as a client of the bus does that has found a server.
    private func connect(_ node: SimulatedNode) {
        agenda.after(generator.milliseconds(1, 500)) { [self] in
            guard !isGone, nodes[node.number] != nil, !node.isConnected else { return }
            disturb()
            node.connect()
        }
    }

    /// Disconnects a node. It connects again after some milliseconds.
    private func interrupt(_ node: SimulatedNode, forMs milliseconds: Double) {
        disturb()
        node.disconnect()
        agenda.after(milliseconds) { [self] in connect(node) }
    }

    // MARK: Messages

    /// Counts a message, and returns whether its sender is connected.
    func accept(from sender: SimulatedNode) -> Bool {
        guard !isGone, nodes[sender.number] != nil, sender.isConnected else { return false }
        messages += 1
        return true
    }

    /// Publishes a message. `receiver` is the node whose subject it has; nil: all nodes.
    func publish(_ bytes: [UInt8], by sender: SimulatedNode, to receiver: UInt64?) {
        guard accept(from: sender) else { return }
        if let log {
            let target = receiver.map { String($0, radix: 16) } ?? "all"
            log("bus \(sender.number) > \(target) \(String(decoding: bytes, as: UTF8.self))")
        }
        for node in nodes.values.sorted(by: { $0.number < $1.number })
        where receiver.map({ $0 == node.id.bits }) ?? true {
            // A bus may return a message to its sender.
            if node === sender, !generator.chance(2) { continue }
            send(bytes, from: sender, to: node)
        }
    }

    private func send(_ bytes: [UInt8], from sender: SimulatedNode, to node: SimulatedNode) {
        let way = Way(from: .node(sender), to: .node(node))
        for (copy, due) in arrivals(on: way, &generator).enumerated() {
            let isRepeated = copy > 0 && plan.defect == .repeatsLoads
            let bytes = isRepeated ? Self.renumbered(bytes) : bytes
            deliver(to: node, at: due) { $0.receive(bytes) }
        }
    }

    /// Lets a node receive a message, if it is still connected by then.
    func deliver(
        to node: SimulatedNode, at due: Instant, _ receive: @escaping (SimulatedNode) -> Void
    ) {
        let connection = node.connections
        agenda.at(due, lane: node.lane) { [self] in
            guard !isGone, node.isConnected, node.connections == connection else { return }
            receive(node)
        }
    }

    /// The times at which a message that is sent now arrives: none if it is lost, two if it arrives
    /// twice.
    func arrivals(on way: Way, _ generator: inout SeededGenerator) -> [Instant] {
        let (from, to) = (way.from.place, way.to.place)
        guard groups[from, default: 0] == groups[to, default: 0], !cuts.contains([from, to]),
            !generator.chance(lossPercent)
        else { return [] }
        let copies = generator.chance(plan.duplicates) ? 2 : 1
        return (0..<copies).map { _ in
            let range = isSlow ? 20...1500 : plan.delay
            var due = agenda.now.advanced(
                byMilliseconds: generator.milliseconds(range.lowerBound, range.upperBound))
            if plan.isOrdered {
                due = max(due, lastArrivals[way.number] ?? due)
                lastArrivals[way.number] = due
            }
            return due
        }
    }

    /// What sends or receives messages.
    struct End {
        let number: Int
        let place: Int

        static func node(_ node: SimulatedNode) -> End {
            End(number: node.number, place: node.place)
        }

        static func store(at place: Int) -> End { End(number: 0, place: place) }
    }

    /// One direction between two ends.
    struct Way {
        let from: End
        let to: End

        var number: Int { from.number * 1000 + to.number }
    }

    /// A message that asks for the same load with another number.
    private static func renumbered(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(Array("\"type\":\"load\"".utf8)) else { return bytes }
        return bytes.replacing(
            Array("\"id\":".utf8), with: Array("\"id\":1000".utf8), maxReplacements: 1)
    }

    // MARK: Faults

    /// Lets one random fault begin, and end later. Returns its name.
    func fail(places: Int) -> String {
        disturb()
        store.changedAt = agenda.now
        switch generator.below(8) {
        case 0, 1:
            groups = Dictionary(
                uniqueKeysWithValues: (0..<places).map { ($0, generator.below(2)) })
            chooseLeader()
            endFault(generator.pick([1500, 5000, 14_000])) { $0.groups = [:] }
            return "partition"
        case 2:
            let place = generator.below(places)
            let others = (0..<places).filter { $0 != place && generator.chance(70) }
            let receives = generator.chance(50)
            cuts = Set(others.map { receives ? [place, $0] : [$0, place] })
            endFault(generator.milliseconds(500, 8000)) { $0.cuts = [] }
            return "one-way cut"
        case 3, 4:
            lossPercent = generator.pick([10, 40, 80])
            endFault(generator.milliseconds(500, 6000)) { $0.lossPercent = 0 }
            return "loss"
        case 5:
            isSlow = true
            endFault(generator.milliseconds(500, 6000)) { $0.isSlow = false }
            return "delay"
        case 6:
            let all = nodes.values.sorted { $0.number < $1.number }
            if let node = all.isEmpty ? nil : generator.pick(all) {
                interrupt(node, forMs: generator.milliseconds(200, 6000))
            }
            return "lost connection"
        default:
            disappear()
            return "restart"
        }
    }

    private func endFault(_ milliseconds: Double, _ end: @escaping (SimulatedBus) -> Void) {
        agenda.after(milliseconds) { [self] in
            disturb()
            store.changedAt = agenda.now
            end(self)
            chooseLeader()
        }
    }

    /// All servers of the bus end, and start again without any message. The nodes notice the end
    /// at different moments.
    private func disappear() {
        isGone = true
        for node in nodes.values.sorted(by: { $0.number < $1.number }) {
            agenda.after(generator.milliseconds(0, generator.chance(20) ? 4000 : 50)) { [self] in
                disturb()
                node.disconnect()
                connect(node)
            }
        }
        agenda.after(generator.milliseconds(300, 8000)) { [self] in restart() }
    }

    private func restart() {
        guard isGone else { return }
        isGone = false
        // The bucket is in memory.
        store.jetStream.restartEmpty()
        store.changedAt = agenda.now
        storeLost()
        disturb()
        for node in nodes.values.sorted(by: { $0.number < $1.number }) {
            node.disconnect()
            connect(node)
        }
    }

    /// Ends all faults. The nodes connect again.
    func heal() {
        groups = [:]
        cuts = []
        lossPercent = 0
        isSlow = false
        healStore()
        disturb()
        restart()
        for node in nodes.values.sorted(by: { $0.number < $1.number }) { connect(node) }
    }
}
