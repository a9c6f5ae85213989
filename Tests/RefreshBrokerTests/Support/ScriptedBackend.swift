import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing

/// A backend that answers when the test calls `answer`. The test fails if the broker starts a call
/// while an equal call is running, or cancels a call twice.
final class ScriptedBackend: Backend {
    private struct Call: Sendable {
        let request: LoadRequest
        let continuation: CheckedContinuation<Result<Page, LoadFailure>, Never>
    }

    private struct State: Sendable {
        var calls: [Int: Call] = [:]
        var cancelled: Set<Int> = []
        var begun: [LoadRequest] = []
        var holdsOn = false
    }

    private let state = Mutex(State())

    /// Creates the backend. If `holdsOn` is true, a cancelled call ends only when it is answered,
    /// as if it were aborted too late.
    init(holdsOn: Bool = false) { state.withLock { $0.holdsOn = holdsOn } }

    /// The requests in the order of their calls.
    var begun: [LoadRequest] { state.withLock { $0.begun } }
    var cancelledCount: Int { state.withLock { $0.cancelled.count } }
    var runningCount: Int { state.withLock { $0.calls.count } }

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let request = call.request
        let number = state.withLock { state in
            state.begun.append(request)
            return state.begun.count
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let twins = state.calls.filter {
                        $0.value.request == request && !state.cancelled.contains($0.key)
                    }
                    if !twins.isEmpty { Issue.record("an equal call is in flight already") }
                    state.calls[number] = Call(request: request, continuation: continuation)
                    return state.cancelled.contains(number) && !state.holdsOn
                }
                if isOver { end(number, Self.aborted) }
            }
        } onCancel: {
            let ends = state.withLock { state in
                if !state.cancelled.insert(number).inserted {
                    Issue.record("the call was cancelled twice")
                }
                return !state.holdsOn
            }
            if ends { end(number, Self.aborted) }
        }
        return try result.get()
    }

    /// Answers the oldest call for this request. The test fails if there is no such call.
    func answer(_ request: LoadRequest, _ result: Result<Page, LoadFailure>) {
        let number = state.withLock { state in
            state.calls.filter { $0.value.request == request }.keys.min()
        }
        guard let number else {
            Issue.record("no call for \(request)")
            return
        }
        end(number, result)
    }

    private func end(_ number: Int, _ result: Result<Page, LoadFailure>) {
        let call = state.withLock { $0.calls.removeValue(forKey: number) }
        call?.continuation.resume(returning: result)
    }

    private static let aborted = Result<Page, LoadFailure>.failure(
        LoadFailure(.backendFailed, "aborted"))
}
