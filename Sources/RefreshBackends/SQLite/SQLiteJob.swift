internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// One call in a `SQLitePool`. It ends exactly once, with a page, a failure or a cancellation.
final class SQLiteJob: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Result<Page, LoadFailure>, Never>?
        var answer: Result<Page, LoadFailure>?
    }

    let request: LoadRequest
    private let state = Mutex(State())
    private let isCancelledNow = Atomic(false)
    /// The deadline on the monotonic clock, in microseconds.
    private let deadline = Atomic(Int64.max)

    init(_ request: LoadRequest) { self.request = request }

    static let cancelled = LoadFailure(.backendFailed, "The call was cancelled.")

    /// Starts the job: its deadline is `timeoutMs` milliseconds from now.
    func start(timeoutMs: Int) {
        let deadline = MonotonicTime.now.advanced(byMilliseconds: Double(timeoutMs))
        self.deadline.store(deadline.microseconds, ordering: .relaxed)
    }

    /// Marks the job as cancelled. If the job is running, it ends at its next check. If the job is
    /// queued, the caller must end it with `complete`.
    func cancel() { isCancelledNow.store(true, ordering: .relaxed) }

    var isCancelled: Bool { isCancelledNow.load(ordering: .relaxed) }

    /// The reason why the running job must stop; nil if it may continue.
    var stopReason: LoadFailure? {
        if isCancelled { return Self.cancelled }
        guard MonotonicTime.now.microseconds >= deadline.load(ordering: .relaxed) else {
            return nil
        }
        return LoadFailure(.backendTimedOut, "The query took too long.")
    }

    /// Ends the job. Only the first call has an effect.
    func complete(_ answer: Result<Page, LoadFailure>) {
        let continuation = state.withLock { state in
            let isFirst = state.answer == nil
            if isFirst { state.answer = answer }
            return isFirst ? state.continuation.take() : nil
        }
        continuation?.resume(returning: answer)
    }

    /// Waits until the job has ended, and returns its answer. This property may be read only once.
    var answer: Result<Page, LoadFailure> {
        get async {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state in
                    if state.answer == nil { state.continuation = continuation }
                    return state.answer
                }
                if let answer { continuation.resume(returning: answer) }
            }
        }
    }
}
