internal import Synchronization

/// The handlers of the daemon's loops, by the index of the loop. May be used on any thread.
final class LoopHandlers: Sendable {
    private let handlers = Mutex<[Int: LoopHandler]>([:])

    func register(_ handler: LoopHandler, index: Int) {
        handlers.withLock { $0[index] = handler }
    }

    /// The handler of the loop; nil before the loop has created it.
    subscript(index: Int) -> LoopHandler? { handlers.withLock { $0[index] } }
}
