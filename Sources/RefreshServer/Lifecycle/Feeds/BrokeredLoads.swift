internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshSession

/// Passes the loads of a loop's sessions to the broker, through the broker's mailbox. Look-ups are
/// answered from the broker's published pages at once.
final class BrokeredLoads: LoadDispatching {
    private let broker: Broker<LoadTicket>
    private let directory: LoopDirectory

    /// `directory` posts the results of look-ups and edits to the sessions.
    init(broker: Broker<LoadTicket>, directory: LoopDirectory) {
        self.broker = broker
        self.directory = directory
    }

    func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int) {
        guard !brokerRequest.isLookUp else {
            return directory.deliver(
                .lookUpEnded(broker.lookUp(brokerRequest.request)), to: [ticket])
        }
        broker.start(brokerRequest, for: ticket, deadlineMs: deadlineMs)
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
        broker.cancel(ticket, because: reason)
    }

    func edit(_ ticket: EditTicket, _ request: EditRequest, deadlineMs: Int) {
        broker.edit(request, deadlineMs: deadlineMs) { [directory] outcome in
            directory.deliver(.edited(ticket, request, outcome), to: ticket.session)
        }
    }
}
