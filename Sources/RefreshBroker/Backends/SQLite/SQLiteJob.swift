internal import RefreshProtocol
internal import Synchronization

/// One call on its way through a pool: it ends once, with a page or a failure, or cancelled.
final class SQLiteJob: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Result<Page, LoadFailure>, Never>?
        var answer: Result<Page, LoadFailure>?
    }

    let request: LoadRequest
    private let state = Mutex(State())
    private let isCancelledNow = Atomic(false)
    /// Of the monotonic clock, microseconds.
    private let deadline = Atomic(Int64.max)

    init(_ request: LoadRequest) { self.request = request }

    static let cancelled = LoadFailure(.backendFailed, "The call was cancelled.")

    /// Its thread begins, and has so long.
    func begin(timeoutMs: Int) {
        let deadline = MonotonicTime.now.advanced(byMilliseconds: Double(timeoutMs))
        self.deadline.store(deadline.microseconds, ordering: .relaxed)
    }

    /// Nobody waits for it any more. What runs for it sees that and ends; what waits is ended by
    /// whoever cancels.
    func cancel() { isCancelledNow.store(true, ordering: .relaxed) }

    var isCancelled: Bool { isCancelledNow.load(ordering: .relaxed) }

    /// Why what runs for it must stop; nil if it need not.
    var stopReason: LoadFailure? {
        if isCancelled { return Self.cancelled }
        guard MonotonicTime.now.microseconds >= deadline.load(ordering: .relaxed) else {
            return nil
        }
        return LoadFailure(.backendTimedOut, "The query took too long.")
    }

    /// Ends it; an end after the first changes nothing.
    func end(_ answer: Result<Page, LoadFailure>) {
        let continuation = state.withLock { state in
            let isFirst = state.answer == nil
            if isFirst { state.answer = answer }
            return isFirst ? state.continuation.take() : nil
        }
        continuation?.resume(returning: answer)
    }

    /// Waits for the end. Once.
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
