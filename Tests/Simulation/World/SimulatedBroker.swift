import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// The broker of a daemon: the production state machine, with simulated queues of messages
/// (mailboxes) and simulated backends.
final class SimulatedBroker: LoadDispatching {
    struct Call {
        let order: CallOrder
        let behaviour: SimulatedBackends.Behaviour
        /// The number of answers that the call has yet to receive.
        var answersLeft: Int
        /// The page of a model list, as the list was when the call began.
        let page: Page?
    }

    let agenda: Agenda
    let backends: SimulatedBackends
    let directory: LoopDirectory
    private let itemHash: SipHash
    private let itemKeys: [String: JSONPointer]
    let lane: Int
    private let variant: ServerVariant
    var generator: SeededGenerator
    private var machine: LoadBroker<LoadUser<LoadTicket>>
    private var calls: [CallID: Call] = [:]
    private(set) var policies: [String: FeedPolicy]
    /// The loads of other nodes. Unused if the daemon runs alone.
    private var remoteLoads = RemoteLoads()
    /// The node of the daemon in its cluster. Nil if the daemon runs alone.
    private(set) weak var node: SimulatedNode?
    /// The edits without an outcome, by number.
    var edits: [UInt64: (ticket: EditTicket, request: EditRequest)] = [:]
    var lastEdit: UInt64 = 0
    /// The behaviours of the calls that perform edits.
    var editCalls: [CallID: SimulatedBackends.Behaviour] = [:]
    /// Called with each change that an edit has made.
    var liveDefect: LiveDefect?
    var reportChange: (FeedChange) -> Void = { _ in }
    let monitor: CallMonitor?
    /// The feeds of the loads that other nodes were asked for.
    private var feedsOfAsks: [CallID: String] = [:]
    private var lastPost = Instant.origin
    private var wakes: Instant?
    private(set) var isEnded = false

    init(
        _ rules: BrokerRules, agenda: Agenda, backends: SimulatedBackends,
        directory: LoopDirectory, itemHash: SipHash, seed: SeededGenerator,
        variant: ServerVariant = .correct, monitor: CallMonitor? = nil
    ) {
        self.agenda = agenda
        self.backends = backends
        self.directory = directory
        self.itemHash = itemHash
        itemKeys = rules.feeds.compactMapValues(\.policy.itemKey)
        policies = rules.feeds.mapValues(\.policy)
        self.variant = variant
        self.monitor = monitor
        generator = seed
        lane = agenda.newLane()
        machine = LoadBroker(rules, seed: generator.next())
    }

    /// The process has ended. Later answers to its calls are dropped.
    func end() {
        isEnded = true
        if let node { monitor?.endAll(at: node) }
    }

    var isEmpty: Bool { machine.isEmpty }

    var counters: BrokerCounters { machine.counters }

    // MARK: Calls from sessions

    func start(_ ticket: LoadTicket, _ request: BrokerRequest, deadlineMs: Int) {
        let deadline = agenda.now.advanced(byMilliseconds: Double(deadlineMs))
        if backends.lists != nil {
            backends.ledger.recordLoadStart(request, at: agenda.now)
        }
        monitor?.recordStart(request)
        post { $0.handle(.started(request, .session(ticket), deadline: deadline)) }
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
        post { $0.handle(.waiterCancelled(.session(ticket), because: reason)) }
    }

    func feedChanged(_ feed: String) {
        guard variant != .joinsOldCalls else { return }
        post { $0.handle(.feedChanged(feed)) }
    }

    func change(to rules: BrokerRules, remade: Set<String>) {
        post {
            $0.policies = rules.feeds.mapValues(\.policy)
            $0.handle(.rulesChanged(rules, remade: remade))
        }
    }

    /// Stops the broker as the daemon does when it shuts down.
    func stop() { post { $0.handle(.stopped) } }

    /// Posts to the mailbox. Entries are handled in order, each after a delay.
    func post(_ fact: @escaping (SimulatedBroker) -> Void) {
        let pause = generator.milliseconds(0, 1)
        lastPost = max(lastPost, agenda.now.advanced(byMilliseconds: pause))
        agenda.at(lastPost, lane: lane) { [self] in
            if !isEnded { fact(self) }
        }
    }

    // MARK: The machine

    func handle(_ event: LoadBroker<LoadUser<LoadTicket>>.Event) {
        guard !isEnded else { return }
        var effects: [LoadBroker<LoadUser<LoadTicket>>.Effect] = []
        machine.handle(event, at: agenda.now, into: &effects)
        for effect in effects {
            switch effect {
            case .call(let order): call(order)
            case .abort(let id): abort(id)
            case .edit(let order): call(order)
            case .edited(let user, let item, let isRepeated):
                endEdit(performed: user, item, isRepeated: isRepeated)
            case .editUnknown(let user, let failure): endEdit(possiblyPerformed: user, failure)
            case .deliver(let users, let loadEvent): deliver(loadEvent, to: users)
            case .ask(let node, let order):
                feedsOfAsks[order.id] = order.request.feed
                remoteLoads.link?.ask(node, order)
            case .withdraw(let id, let node): remoteLoads.link?.withdraw(id, from: node)
            }
        }
        guard let next = machine.nextDeadline, wakes.map({ next < $0 }) ?? true else { return }
        wakes = next
        agenda.at(next, lane: lane) { [self] in
            guard !isEnded, wakes == next else { return }
            wakes = nil
            handle(.clockAdvanced)
        }
    }

    private func call(_ order: CallOrder) {
        if let node { monitor?.begin(order, at: node) }
        let behaviour = backends.behaviour(of: order)
        calls[order.id] = Call(
            order: order, behaviour: behaviour, answersLeft: behaviour.answersTwice ? 2 : 1,
            page: behaviour.failure == nil ? backends.modelPage(order, at: agenda.now) : nil)
        for (milliseconds, value) in behaviour.progress {
            agenda.after(milliseconds, lane: lane) { [self] in handle(.progressed(order.id, value))
            }
        }
        guard !behaviour.hangs else { return }
        agenda.after(behaviour.milliseconds, lane: lane) { [self] in answer(order.id) }
    }

    /// An aborted call that hangs is still answered, after a delay.
    private func abort(_ id: CallID) {
        if let node { monitor?.end(id, at: node) }
        if editCalls[id] != nil { return abortEdit(id) }
        guard let call = calls[id], call.behaviour.hangs else { return }
        let pause = generator.chance(50) ? generator.milliseconds(0, 5) : 2000
        agenda.after(pause, lane: lane) { [self] in answer(id) }
    }

    private func answer(_ id: CallID) {
        guard !isEnded, var call = calls[id] else { return }
        call.answersLeft -= 1
        calls[id] = call.answersLeft > 0 ? call : nil
        if call.answersLeft > 0 {
            agenda.after(generator.milliseconds(0, 800), lane: lane) { [self] in answer(id) }
        }
        if let node { monitor?.end(id, at: node) }
        var result =
            call.page.map { .success($0) }
            ?? backends.answer(call.order, call.behaviour, at: agenda.now)
        if variant == .sendsPartsOfFailures, call.order.request.kind == .more,
            case .failure = result
        {
            result = .success(Page(items: Array("[]".utf8), count: 0, more: false))
        }
        if case .success(let page) = result {
            result = .success(withItemKeys(page, of: call.order.request.feed))
        }
        handle(.answered(id, result))
    }

    private func withItemKeys(_ page: Page, of feed: String) -> Page {
        guard let key = itemKeys[feed] else { return page }
        var page = page
        page.itemKeys = ItemKeys(of: page, at: key, hashedBy: itemHash)
        return page
    }

    private func deliver(_ event: LoadEvent, to users: [LoadUser<LoadTicket>]) {
        var tickets: [LoadTicket] = []
        for user in users {
            switch user {
            case .session(let ticket): tickets.append(ticket)
            case .node(let load): deliver(event, to: load)
            case .edit(let number): endEdit(number, with: event)
            }
        }
        if !tickets.isEmpty { directory.deliver(event, to: tickets) }
    }
}

// The loads of other nodes, as `BrokerLoop` performs them.
extension SimulatedBroker {
    func connect(to node: SimulatedNode) {
        self.node = node
        remoteLoads.link = node
    }

    func apply(_ owners: RequestOwners?) { post { $0.handle(.ownersChanged(owners)) } }

    func handle(_ event: OwnerEvent, of id: CallID) {
        post { broker in
            guard case .page(let page, let remaining) = event, let feed = broker.feedsOfAsks[id]
            else { return broker.handle(.ownerEvent(event, id)) }
            let keyed = broker.withItemKeys(page, of: feed)
            broker.handle(.ownerEvent(.page(keyed, remaining), id))
        }
    }

    func start(_ request: BrokerRequest, for load: RemoteLoadID, deadlineMs: Int) {
        let deadline = agenda.now.advanced(byMilliseconds: Double(deadlineMs))
        post { broker in
            let policy = broker.policies[request.request.feed]
            guard !RemoteLoads.isRefused(request.request, under: policy) else {
                broker.remoteLoads.link?.deliver(.refused(.unknownFeed), to: load)
                return
            }
            broker.remoteLoads.add(load, request.request)
            var request = request
            request.isRemote = true
            broker.handle(.started(request, .node(load), deadline: deadline))
        }
    }

    func cancel(_ load: RemoteLoadID) {
        post { broker in
            broker.remoteLoads.cancel(load)
            broker.handle(.waiterCancelled(.node(load)))
        }
    }

    private func deliver(_ event: LoadEvent, to load: RemoteLoadID) {
        guard let request = remoteLoads.request(of: load) else { return }
        var remaining = RemainingLifetime.over
        if case .ended(.page(let page)) = event {
            remaining = machine.remainingLifetime(of: page, for: request, at: agenda.now)
        }
        remoteLoads.deliver(event, remaining, to: load)
    }
}
