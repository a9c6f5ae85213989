import RefreshBroker
import RefreshServer
import RefreshSession

/// The client is the backend of the view, so the broker receives no requests.
final class NoLoads: LoadDispatching {
    func start(_ ticket: LoadTicket, _ wish: BrokerRequest, deadlineMs: Int) {}
    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {}
}
