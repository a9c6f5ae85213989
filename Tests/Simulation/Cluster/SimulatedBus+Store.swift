import RefreshCluster
import RefreshProtocol

/// The servers of the bus that have the bucket of the sessions.
///
/// With one replica, the server of one place has the bucket. With several ones, the servers of all
/// places have it, and the server of one place, the leader, answers. A leader needs more than half
/// of the servers. After a leader is lost, it takes some seconds until another one answers.
struct StoreServer {
    let places: Int
    let lane: Int
    var jetStream: SimulatedJetStream
    var generator: SeededGenerator
    /// The place of the server that answers.
    var leader: Int
    /// The time until which no server answers.
    var isSilentUntil = Instant.origin
    /// Whether a server without a leader says so. Otherwise it is silent.
    var isRefusing = false
    /// The last moment at which a fault of the bucket, its leader or the bus began or ended.
    var changedAt = Instant(milliseconds: -SimulatedBus.storeSettlingMs)

    /// `places`: the number of the bus's servers.
    init(_ plan: StorePlan, places: Int, lane: Int, seed: UInt64) {
        self.places = places
        self.lane = lane
        generator = SeededGenerator(seed: seed, 17)
        jetStream = SimulatedJetStream(replicasMax: plan.isReplicated && places >= 3 ? 3 : 1)
        leader = generator.below(places)
    }

    var isReplicated: Bool { jetStream.replicasMax > 1 }
}

// The store of the sessions.
extension SimulatedBus {
    /// The time after which each node uses the store, if the store and the bus work: the longest
    /// pause between two requests of a node that has not reached the store for some time.
    static let storeSettlingMs = 20_000.0

    /// Whether each node has been able to use the store for some time.
    var isFencing: Bool {
        isSettled && !isSeparated && agenda.now >= store.isSilentUntil
            && agenda.now.milliseconds(since: store.changedAt) >= Self.storeSettlingMs
    }

    /// Whether the requests of a node reach the store, and the answers arrive in time.
    func reachesStore(_ node: SimulatedNode) -> Bool {
        node.isConnected && isReliable([node.place, store.leader])
            && isReliable([store.leader, node.place]) && agenda.now >= store.isSilentUntil
    }

    private var isSeparated: Bool { Set(groups.values).count > 1 }

    /// Sends a message of a node to the store. All nodes receive a write, even if the store does
    /// not accept it.
    func request(_ message: HeadStore.Message, by sender: SimulatedNode) {
        guard accept(from: sender) else { return }
        record("bus \(sender.number) > \(message.subject)", message.bytes)
        if message.expectedRevision != nil { announce(message, by: sender) }
        guard groups[sender.place, default: 0] == groups[store.leader, default: 0] else {
            // The servers of this group have no leader, or none of them has JetStream.
            return answerWithoutLeader(message, to: sender)
        }
        let leader = store.leader
        let way = Way(from: .node(sender), to: .store(at: leader))
        for due in arrivals(on: way, &store.generator) {
            agenda.at(due, lane: store.lane) { [self] in
                guard !isGone, store.leader == leader else { return }
                guard agenda.now >= store.isSilentUntil else {
                    return answerWithoutLeader(message, to: sender)
                }
                guard let answer = store.jetStream.handle(message) else { return }
                reply(answer, to: message, of: sender, from: leader)
            }
        }
    }

    private func record(_ way: String, _ bytes: [UInt8]) {
        log?("\(way) \(String(decoding: bytes, as: UTF8.self))")
    }

    /// Delivers a write to all nodes, because they subscribe to all entries.
    private func announce(_ message: HeadStore.Message, by sender: SimulatedNode) {
        for node in nodes.values.sorted(by: { $0.number < $1.number }) {
            // A bus may return a message to its sender.
            if node === sender, !store.generator.chance(2) { continue }
            let way = Way(from: .node(sender), to: .node(node))
            for due in arrivals(on: way, &store.generator) {
                deliver(to: node, at: due) { $0.receive(message.bytes, on: message.subject) }
            }
        }
    }

    private func answerWithoutLeader(_ message: HeadStore.Message, to sender: SimulatedNode) {
        guard store.isRefusing else { return }
        reply(
            store.generator.chance(50) ? [] : SimulatedJetStream.unavailable, to: message,
            of: sender, from: sender.place)
    }

    private func reply(
        _ answer: [UInt8], to message: HeadStore.Message, of sender: SimulatedNode,
        from place: Int
    ) {
        record("bus \(sender.number) < \(message.replySubject)", answer)
        let way = Way(from: .store(at: place), to: .node(sender))
        for due in arrivals(on: way, &store.generator) {
            deliver(to: sender, at: due) { $0.receive(answer, on: message.replySubject) }
        }
    }

    // MARK: Faults

    /// Lets one random fault of the store begin. Returns its name.
    func failStore() -> String {
        store.changedAt = agenda.now
        store.isRefusing = store.generator.chance(50)
        switch store.generator.below(4) {
        case 0:
            store.jetStream.restartEmpty()
            storeLost()
            return "lost bucket"
        case 1:
            store.jetStream.loseEntries()
            storeLost()
            return "lost entries"
        default:
            loseLeader()
            return "lost leader"
        }
    }

    private func loseLeader() {
        store.changedAt = agenda.now
        store.isSilentUntil = agenda.now.advanced(
            byMilliseconds: store.generator.milliseconds(200, 8000))
    }

    /// Chooses another leader, if the present one does not reach more than half of the servers. If
    /// no group of servers is large enough, none of them answers until the groups change.
    func chooseLeader() {
        guard store.isReplicated else { return }
        store.isRefusing = store.generator.chance(50)
        let members = Dictionary(grouping: 0..<store.places) { groups[$0, default: 0] }
        guard let majority = members.values.first(where: { 2 * $0.count > store.places }) else {
            store.changedAt = agenda.now
            store.isSilentUntil = .never
            return
        }
        guard !majority.contains(store.leader) || store.isSilentUntil == .never else { return }
        store.leader = store.generator.pick(majority)
        loseLeader()
    }

    /// Ends all faults of the store.
    func healStore() {
        store.changedAt = agenda.now
        store.isSilentUntil = agenda.now
    }
}
