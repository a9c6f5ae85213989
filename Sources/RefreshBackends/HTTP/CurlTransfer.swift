internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// One request and the task that waits for its answer.
final class CurlTransfer: Sendable {
    typealias Result = Swift.Result<HTTPAnswer, LoadFailure>

    private struct State: Sendable {
        var continuation: CheckedContinuation<Result, Never>?
        var isCancelled = false
    }

    /// Receives the answer of a stream while it arrives.
    struct Receiver: Sendable {
        /// The identity of the stream.
        let stream: ObjectIdentifier
        /// Each function returns false if the transfer must end.
        let head: @Sendable (ResponseFields) -> Bool
        let body: @Sendable ([UInt8]) -> Bool
    }

    let request: HTTPRequest
    /// The options of the backend.
    let options: HTTPOptions
    /// Nil if the whole answer is the result of the transfer.
    let receiver: Receiver?
    private let state = Mutex(State())

    init(_ request: HTTPRequest, options: HTTPOptions, receiver: Receiver? = nil) {
        self.request = request
        self.options = options
        self.receiver = receiver
    }

    /// Records that the task is waiting.
    func setContinuation(_ continuation: CheckedContinuation<Result, Never>) {
        state.withLock { $0.continuation = continuation }
    }

    /// Records that the task was cancelled. This can happen before `setContinuation`.
    func cancel() { state.withLock { $0.isCancelled = true } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the task is waiting: it has a continuation that was not resumed.
    var isAwaited: Bool { state.withLock { $0.continuation != nil } }

    /// Resumes the waiting task with the result. A second result is dropped.
    func complete(_ result: Result) {
        let continuation = state.withLock { state in
            let continuation = state.continuation
            state.continuation = nil
            return continuation
        }
        continuation?.resume(returning: result)
    }
}
