import RefreshBroker
import Synchronization

/// A backend that wraps another one. It records calls, and holds them until the test calls `open`.
final class HeldBackend: Backend {
    private struct State {
        var requests: [LoadRequest] = []
        var pages: [Page] = []
        var running = 0
        var isOpen: Bool
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let backend: any Backend
    private let state: Mutex<State>

    /// Creates the backend. If `isOpen` is true, calls are recorded but not held.
    init(_ backend: any Backend, isOpen: Bool = false) {
        self.backend = backend
        state = Mutex(State(isOpen: isOpen))
    }

    /// The requests of all calls so far.
    var requests: [LoadRequest] { state.withLock { $0.requests } }
    /// The pages that were returned so far.
    var pages: [Page] { state.withLock { $0.pages } }
    /// The number of calls that have not ended.
    var running: Int { state.withLock { $0.running } }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for call in held { call.resume() }
    }

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        state.withLock { state in
            state.requests.append(call.request)
            state.running += 1
        }
        defer { state.withLock { $0.running -= 1 } }
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state in
                if !state.isOpen { state.held.append(continuation) }
                return state.isOpen
            }
            if passes { continuation.resume() }
        }
        let page = try await backend.load(call)
        state.withLock { $0.pages.append(page) }
        return page
    }
}
