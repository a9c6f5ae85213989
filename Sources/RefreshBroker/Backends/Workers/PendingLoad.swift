internal import RefreshProtocol
internal import Synchronization

/// One call of a backend of workers: what its task waits for, and the workers' thread answers.
final class PendingLoad: Sendable {
    typealias Answer = Result<Page, LoadFailure>

    private struct State: Sendable {
        var continuation: CheckedContinuation<Answer, Never>?
        var isCancelled = false
    }

    let call: BackendCall
    private let state = Mutex(State())

    init(_ call: BackendCall) { self.call = call }

    /// Waits for `end`. `post` leaves a message for the thread, false if that has ended; the
    /// cancelling of the task may come before the start.
    func answer(
        posting post: @escaping @Sendable (WorkerPost) -> Bool
    ) async throws(LoadFailure) -> Page {
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.continuation = continuation }
                if !post(.started(self)) { end(.failure(WorkerPool.stopFailure)) }
            }
        } onCancel: {
            state.withLock { $0.isCancelled = true }
            // A thread that has ended has ended this load too.
            _ = post(.cancelled(self))
        }
        return try answer.get()
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Answers the task; a second answer is dropped.
    func end(_ answer: Answer) {
        let continuation = state.withLock { state in
            let continuation = state.continuation
            state.continuation = nil
            return continuation
        }
        continuation?.resume(returning: answer)
    }
}
