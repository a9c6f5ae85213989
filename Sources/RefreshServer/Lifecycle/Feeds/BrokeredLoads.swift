internal import RefreshBroker
internal import RefreshSession

/// Passes the loads of a loop's sessions to the broker, through the broker's mailbox.
final class BrokeredLoads: LoadDispatching {
    private let broker: Broker<LoadTicket>

    init(broker: Broker<LoadTicket>) { self.broker = broker }

    func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int) {
        broker.start(brokerRequest, for: ticket, deadlineMs: deadlineMs)
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
        broker.cancel(ticket, because: reason)
    }
}
