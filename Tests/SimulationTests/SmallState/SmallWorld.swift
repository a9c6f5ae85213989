import RefreshProtocol
import RefreshServer
import RefreshSession

@testable import RefreshBroker

/// Two sessions with one or two views each, and the broker between its mailboxes (queues of
/// messages). The whole world is a value type, so that every possible next step can be tried from
/// the same state.
struct SmallWorld {
    struct View {
        /// The load that the view waits for; 0 if the view waits for none.
        var running: UInt32 = 0
        var last: UInt32 = 0
        var startsLeft: Int
    }

    struct SessionState {
        /// The session's key. Its loads are named after the host that opened the session.
        var initialKey: SessionKey
        /// The host that has the session now.
        var host: UInt16
        var isConnected = true
        var movesLeft: Int
        var views: [View]
    }

    struct Call {
        let order: CallOrder
        var isAborted = false
        /// Whether the feed has changed since the call began.
        var isOvertaken = false
    }

    enum ToBroker {
        case start(LoadTicket, page: Int, key: String, deadline: Instant)
        case cancel(LoadTicket, LeaveReason)
    }

    static let deadlineMs = 100.0

    var now = Instant.origin
    var machine: LoadBroker<Int>
    var numbers = WaiterNumbers<LoadTicket>()
    var sessions: [SessionState]
    /// The mailbox of the broker, in order.
    var toBroker: [ToBroker] = []
    /// The mailboxes of the hosts, by index.
    var toHosts: [[(LoadTicket, LoadOutcome)]] = [[], []]
    var calls: [Call] = []
    /// The tickets that were started and have received no end.
    var outstanding: Set<LoadTicket> = []
    /// The last call that returned. Its backend may answer again.
    var returned: CallID?
    /// The time at which each page was last answered. A page with a time may be cached.
    var answeredAt: [Int: Instant] = [:]
    var changesLeft: Int
    var crashesLeft: Int
    var retriesLeft: Int
    private var generation: UInt32 = 1
    private(set) var mistake: String?
    let rules: BrokerRules

    init(
        _ rules: BrokerRules, views: [Int], starts: Int, moves: Int, crashes: Int, changes: Int,
        retries: Int
    ) {
        self.rules = rules
        machine = LoadBroker(rules, seed: 1)
        crashesLeft = crashes
        changesLeft = changes
        retriesLeft = retries
        sessions = views.enumerated().map { index, count in
            SessionState(
                initialKey: SessionKey(
                    loop: UInt16(index % 2), slot: UInt32(index), generation: 1),
                host: UInt16(index % 2), movesLeft: moves,
                views: Array(repeating: View(startsLeft: starts), count: count))
        }
    }

    mutating func fail(_ what: String) { mistake = mistake ?? what }

    /// The ticket of the load that a view waits for.
    func ticket(_ session: Int, _ view: Int) -> LoadTicket? {
        guard let id = ViewID("v\(view)") else { return nil }
        return LoadTicket(
            session: sessions[session].initialKey, view: id,
            load: LoadID(
                generation: UInt32(view + 1), number: sessions[session].views[view].running))
    }

    /// Starts a load of the view. All views load the same list: the first view of a session loads
    /// page 1, the second one page 2.
    mutating func requestLoad(_ session: Int, _ view: Int) {
        guard let ticket = ticket(session, view) else { return }
        toBroker.append(
            .start(
                ticket, page: view + 1,
                key: "s\(session)-\(view + 1).\(sessions[session].views[view].running)",
                deadline: now.advanced(byMilliseconds: Self.deadlineMs)))
    }

    // MARK: The broker

    mutating func handle(_ event: LoadBroker<Int>.Event) {
        var effects: [LoadBroker<Int>.Effect] = []
        machine.handle(event, at: now, into: &effects)
        for effect in effects {
            switch effect {
            case .call(let order): begin(order)
            case .abort(let id):
                guard let index = calls.firstIndex(where: { $0.order.id == id }) else {
                    fail("an aborted call is not running")
                    continue
                }
                if calls[index].isAborted { fail("a call is aborted twice") }
                calls[index].isAborted = true
            case .deliver(let waiters, .ended(let outcome)):
                let tickets = waiters.map { numbers[$0] }
                numbers.release(waiters)
                for ticket in tickets {
                    if outstanding.remove(ticket) == nil { fail("\(ticket) received two ends") }
                    toHosts[Int(ticket.session.loop)].append((ticket, outcome))
                }
            case .deliver: break
            // No other node is live, and there are no edits.
            case .ask, .withdraw, .edit, .edited, .editUnknown: break
            }
        }
        if let due = machine.nextDeadline, due < now { fail("a deadline does not pass") }
    }

    private mutating func begin(_ order: CallOrder) {
        // If the feed changes during a load, the load continues for its waiters, and no other load
        // joins it.
        let isOvertaken = machine.flights.values.contains {
            $0.phase == .calling(order.id) && $0.isOutdated
        }
        let isTwin = calls.contains {
            !$0.isAborted && !$0.isOvertaken && $0.order.request.page == order.request.page
        }
        if isTwin, !isOvertaken { fail("two calls of page \(order.request.page) are in flight") }
        calls.append(Call(order: order, isOvertaken: isOvertaken))
    }

    mutating func deliver(_ message: ToBroker) {
        switch message {
        case .start(let ticket, let page, let key, let deadline):
            guard let number = numbers.assignNumber(to: ticket) else {
                return fail("\(ticket) is started twice")
            }
            outstanding.insert(ticket)
            let request = LoadRequest(
                feed: "list", kind: page == 1 ? .refresh : .more, page: page, offset: 0, size: 8)
            let brokerRequest = BrokerRequest(request, idempotencyKey: key)
            handle(.started(brokerRequest, number, deadline: deadline))
        case .cancel(let ticket, let reason):
            guard let number = numbers.number(of: ticket) else { return }
            handle(.waiterCancelled(number, because: reason))
        }
    }

    // MARK: Hosts

    /// A host receives the end of a load. By then the session may have moved or ended, or may wait
    /// for another load.
    mutating func receive(_ ticket: LoadTicket, _ outcome: LoadOutcome, at host: Int) {
        guard let session = sessions.firstIndex(where: { $0.initialKey == ticket.session }) else {
            return
        }
        guard sessions[session].host == UInt16(host) else {
            return toHosts[Int(sessions[session].host)].append((ticket, outcome))
        }
        let view = Int(ticket.load.generation) - 1
        guard sessions[session].views[view].running == ticket.load.number else { return }
        sessions[session].views[view].running = 0
        if case .cancelled = outcome { fail("a wanted load ended as cancelled") }
    }

    /// The process crashes. Only the clients and what they have received remain.
    mutating func crash() {
        crashesLeft -= 1
        generation += 1
        machine = LoadBroker(rules, seed: 1)
        numbers = WaiterNumbers()
        toBroker = []
        toHosts = [[], []]
        calls = []
        outstanding = []
        returned = nil
        answeredAt = [:]
        for session in sessions.indices {
            sessions[session].initialKey = SessionKey(
                loop: sessions[session].host, slot: UInt32(session), generation: generation)
            sessions[session].isConnected = true
            for view in sessions[session].views.indices
            where sessions[session].views[view].running > 0 {
                requestLoad(session, view)
            }
        }
    }

    /// Checks that no view and no ticket waits when no work is pending.
    mutating func checkRest() {
        let isAtRest =
            toBroker.isEmpty && toHosts.allSatisfy(\.isEmpty) && calls.isEmpty
            && machine.nextDeadline == nil
        guard isAtRest else { return }
        if !outstanding.isEmpty { fail("\(outstanding) wait, but no work is pending") }
        if sessions.contains(where: { $0.views.contains { $0.running > 0 } }) {
            fail("a view waits, but no work is pending")
        }
        if !machine.isEmpty || numbers.count > 0 { fail("the broker has state without waiters") }
    }
}
