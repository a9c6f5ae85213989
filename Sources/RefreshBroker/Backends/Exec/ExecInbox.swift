internal import Glibc
internal import Synchronization

/// What others leave for the thread of an `exec` backend, which waits in `poll`: a pipe wakes it.
final class ExecInbox: Sendable {
    private struct State: Sendable {
        var posts: [WorkerPost] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let pipe: ProcessPipe

    /// Nil: the system has no pipe to give.
    init?() {
        guard let pipe = ProcessPipe() else { return nil }
        self.pipe = pipe
        ProcessPipe.makeNonBlocking(pipe.reading)
        ProcessPipe.makeNonBlocking(pipe.writing)
    }

    deinit { pipe.closeBoth() }

    /// Becomes readable when something was left.
    var descriptor: Int32 { pipe.reading }

    /// False if the inbox is closed, and the post is dropped.
    func post(_ post: WorkerPost) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            let wasEmpty = state.posts.isEmpty
            state.posts.append(post)
            // At most one byte stands in the pipe for each time it filled, so there is room.
            if wasEmpty { unsafe _ = write(pipe.writing, [1 as UInt8], 1) }
            return true
        }
    }

    /// What was left since.
    func take() -> [WorkerPost] {
        state.withLock { state in
            if !state.posts.isEmpty { drainPipe() }
            defer { state.posts = [] }
            return state.posts
        }
    }

    /// Takes what is left; nothing can be left any more.
    func close() -> [WorkerPost] {
        state.withLock { state in
            state.isClosed = true
            defer { state.posts = [] }
            return state.posts
        }
    }

    private func drainPipe() {
        var bytes = [UInt8](repeating: 0, count: 16)
        unsafe _ = read(pipe.reading, &bytes, bytes.count)
    }
}
