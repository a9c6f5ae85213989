internal import Dispatch
internal import RefreshProtocol

/// A backend's own thread for reading files, so that a slow disk holds nobody else up: the tasks of
/// other backends share a few threads that must not block.
struct DiskQueue: Sendable {
    private let queue: DispatchQueue

    init(label: String) { self.queue = DispatchQueue(label: label) }

    /// Runs `body` after what was asked before.
    func run(
        _ body: @escaping @Sendable () throws(LoadFailure) -> Page
    ) async throws(LoadFailure) -> Page {
        let answer: Result<Page, LoadFailure> = await withCheckedContinuation { continuation in
            queue.async {
                do throws(LoadFailure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try answer.get()
    }
}
