internal import Dispatch
internal import RefreshProtocol

/// A backend's own thread for reading files, so that a slow disk holds nobody else up: the tasks of
/// other backends share a few threads that must not block.
struct DiskQueue: Sendable {
    private let queue: DispatchQueue

    init(label: String) { self.queue = DispatchQueue(label: label) }

    /// Runs `body` after what was asked before; what was cancelled before its turn costs nothing,
    /// and what runs learns from its wish when it is.
    func run(
        _ body: @escaping @Sendable (DiskWish) throws(LoadFailure) -> Page
    ) async throws(LoadFailure) -> Page {
        let wish = DiskWish()
        let answer: Result<Page, LoadFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    continuation.resume(returning: Self.result(of: body, for: wish))
                }
            }
        } onCancel: {
            wish.cancel()
        }
        return try answer.get()
    }

    private static func result(
        of body: @Sendable (DiskWish) throws(LoadFailure) -> Page, for wish: DiskWish
    ) -> Result<Page, LoadFailure> {
        do throws(LoadFailure) {
            try wish.check()
            return .success(try body(wish))
        } catch {
            return .failure(error)
        }
    }
}
