internal import Synchronization

/// What the daemon's loops do with their connections, by the index of the loop. From any thread.
final class LoopHandlers: Sendable {
    private let handlers = Mutex<[Int: LoopHandler]>([:])

    func enter(_ handler: LoopHandler, index: Int) {
        handlers.withLock { $0[index] = handler }
    }

    /// Nil before the loop has made it.
    subscript(index: Int) -> LoopHandler? { handlers.withLock { $0[index] } }
}
