import RefreshBroker
import RefreshServer
import RefreshSession

/// The view's backend is its client, so nothing is asked of a broker.
final class NoLoads: LoadDispatching {
    func start(_ ticket: LoadTicket, _ wish: BrokerRequest, deadlineMs: Int) {}
    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {}
}
