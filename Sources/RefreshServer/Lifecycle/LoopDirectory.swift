internal import RefreshBroker
internal import Synchronization

/// Where a load's outcome goes: the daemon's loops, by index.
final class LoopDirectory: Sendable {
    private let handlers = Mutex<[UInt16: LoopHandler]>([:])

    func enter(_ handler: LoopHandler, index: UInt16) {
        handlers.withLock { $0[index] = handler }
    }

    /// Hands the news to the loops of the sessions that wait for it, each in one piece. From any thread.
    func deliver(_ news: LoadNews, to tickets: [LoadTicket]) {
        guard case .ended(let outcome) = news else { return }
        for (loop, tickets) in Dictionary(grouping: tickets, by: \.session.loop) {
            self[loop]?.post { handler in
                for ticket in tickets { handler.loadEnded(ticket, outcome) }
            }
        }
    }

    /// The handler of a loop that runs.
    subscript(index: UInt16) -> LoopHandler? { handlers.withLock { $0[index] } }
}
