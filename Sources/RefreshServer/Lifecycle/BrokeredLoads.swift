internal import RefreshBroker

/// How a loop's sessions reach the broker: through its mailbox.
final class BrokeredLoads: LoadDispatching {
    private let broker: Broker<LoadTicket>
    private let deadlineMs: Int

    init(broker: Broker<LoadTicket>, deadlineMs: Int) {
        self.broker = broker
        self.deadlineMs = deadlineMs
    }

    func start(_ ticket: LoadTicket, _ wish: LoadWish) {
        broker.start(wish, for: ticket, deadlineMs: deadlineMs)
    }

    func cancel(_ ticket: LoadTicket) { broker.cancel(ticket) }
}
