internal import Dispatch
internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// A backend's own thread for reading files, so that a slow disk delays no other backend. The tasks
/// of other backends share a few threads that must not block.
struct DiskQueue: Sendable {
    private let queue: DispatchQueue

    init(label: String) { self.queue = DispatchQueue(label: label) }

    /// Runs `body` after all work that was queued earlier. If the work is cancelled before it
    /// starts, it is skipped. Running work can check its cancellation flag.
    func run(
        _ body: @escaping @Sendable (CancellationFlag) throws(LoadFailure) -> Page
    ) async throws(LoadFailure) -> Page {
        let cancellation = CancellationFlag()
        let answer: Result<Page, LoadFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    continuation.resume(returning: Self.result(of: body, for: cancellation))
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try answer.get()
    }

    private static func result(
        of body: @Sendable (CancellationFlag) throws(LoadFailure) -> Page,
        for cancellation: CancellationFlag
    ) -> Result<Page, LoadFailure> {
        do throws(LoadFailure) {
            try cancellation.checkCancellation()
            return .success(try body(cancellation))
        } catch {
            return .failure(error)
        }
    }
}

/// The cancellation flag of one piece of work in a disk queue.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }

    /// Throws if the work was cancelled. The message of the error is never read, because the
    /// caller has stopped waiting for the result.
    func checkCancellation() throws(LoadFailure) {
        if isCancelled { throw LoadFailure(.backendFailed, "The call was cancelled.") }
    }
}
