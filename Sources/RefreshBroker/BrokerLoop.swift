internal import RefreshProtocol

/// What the broker's thread does: facts from the mailbox into the machine, the machine's orders
/// done.
///
/// The tasks it starts only carry a backend's answer back into the mailbox.
struct BrokerLoop<Waiter: Hashable & Sendable> {
    enum Message: Sendable {
        case start(LoadWish, Waiter, deadline: Instant)
        case cancel(Waiter)
        case answered(FlightID, Result<Page, LoadFailure>)
        case changed(String)
        case stop
    }

    private let backends: [String: any Backend]
    private let mailbox: Mailbox<Message>
    private let published: PublishedCounters
    private let deliver: @Sendable ([Waiter], LoadNews) -> Void
    private var machine: SingleFlight<Waiter>
    private var calls: [FlightID: Task<Void, Never>] = [:]
    private var effects: [SingleFlight<Waiter>.Effect] = []

    init(
        plan: BrokerPlan, seed: UInt64, mailbox: Mailbox<Message>,
        published: PublishedCounters, deliver: @escaping @Sendable ([Waiter], LoadNews) -> Void
    ) {
        self.backends = plan.feeds.mapValues(\.backend)
        self.mailbox = mailbox
        self.published = published
        self.deliver = deliver
        self.machine = SingleFlight(loadsInFlightMax: plan.loadsInFlightMax)
    }

    /// Until `stop` came.
    mutating func run() {
        var isRunning = true
        while isRunning {
            let messages = mailbox.take(until: machine.nextDeadline)
            if messages.isEmpty { handle(.clockAdvanced) }
            for message in messages { isRunning = receive(message) && isRunning }
            published.value = machine.counters
        }
        // What was posted while the last batch was handled still gets its outcome.
        for message in mailbox.close() { _ = receive(message) }
        published.value = machine.counters
    }

    /// False for `stop`.
    private mutating func receive(_ message: Message) -> Bool {
        switch message {
        case .start(let wish, let waiter, let deadline):
            guard backends[wish.request.feed] != nil else {
                // Sessions know the feeds, so this is a feed that was never configured. It must not
                // reach the machine, which counts by name.
                deliver(
                    [waiter],
                    .ended(.failed(LoadFailure(.backendRejected, "There is no such feed."))))
                return true
            }
            handle(.started(wish.request, waiter, deadline: deadline))
        case .cancel(let waiter):
            handle(.left(waiter))
        case .answered(let id, let answer):
            calls[id] = nil
            handle(.answered(id, answer))
        case .changed: break
        case .stop:
            handle(.stopped)
            return false
        }
        return true
    }

    private mutating func handle(_ event: SingleFlight<Waiter>.Event) {
        machine.handle(event, at: MonotonicTime.now, into: &effects)
        for effect in effects {
            switch effect {
            case .call(let id, let request): call(request, as: id)
            case .abort(let id): calls[id]?.cancel()
            case .deliver(let waiter, let outcome): deliver([waiter], .ended(outcome))
            }
        }
        effects.removeAll(keepingCapacity: true)
    }

    private mutating func call(_ request: LoadRequest, as id: FlightID) {
        guard let backend = backends[request.feed] else { return }
        let mailbox = mailbox
        calls[id] = Task {
            let answer: Result<Page, LoadFailure>
            do throws(LoadFailure) {
                answer = .success(try await backend.load(BackendCall(id: id, request)))
            } catch {
                answer = .failure(error)
            }
            mailbox.post(.answered(id, answer))
        }
    }
}
