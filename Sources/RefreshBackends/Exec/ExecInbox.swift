internal import Glibc
internal import Synchronization

/// The inbox of an `exec` backend's thread. A pipe wakes the thread, which waits in `poll`.
final class ExecInbox: Sendable {
    private struct State: Sendable {
        var posts: [WorkerEvent] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let pipe: ProcessPipe

    /// Creates the inbox. Returns nil if the system cannot create a pipe.
    init?() {
        guard let pipe = ProcessPipe() else { return nil }
        self.pipe = pipe
        ProcessPipe.makeNonBlocking(pipe.readEnd)
        ProcessPipe.makeNonBlocking(pipe.writeEnd)
    }

    deinit { pipe.closeBoth() }

    /// The descriptor that becomes readable when something was posted.
    var descriptor: Int32 { pipe.readEnd }

    /// Posts an event. Returns false and drops the event if the inbox is closed.
    func post(_ post: WorkerEvent) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            let wasEmpty = state.posts.isEmpty
            state.posts.append(post)
            // One byte is written each time the inbox becomes non-empty, and `drain` reads it. The
            // pipe therefore always has room.
            if wasEmpty { unsafe _ = write(pipe.writeEnd, [1 as UInt8], 1) }
            return true
        }
    }

    /// Removes and returns all events that were posted since the last call.
    func drain() -> [WorkerEvent] {
        state.withLock { state in
            if !state.posts.isEmpty { drainPipe() }
            defer { state.posts = [] }
            return state.posts
        }
    }

    /// Closes the inbox and returns the remaining events. Later posts are rejected.
    func close() -> [WorkerEvent] {
        state.withLock { state in
            state.isClosed = true
            defer { state.posts = [] }
            return state.posts
        }
    }

    private func drainPipe() {
        var bytes = [UInt8](repeating: 0, count: 16)
        unsafe _ = read(pipe.readEnd, &bytes, bytes.count)
    }
}

/// An event that an `exec` backend reports to the log.
package enum ExecEvent: Hashable, Sendable {
    /// A line of standard error without its line end. It has at most 1,000 characters.
    case errorLine(process: Int32, String)
    /// This many lines of standard error were omitted, because there were too many in one second.
    case errorLinesOmitted(process: Int32, lines: Int)
    case started(process: Int32)
    /// The system could not start the process. The value is the system's message.
    case startFailed(String)
    case dismissed(process: Int32, reason: String)
    /// A process ended after `bye` or a kill, with an exit status or by a signal.
    case ended(process: Int32, exitStatus: Int32?, signal: Int32?)
    /// A process ended unexpectedly. `lastLine` is the last line of standard error, which can
    /// contain the reason. It is nil if there was no line.
    case endedUnexpectedly(process: Int32, exitStatus: Int32?, signal: Int32?, lastLine: String?)
}
