import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Three nodes, a store that loses messages, falls silent and comes back empty, and clients that
/// resume one session from all snapshots that they ever had.
@Suite("The fence on an unreliable store")
struct FencePropertyTests {
    @Test("After healing, at most one node holds the session", arguments: 0..<300 as Range<UInt64>)
    func oneHolder(seed: UInt64) {
        var world = FencedNodes(seed: seed)
        world.run(untilMs: 30_000)
        world.settle()
        #expect(world.violations == [])
        #expect(world.holders.count <= 1)
    }

    @Test(
        "If no node ends the session, one node still holds it after healing",
        arguments: 0..<300 as Range<UInt64>)
    func holderRemains(seed: UInt64) {
        var world = FencedNodes(seed: seed, endsSessions: false)
        world.run(untilMs: 30_000)
        world.settle()
        #expect(world.holders.count == 1)
    }

    @Test("A session that was revoked while the store worked is never rebuilt again")
    func revoked() {
        for seed in 0..<50 as Range<UInt64> {
            var world = FencedNodes(seed: seed)
            world.run(untilMs: 5000)
            world.settle()
            guard world.revokeHolder() else { continue }
            world.resumeAll()
            #expect(world.holders.isEmpty)
        }
    }

    @Test("The same seed gives the same run")
    func deterministic() {
        let runs = (0..<2).map { _ in
            var world = FencedNodes(seed: 7)
            world.run(untilMs: 20_000)
            return world.nodes.map(\.fence.counters)
        }
        #expect(runs[0] == runs[1])
    }
}

/// Nodes with one session `s` and a store. Each message takes a random time.
struct FencedNodes {
    struct Node {
        var fence: SessionFence
        /// The session, if it is here.
        var session: SessionHead?
        var isConnected = true
        /// The claims that wait, with the time at which they began.
        var claims: [UInt64: (head: SessionHead, at: Instant)] = [:]
    }

    private enum Delivery: Sendable {
        case request(HeadStore.Message, from: Int)
        /// A write that was announced takes place.
        case write(HeadStore.Message, from: Int)
        case arrival(String, String, to: Int)
        /// The loop of the session handles an effect of the fence.
        case inspect(at: Int)
        case close(SessionHead, at: Int)
    }

    private(set) var nodes: [Node] = []
    private(set) var violations: [String] = []
    private var snapshots = [ResumeHistory([ResumeHistory.Step("first", 1)])]
    private var store = SimulatedStore()
    private var now = Instant.origin
    private var random: SeededRandom
    private var inFlight = DueQueue<NumberedDeadline<Delivery>>()
    private var serial: UInt64 = 0
    private var lastClaim: UInt64 = 0
    private var isStoreSilent = false
    private var isFaulty = true
    /// Whether a node may end the session, for example because its client does not return.
    private let endsSessions: Bool

    init(seed: UInt64, endsSessions: Bool = true) {
        self.endsSessions = endsSessions
        random = SeededRandom(seed: seed)
        for index in 0..<3 {
            let own = NodeID(bits: UInt64(index + 1))
            let store = HeadStore(cluster: "web", own: own, lifetimeMs: 60_000)
            nodes.append(Node(fence: SessionFence(own: own, store: store)))
            send(.connected, to: index)
        }
        nodes[0].session = SessionHead(snapshots[0], received: 1)
    }

    var holders: [Int] { nodes.indices.filter { nodes[$0].session != nil } }

    mutating func run(untilMs end: Double) {
        let end = now.advanced(byMilliseconds: end)
        var nextActionAt = now
        while now < end {
            nextActionAt = nextActionAt.advanced(byMilliseconds: Double(1 + random.below(200)))
            advance(to: nextActionAt)
            act()
        }
    }

    /// Ends all faults, and lets the nodes agree.
    mutating func settle() {
        isFaulty = false
        isStoreSilent = false
        for index in nodes.indices where !nodes[index].isConnected {
            nodes[index].isConnected = true
            send(.connected, to: index)
        }
        advance(to: now.advanced(byMilliseconds: 120_000.0))
    }

    /// The client of the session ends it. Returns false if no node holds it.
    mutating func revokeHolder() -> Bool {
        guard let holder = holders.first, let head = nodes[holder].session else { return false }
        nodes[holder].session = nil
        send(.ended(session: "s", line: head.line, revoking: head), to: holder)
        advance(to: now.advanced(byMilliseconds: 1000.0))
        return true
    }

    /// Clients present all snapshots at all nodes.
    mutating func resumeAll() {
        for snapshot in snapshots {
            for index in nodes.indices { resume(snapshot, at: index) }
            advance(to: now.advanced(byMilliseconds: 1000.0))
        }
    }

    // MARK: - Time and messages

    private mutating func advance(to end: Instant) {
        while true {
            var next = end
            for node in nodes { next = min(next, node.fence.nextDeadline ?? next) }
            next = min(next, inFlight.first?.deadline ?? next)
            now = max(now, next)
            guard next < end else { return }
            while let entry = inFlight.first, entry.deadline <= now {
                inFlight.removeFirst()
                deliver(entry.name)
            }
            for index in nodes.indices {
                if let time = nodes[index].fence.nextDeadline, time <= now {
                    send(.clockAdvanced, to: index)
                }
            }
        }
    }

    private mutating func post(_ delivery: Delivery) {
        let isSlow = isFaulty && random.once(in: 20)
        post(delivery, afterMs: 1 + random.below(isSlow ? 1500 : 5))
    }

    private mutating func post(_ delivery: Delivery, afterMs delay: Int) {
        serial += 1
        let delay = Double(delay)
        inFlight.insert(delivery, at: now.advanced(byMilliseconds: delay), serial: serial)
    }

    private mutating func deliver(_ delivery: Delivery) {
        let isLost = isFaulty && random.once(in: 30)
        switch delivery {
        case .request(let message, let sender):
            guard nodes[sender].isConnected, !isLost else { return }
            if message.expectedRevision != nil {
                // All subscribers receive a write, also one that the store refuses.
                for index in nodes.indices where index != sender {
                    post(.arrival(message.subject, "", to: index))
                }
            }
            guard !isStoreSilent else { return }
            if message.expectedRevision != nil {
                return post(.write(message, from: sender), afterMs: random.below(4))
            }
            post(.arrival(message.replySubject, store.handle(message), to: sender))
        case .write(let message, let sender):
            post(.arrival(message.replySubject, store.handle(message), to: sender))
        case .inspect(let index):
            send(.inspected(session: "s", nodes[index].session), to: index)
        case .close(let head, let index):
            guard let session = nodes[index].session, session.isUnchanged(since: head) else {
                return send(.inspected(session: "s", nodes[index].session), to: index)
            }
            nodes[index].session = nil
            send(.ended(session: "s", line: session.line, revoking: nil), to: index)
        case .arrival(let subject, let text, let index):
            guard nodes[index].isConnected, !isLost || subject.hasPrefix("$KV") else { return }
            guard let arrival = nodes[index].fence.store.arrival(on: subject) else { return }
            send(.received(arrival, Array(text.utf8)), to: index)
        }
    }

    private mutating func send(_ event: SessionFence.Event, to index: Int) {
        var effects: [SessionFence.Effect] = []
        nodes[index].fence.handle(event, at: now, into: &effects)
        for effect in effects {
            switch effect {
            case .send(let message): post(.request(message, from: index))
            case .answer(let number, let verdict): answer(number, verdict, at: index)
            case .inspect: post(.inspect(at: index), afterMs: 2)
            case .close(_, let head): post(.close(head, at: index), afterMs: 2)
            case .available, .unavailable: break
            }
        }
    }

    // MARK: - Sessions

    private mutating func act() {
        let index = random.below(nodes.count)
        switch random.below(10) {
        case 0..<5: resume(random.element(of: snapshots), at: index)
        case 5: confirm(at: index)
        case 6 where endsSessions && nodes[index].session != nil && random.once(in: 2):
            let line = nodes[index].session?.line ?? ""
            nodes[index].session = nil
            send(.ended(session: "s", line: line, revoking: nil), to: index)
        case 7:
            nodes[index].isConnected.toggle()
            send(nodes[index].isConnected ? .connected : .disconnected, to: index)
        case 8: isStoreSilent.toggle()
        case 9 where random.once(in: 6): store.restartEmpty()
        default: break
        }
    }

    /// The client has certainly received the last `welcome`, which a message or the time has shown.
    private mutating func confirm(at index: Int) {
        guard let session = nodes[index].session else { return }
        nodes[index].session = SessionHead(session.history, received: session.history.welcomes)
        if random.once(in: 2) { send(.confirmed(session: "s"), to: index) }
    }

    /// A client presents a snapshot with its token.
    private mutating func resume(_ snapshot: ResumeHistory, at index: Int) {
        if let session = nodes[index].session {
            let isLast = snapshot == session.history
            guard session.history.isSuperseded(by: snapshot, received: session.received) || isLast
            else { return }
            if isLast {
                var history = session.history
                history.recordWelcome()
                guard let head = SessionHead(history, received: session.history.welcomes) else {
                    return
                }
                nodes[index].session = head
                keep(history)
                return send(.resumed(session: "s", head, at: now), to: index)
            }
            let line = nodes[index].session?.line ?? ""
            nodes[index].session = nil
            send(.ended(session: "s", line: line, revoking: nil), to: index)
        }
        lastClaim += 1
        var history = snapshot.continued(as: "l\(lastClaim)")
        history.recordWelcome()
        guard let head = SessionHead(history, received: 0) else { return }
        nodes[index].claims[lastClaim] = (head, now)
        send(.claim(lastClaim, session: "s", head, askedAt: now), to: index)
    }

    private mutating func answer(_ number: UInt64, _ verdict: ClaimVerdict, at index: Int) {
        guard let claim = nodes[index].claims.removeValue(forKey: number) else {
            violations.append("claim \(number) was answered twice")
            return
        }
        if now.milliseconds(since: claim.at) > SessionFence.claimMs {
            violations.append("claim \(number) waited too long")
        }
        if verdict == .superseded || verdict == .revoked {
            send(.inspected(session: "s", nodes[index].session), to: index)
        }
        // A session with this name may be here by now.
        guard verdict == .fenced || verdict == .unfenced, nodes[index].session == nil else {
            return
        }
        nodes[index].session = claim.head
        keep(claim.head.history)
        send(.rebuilt(session: "s"), to: index)
    }

    private mutating func keep(_ snapshot: ResumeHistory) {
        if !snapshots.contains(snapshot) { snapshots.append(snapshot) }
        if snapshots.count > 12 { snapshots.removeFirst() }
    }
}
