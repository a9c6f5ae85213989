internal import RefreshBroker
internal import Synchronization

/// Where a load's outcome goes: the daemon's loops, by index.
final class LoopDirectory: Sendable {
    private let handlers = Mutex<[UInt16: LoopHandler]>([:])

    func enter(_ handler: LoopHandler, index: UInt16) {
        handlers.withLock { $0[index] = handler }
    }

    /// Hands the outcome to the loop of the session that waits for it. From any thread.
    func deliver(_ outcome: LoadOutcome, to ticket: LoadTicket) {
        self[ticket.session.loop]?.post { $0.loadEnded(ticket, outcome) }
    }

    /// The handler of a loop that runs.
    subscript(index: UInt16) -> LoopHandler? { handlers.withLock { $0[index] } }
}
