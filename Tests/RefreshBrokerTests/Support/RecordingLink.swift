import RefreshBroker
import Synchronization

/// A cluster that records what the broker passes to it.
final class RecordingLink: ClusterLink {
    private struct State: Sendable {
        var orders: [RemoteOrder] = []
        var asked: [NodeID] = []
        var withdrawn: [CallID] = []
        var events: [RemoteLoadID: [OwnerEvent]] = [:]
    }

    private let state = Mutex(State())

    /// The orders of all asks, in order.
    var orders: [RemoteOrder] { state.withLock(\.orders) }
    /// The nodes that were asked, in the same order.
    var asked: [NodeID] { state.withLock(\.asked) }
    var withdrawn: [CallID] { state.withLock(\.withdrawn) }

    /// The events of a load of another node.
    func events(of load: RemoteLoadID) -> [OwnerEvent] { state.withLock { $0.events[load] ?? [] } }

    func ask(_ node: NodeID, _ order: RemoteOrder) {
        state.withLock { state in
            state.asked.append(node)
            state.orders.append(order)
        }
    }

    func withdraw(_ id: CallID, from node: NodeID) {
        state.withLock { $0.withdrawn.append(id) }
    }

    func deliver(_ event: OwnerEvent, to load: RemoteLoadID) {
        state.withLock { $0.events[load, default: []].append(event) }
    }
}
