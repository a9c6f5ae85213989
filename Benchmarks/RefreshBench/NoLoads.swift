import RefreshBroker
import RefreshServer
import RefreshSession

/// Stands in for the broker, and does nothing. In these benchmarks the client itself loads the
/// items of its view, so the session requests no load.
final class NoLoads: LoadDispatching {
    func start(_ ticket: LoadTicket, _ wish: BrokerRequest, deadlineMs: Int) {}
    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {}
}
