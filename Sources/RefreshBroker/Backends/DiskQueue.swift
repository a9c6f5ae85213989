internal import Dispatch
internal import RefreshProtocol
internal import Synchronization

/// A backend's own thread for reading files, so that a slow disk holds nobody else up: the tasks of
/// other backends share a few threads that must not block.
struct DiskQueue: Sendable {
    /// Whether somebody still waits for a piece of work.
    private final class Wish: Sendable {
        let isCancelled = Atomic<Bool>(false)
    }

    private let queue: DispatchQueue

    init(label: String) { self.queue = DispatchQueue(label: label) }

    /// Runs `body` after what was asked before; what was cancelled before its turn costs nothing.
    func run(
        _ body: @escaping @Sendable () throws(LoadFailure) -> Page
    ) async throws(LoadFailure) -> Page {
        let wish = Wish()
        let answer: Result<Page, LoadFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    continuation.resume(returning: Self.result(of: body, for: wish))
                }
            }
        } onCancel: {
            wish.isCancelled.store(true, ordering: .relaxed)
        }
        return try answer.get()
    }

    private static func result(
        of body: @Sendable () throws(LoadFailure) -> Page, for wish: Wish
    ) -> Result<Page, LoadFailure> {
        guard !wish.isCancelled.load(ordering: .relaxed) else {
            return .failure(LoadFailure(.backendBusy, "cancelled before its turn"))
        }
        do throws(LoadFailure) {
            return .success(try body())
        } catch {
            return .failure(error)
        }
    }
}
