internal import RefreshProtocol
internal import Synchronization

/// Whether somebody still waits for a piece of a disk queue's work.
final class DiskWish: Sendable {
    private let isOver = Atomic(false)

    var isCancelled: Bool { isOver.load(ordering: .relaxed) }

    func cancel() { isOver.store(true, ordering: .relaxed) }

    /// Throws once nobody waits any more, so nobody reads why.
    func check() throws(LoadFailure) {
        if isCancelled { throw LoadFailure(.backendFailed, "The call was cancelled.") }
    }
}
