internal import RefreshProtocol
internal import Synchronization

/// The cancellation flag of one piece of work in a disk queue.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }

    /// Throws if the work was cancelled. The message is never read, because no waiter is left.
    func checkCancellation() throws(LoadFailure) {
        if isCancelled { throw LoadFailure(.backendFailed, "The call was cancelled.") }
    }
}
