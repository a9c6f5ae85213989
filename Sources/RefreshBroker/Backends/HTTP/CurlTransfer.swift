internal import RefreshProtocol
internal import Synchronization

/// One request: what a task asks for and is answered by.
final class CurlTransfer: Sendable {
    typealias Result = Swift.Result<HTTPAnswer, LoadFailure>

    private struct State: Sendable {
        var continuation: CheckedContinuation<Result, Never>?
        var isCancelled = false
    }

    let request: HTTPRequest
    private let state = Mutex(State())

    init(_ request: HTTPRequest) { self.request = request }

    /// Its task now waits.
    func begin(_ continuation: CheckedContinuation<Result, Never>) {
        state.withLock { $0.continuation = continuation }
    }

    /// Its task does not want it any more. May come before `begin`.
    func cancel() { state.withLock { $0.isCancelled = true } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether its task waits: it began and was not answered.
    var isAwaited: Bool { state.withLock { $0.continuation != nil } }

    /// Answers the task; a second answer is dropped.
    func end(_ result: Result) {
        let continuation = state.withLock { state in
            let continuation = state.continuation
            state.continuation = nil
            return continuation
        }
        continuation?.resume(returning: result)
    }
}
