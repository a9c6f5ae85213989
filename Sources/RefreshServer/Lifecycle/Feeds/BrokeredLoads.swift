internal import RefreshBroker
internal import RefreshSession

/// Passes the loads of a loop's sessions to the broker, through the broker's mailbox. Look-ups are
/// answered from the broker's published pages at once.
final class BrokeredLoads: LoadDispatching {
    private let broker: Broker<LoadTicket>
    private let answerLookUp: (LoadTicket, FoundPage?) -> Void

    /// `answerLookUp` receives the result of a look-up while `start` runs. It must not pass it to
    /// the session before the session has handled its present input.
    init(broker: Broker<LoadTicket>, answerLookUp: @escaping (LoadTicket, FoundPage?) -> Void) {
        self.broker = broker
        self.answerLookUp = answerLookUp
    }

    func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int) {
        guard !brokerRequest.isLookUp else {
            return answerLookUp(ticket, broker.lookUp(brokerRequest.request))
        }
        broker.start(brokerRequest, for: ticket, deadlineMs: deadlineMs)
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
        broker.cancel(ticket, because: reason)
    }
}
