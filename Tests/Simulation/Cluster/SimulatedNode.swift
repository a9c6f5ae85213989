import RefreshBroker
import RefreshCluster
import RefreshProtocol
import RefreshServer

/// A daemon's part in a simulated cluster: the production state machines, with a simulated
/// mailbox and the simulated bus. It does what `ClusterLoop` does.
///
/// `@unchecked Sendable`: a world runs on one thread.
final class SimulatedNode: ClusterLink, @unchecked Sendable {
    private static let censusMs = 1000.0

    /// The number of the daemon in the world.
    let number: Int
    /// The place of the daemon among the daemons of the world. A replaced daemon and its successor
    /// have the same place.
    let place: Int
    let id: NodeID
    let lane: Int
    /// The version of the node's messages.
    let version: Int
    let agenda: Agenda
    let bus: SimulatedBus
    let defect: ClusterDefect?
    private var generator: SeededGenerator
    private var machine: ClusterMachine
    private weak var broker: SimulatedBroker?
    /// Notifies the views of a change that another node has reported.
    private let notify: (FeedChange) -> Void
    private let countSessions: () -> Int
    /// Nil if the node claims no sessions.
    var fence: SessionFence?
    /// The daemon's sessions that other nodes can claim.
    let fencedSessions: LoopDirectory?
    /// The answers to the claims that wait, by the number of the claim.
    var claims: [UInt64: (ClaimVerdict) -> Void] = [:]
    var lastClaim: UInt64 = 0
    /// Receives the session of each claim with the answer and the time until it, in milliseconds.
    let record: (String, ClaimVerdict, Double) -> Void
    /// Called when the node loses the bus.
    var busLost: (() -> Void)?
    private(set) var isConnected = false
    /// The number of connections to the bus so far.
    private(set) var connections = 0
    private var lastPost = Instant.origin
    private var wakes: Instant?
    private(set) var isEnded = false
    /// The loads that the node has asked others to perform, for `mixesAnswers` and `failsLoads`.
    private var asked: [CallID] = []

    init(
        number: Int, place: Int, version: Int, agenda: Agenda, bus: SimulatedBus,
        broker: SimulatedBroker, feeds: [String], seed: SeededGenerator, defect: ClusterDefect?,
        notify: @escaping (FeedChange) -> Void, reader: ChangeReader?,
        countSessions: @escaping () -> Int,
        fencedSessions: LoopDirectory?, record: @escaping (String, ClaimVerdict, Double) -> Void
    ) {
        self.number = number
        self.place = place
        self.version = version
        self.agenda = agenda
        self.bus = bus
        self.broker = broker
        self.defect = defect
        self.notify = notify
        self.countSessions = countSessions
        self.fencedSessions = fencedSessions
        self.record = record
        generator = seed
        lane = agenda.newLane()
        id = NodeID(bits: generator.next())
        machine = ClusterMachine(
            own: id, name: "node-\(number)", version: "1", seed: generator.next())
        fence = fencedSessions.map { [id] _ in
            SessionFence(
                own: id, store: HeadStore(cluster: "simulated", own: id, lifetimeMs: 7_200_000))
        }
        broker.connect(to: self)
        if let reader { post(.changeReader(reader)) }
        post(.feeds(Set(feeds)))
        takeCensuses()
        bus.add(self)
    }

    // MARK: The bus

    func connect() {
        guard !isConnected, !isEnded else { return }
        isConnected = true
        connections += 1
        post { node in
            node.takeCensus()
            node.perform(.connected)
            node.handle(.connected)
        }
    }

    func disconnect() {
        guard isConnected, !isEnded else { return }
        isConnected = false
        post { node in
            node.perform(.disconnected)
            node.handle(.disconnected)
        }
        busLost?()
        guard defect == .failsLoads, let broker else { return }
        for call in asked {
            broker.handle(.failed(LoadFailure(.backendUnavailable, "The bus is lost.")), of: call)
        }
    }

    /// A message arrives. Its version is that of its sender.
    func receive(_ bytes: [UInt8]) { post(.received(inVersion(bytes))) }

    /// The message as this node writes or reads it. For a node of version 2, the versions 1 and 2
    /// are exchanged, because its state machine is that of version 1.
    private func inVersion(_ bytes: [UInt8]) -> [UInt8] {
        let place = 5
        guard version == 2, bytes.count > place, bytes.starts(with: Array("{\"v\":".utf8)) else {
            return bytes
        }
        var bytes = bytes
        switch bytes[place] {
        case UInt8(ascii: "1"): bytes[place] = UInt8(ascii: "2")
        case UInt8(ascii: "2"): bytes[place] = UInt8(ascii: "1")
        default: break
        }
        return bytes
    }

    // MARK: The daemon

    func share(_ feeds: [String]) { post(.feeds(Set(feeds))) }

    func reportFeedChange(_ change: FeedChange) {
        guard defect != .losesChanges else { return }
        post(.changed(change))
    }

    /// Stops the node in an orderly way: it sends `leave`.
    func stop() {
        guard !isEnded else { return }
        perform(.stopped)
        endClaims()
        end()
    }

    /// The process has ended.
    func end() {
        guard !isEnded else { return }
        isEnded = true
        isConnected = false
        bus.remove(self)
    }

    var counters: ClusterCounters { machine.counters }

    /// Whether no load runs between this node and another one.
    var isIdle: Bool { machine.openAsks == 0 && machine.runningLoads == 0 }

    private func takeCensuses() {
        post { $0.takeCensus() }
        agenda.after(Self.censusMs, lane: lane) { [self] in
            if !isEnded { takeCensuses() }
        }
    }

    private func takeCensus() {
        let sessions = countSessions()
        perform(.census(sessions: sessions, workers: []))
        if sessions > 0 { handle(.hasSessions) }
    }

    // MARK: The broker

    func ask(_ node: NodeID, _ order: RemoteOrder) {
        asked = asked.suffix(20) + [order.id]
        post(.ask(node, order))
    }

    func withdraw(_ id: CallID, from node: NodeID) { post(.withdraw(id, from: node)) }

    func deliver(_ event: OwnerEvent, to load: RemoteLoadID) { post(.loadEvent(event, load)) }

    // MARK: The machine

    private func post(_ event: ClusterMachine.Event) { post { $0.perform(event) } }

    /// Posts to the mailbox. Entries are handled in order, each after a delay. From time to time,
    /// the thread has other work.
    func post(_ job: @escaping (SimulatedNode) -> Void) {
        guard !isEnded else { return }
        let pause =
            generator.chance(2) ? generator.milliseconds(5, 40) : generator.milliseconds(0, 0.4)
        lastPost = max(lastPost, agenda.now.advanced(byMilliseconds: pause))
        agenda.at(lastPost, lane: lane) { [self] in
            guard !isEnded else { return }
            job(self)
            advanceClock()
        }
    }

    private func advanceClock() {
        perform(.clockAdvanced)
        handle(.clockAdvanced)
        let deadlines = [machine.nextDeadline, fence?.nextDeadline].compactMap { $0 }
        guard let next = deadlines.min(), wakes.map({ next < $0 }) ?? true else { return }
        wakes = next
        agenda.at(next, lane: lane) { [self] in
            guard !isEnded, wakes == next else { return }
            wakes = nil
            advanceClock()
        }
    }

    private func perform(_ event: ClusterMachine.Event) {
        var effects: [ClusterMachine.Effect] = []
        machine.handle(event, at: agenda.now, into: &effects)
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: ClusterMachine.Effect) {
        guard let broker else { return }
        switch effect {
        case .publishToAll(let bytes): bus.publish(inVersion(bytes), by: self, to: nil)
        case .publish(let bytes, let node):
            bus.publish(inVersion(bytes), by: self, to: node.bits)
        case .startLoad(let request, let load, let deadlineMs):
            broker.start(request, for: load, deadlineMs: deadlineMs)
        case .cancelLoad(let load): broker.cancel(load)
        case .ownerEvent(let event, let call): broker.handle(event, of: confused(call, event))
        case .ownersChanged(let owners):
            if defect != .ignoresOwners { broker.apply(owners) }
        case .feedChanged(let change):
            // As in `ClusterLoop`, cached pages are stale before a view refreshes.
            broker.feedChanged(change.feed)
            notify(change)
        case .pagesOutdated(let feed): broker.feedChanged(feed)
        case .viewsOutdated(let feed): notify(FeedChange(feed))
        case .listSessions, .listEnded, .beginWatch, .endWatch, .collectEvents, .eventsReceived,
            .countsChanged:
            break
        }
    }

    /// The load that gets the event. With `mixesAnswers`, a page is given to another load.
    private func confused(_ call: CallID, _ event: OwnerEvent) -> CallID {
        guard defect == .mixesAnswers, case .page = event else { return call }
        return asked.last { $0 != call } ?? call
    }
}
