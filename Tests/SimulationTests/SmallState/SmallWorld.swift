import RefreshProtocol
import RefreshServer
import RefreshSession

@testable import RefreshBroker

/// Two sessions, a view or two of each, and the broker between its mailboxes: all of it a value, so
/// that each thing that may happen next can be tried from the same state.
struct SmallWorld {
    struct View {
        /// The load that it waits for; 0: none.
        var running: UInt32 = 0
        var last: UInt32 = 0
        var startsLeft: Int
    }

    struct Seat {
        /// Where it was opened: so its loads name it.
        var born: SessionKey
        /// Where it is.
        var host: UInt16
        var isConnected = true
        var movesLeft: Int
        var views: [View]
    }

    struct Call {
        let order: CallOrder
        var isAborted = false
        /// Whether its feed has changed since it began.
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
    var seats: [Seat]
    /// Mailboxes, in order.
    var toBroker: [ToBroker] = []
    /// By host.
    var toHosts: [[(LoadTicket, LoadOutcome)]] = [[], []]
    var calls: [Call] = []
    /// Who was started and has not been told an end.
    var owed: Set<LoadTicket> = []
    /// The last call that returned: its backend may answer again.
    var returned: CallID?
    /// When the pages were answered that may be kept.
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
        seats = views.enumerated().map { index, count in
            Seat(
                born: SessionKey(loop: UInt16(index % 2), slot: UInt32(index), generation: 1),
                host: UInt16(index % 2), movesLeft: moves,
                views: Array(repeating: View(startsLeft: starts), count: count))
        }
    }

    mutating func fail(_ what: String) { mistake = mistake ?? what }

    /// The ticket of the load that a view waits for.
    func ticket(_ seat: Int, _ view: Int) -> LoadTicket? {
        guard let id = ViewID("v\(view)") else { return nil }
        return LoadTicket(
            session: seats[seat].born, view: id,
            load: LoadID(generation: UInt32(view + 1), number: seats[seat].views[view].running))
    }

    /// All views ask for pages of one list: the first of a session for page 1, its second for page
    /// 2.
    mutating func ask(_ seat: Int, _ view: Int) {
        guard let ticket = ticket(seat, view) else { return }
        toBroker.append(
            .start(
                ticket, page: view + 1,
                key: "s\(seat)-\(view + 1).\(seats[seat].views[view].running)",
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
                    fail("a call is aborted that does not run")
                    continue
                }
                if calls[index].isAborted { fail("a call is aborted twice") }
                calls[index].isAborted = true
            case .deliver(let told, .ended(let outcome)):
                let tickets = numbers.waiters(of: told)
                numbers.release(told)
                for ticket in tickets {
                    if owed.remove(ticket) == nil { fail("\(ticket) is told an end twice") }
                    toHosts[Int(ticket.session.loop)].append((ticket, outcome))
                }
            case .deliver: break
            }
        }
        if let due = machine.nextDeadline, due < now { fail("a deadline does not pass") }
    }

    private mutating func begin(_ order: CallOrder) {
        // A load that its feed has overtaken goes on for those who wait, and nobody joins it.
        let isOvertaken = machine.flights.values.contains {
            $0.phase == .calling(order.id) && $0.isOutdated
        }
        let isTwin = calls.contains {
            !$0.isAborted && !$0.isOvertaken && $0.order.request.page == order.request.page
        }
        if isTwin, !isOvertaken { fail("two calls of page \(order.request.page) are in flight") }
        calls.append(Call(order: order, isOvertaken: isOvertaken))
    }

    mutating func take(_ message: ToBroker) {
        switch message {
        case .start(let ticket, let page, let key, let deadline):
            guard let number = numbers.assignNumber(to: ticket) else {
                return fail("\(ticket) is started twice")
            }
            owed.insert(ticket)
            let request = LoadRequest(
                feed: "list", kind: page == 1 ? .refresh : .more, page: page, offset: 0, size: 8)
            let wish = BrokerRequest(request, idempotencyKey: key)
            handle(.started(wish, number, deadline: deadline))
        case .cancel(let ticket, let reason):
            guard let number = numbers.number(of: ticket) else { return }
            handle(.waiterCancelled(number, because: reason))
        }
    }

    // MARK: Hosts

    /// News come to a host: the session may be elsewhere, or gone, or wait for another load by now.
    mutating func hear(_ ticket: LoadTicket, _ outcome: LoadOutcome, at host: Int) {
        guard let seat = seats.firstIndex(where: { $0.born == ticket.session }) else { return }
        guard seats[seat].host == UInt16(host) else {
            return toHosts[Int(seats[seat].host)].append((ticket, outcome))
        }
        let view = Int(ticket.load.generation) - 1
        guard seats[seat].views[view].running == ticket.load.number else { return }
        seats[seat].views[view].running = 0
        if case .cancelled = outcome { fail("a load that is wanted ends as cancelled") }
    }

    /// Everything but the clients and what they were given is gone.
    mutating func crash() {
        crashesLeft -= 1
        generation += 1
        machine = LoadBroker(rules, seed: 1)
        numbers = WaiterNumbers()
        toBroker = []
        toHosts = [[], []]
        calls = []
        owed = []
        returned = nil
        answeredAt = [:]
        for seat in seats.indices {
            seats[seat].born = SessionKey(
                loop: seats[seat].host, slot: UInt32(seat), generation: generation)
            seats[seat].isConnected = true
            for view in seats[seat].views.indices where seats[seat].views[view].running > 0 {
                ask(seat, view)
            }
        }
    }

    /// Where nothing is under way nobody waits.
    mutating func checkRest() {
        let isAtRest =
            toBroker.isEmpty && toHosts.allSatisfy(\.isEmpty) && calls.isEmpty
            && machine.nextDeadline == nil
        guard isAtRest else { return }
        if !owed.isEmpty { fail("\(owed) wait, and nothing is under way") }
        if seats.contains(where: { $0.views.contains { $0.running > 0 } }) {
            fail("a view waits, and nothing is under way")
        }
        if !machine.isEmpty || numbers.count > 0 { fail("the broker keeps what nobody wants") }
    }
}
