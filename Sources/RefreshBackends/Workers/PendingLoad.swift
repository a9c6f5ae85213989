internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// One call of a backend with workers. The task of the call waits until the workers' thread calls
/// `complete`.
final class PendingLoad: Sendable {
    typealias Answer = Result<Page, LoadFailure>

    private struct State: Sendable {
        var continuation: CheckedContinuation<Answer, Never>?
        var isCancelled = false
    }

    let call: BackendCall
    private let state = Mutex(State())

    init(_ call: BackendCall) { self.call = call }

    /// Waits for `complete` and returns its answer. `post` posts an event to the workers' thread,
    /// and returns false if the thread has ended. The task may be cancelled before the thread
    /// receives `started`.
    func answer(
        posting post: @escaping @Sendable (WorkerEvent) -> Bool
    ) async throws(LoadFailure) -> Page {
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.continuation = continuation }
                if !post(.started(self)) { complete(.failure(WorkerPool.stopFailure)) }
            }
        } onCancel: {
            state.withLock { $0.isCancelled = true }
            // If the thread has ended, this load has ended with it.
            _ = post(.cancelled(self))
        }
        return try answer.get()
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Resumes the waiting task with an answer. A second answer is dropped.
    func complete(_ answer: Answer) {
        let continuation = state.withLock { state in
            let continuation = state.continuation
            state.continuation = nil
            return continuation
        }
        continuation?.resume(returning: answer)
    }
}
