internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// One call of a backend with workers, for a load or an edit. The task of the call waits until the
/// workers' thread calls `complete`.
final class PendingLoad: Sendable {
    typealias Answer = Result<Content, LoadFailure>

    /// What the workers must do.
    enum Work: Sendable {
        case load(BackendCall)
        case edit(EditCall)
    }

    /// What a worker has answered.
    enum Content: Sendable {
        case page(Page)
        /// The edit was performed, with the item that the worker has returned, if any.
        case edited([UInt8]?)
    }

    private struct State: Sendable {
        var continuation: CheckedContinuation<Answer, Never>?
        var isCancelled = false
    }

    let work: Work
    private let state = Mutex(State())

    init(_ work: Work) { self.work = work }

    /// Waits for `complete` and returns its answer. `post` posts an event to the workers' thread,
    /// and returns false if the thread has ended. The task may be cancelled before the thread
    /// receives `started`.
    func answer(
        posting post: @escaping @Sendable (WorkerEvent) -> Bool
    ) async throws(LoadFailure) -> Content {
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

    /// Waits as `answer` does, for a load.
    func page(
        posting post: @escaping @Sendable (WorkerEvent) -> Bool
    ) async throws(LoadFailure) -> Page {
        guard case .page(let page) = try await answer(posting: post) else {
            throw Self.otherAnswer
        }
        return page
    }

    /// Waits as `answer` does, for an edit.
    func editedItem(
        posting post: @escaping @Sendable (WorkerEvent) -> Bool
    ) async throws(LoadFailure) -> [UInt8]? {
        guard case .edited(let item) = try await answer(posting: post) else {
            throw Self.otherAnswer
        }
        return item
    }

    private static let otherAnswer = LoadFailure(
        .backendAnswerMalformed, "The worker's answer belongs to another message.")

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

extension PendingLoad.Work {
    var id: CallID {
        switch self {
        case .load(let call): call.id
        case .edit(let call): call.id
        }
    }

    var kind: WorkKind {
        switch self {
        case .load(let call): WorkKind(call.request.feed)
        case .edit(let call): WorkKind(call.request.feed, isForEdits: true)
        }
    }

    var deadline: Instant {
        switch self {
        case .load(let call): call.deadline
        case .edit(let call): call.deadline
        }
    }

    /// The message for a worker. `earlier` is the number of other workers that may have received
    /// the work before.
    func order(id: CallID, earlier: Int, remainingMs: Int) -> WorkerOrder {
        switch self {
        case .load(let call):
            .load(call, id: id, attempt: call.attempt + earlier, remainingMs: remainingMs)
        case .edit(let call):
            .edit(call, id: id, attempt: call.attempt + earlier, remainingMs: remainingMs)
        }
    }
}
