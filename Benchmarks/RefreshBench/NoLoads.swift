import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// Stands in for the broker, and does nothing. In these benchmarks the client itself loads the
/// items of its view, so no load reaches the broker.
final class NoLoads: LoadDispatching {
    func start(_ ticket: LoadTicket, _ wish: BrokerRequest, deadlineMs: Int) {}
    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {}
}
