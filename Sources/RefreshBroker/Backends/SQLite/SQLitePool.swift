internal import Dispatch
internal import RefreshProtocol
internal import Synchronization

/// At most `SQLitePool.lanes` calls of one database at a time, each on a thread and a connection of
/// its own; the others wait, first come first served.
///
/// The tasks of other backends share a few threads that must not block: these here may.
final class SQLitePool: Sendable {
    private struct State {
        var waiting: [SQLiteJob] = []
        var working = 0
        var idle: [SQLiteConnection] = []
    }

    static let lanes = 4

    private let file: SQLiteFile
    private let options: SQLiteOptions
    private let state = Mutex(State())
    private let threads = DispatchQueue(label: "backend.sqlite", attributes: .concurrent)

    init(_ file: SQLiteFile, _ options: SQLiteOptions) {
        self.file = file
        self.options = options
    }

    /// The page for a request. A cancelled call that waits ends at once; one that runs as soon as
    /// SQLite looks.
    func page(for request: LoadRequest) async throws(LoadFailure) -> Page {
        let job = SQLiteJob(request)
        let answer = await withTaskCancellationHandler {
            enqueue(job)
            return await job.answer
        } onCancel: {
            cancel(job)
        }
        return try answer.get()
    }

    private func enqueue(_ job: SQLiteJob) {
        let begins = state.withLock { state in
            state.waiting.append(job)
            guard state.working < Self.lanes else { return false }
            state.working += 1
            return true
        }
        if begins { threads.async { self.work() } }
    }

    private func cancel(_ job: SQLiteJob) {
        job.cancel()
        let wasWaiting = state.withLock { state in
            let count = state.waiting.count
            state.waiting.removeAll { $0 === job }
            return state.waiting.count < count
        }
        if wasWaiting { job.end(.failure(SQLiteJob.cancelled)) }
    }

    /// Does what waits, one after the other, until nothing does.
    private func work() {
        while let (job, connection) = next() {
            job.begin(timeoutMs: options.timeoutMs)
            let (answer, connection) = run(job, on: connection)
            if let connection { state.withLock { $0.idle.append(connection) } }
            job.end(answer)
        }
    }

    private func next() -> (SQLiteJob, SQLiteConnection?)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.working -= 1
                return nil
            }
            return (state.waiting.removeFirst(), state.idle.popLast())
        }
    }

    /// The answer, and the connection if it can be used again.
    private func run(
        _ job: SQLiteJob, on connection: SQLiteConnection?
    ) -> (Result<Page, LoadFailure>, SQLiteConnection?) {
        do throws(LoadFailure) {
            if let reason = job.stopReason { return (.failure(reason), connection) }
            // Another file of the same name is another database.
            let place = try file.locate()
            guard let connection, connection.identity == place.identity else {
                return ask(try SQLiteConnection(place, options, for: job), for: job)
            }
            return ask(connection, for: job)
        } catch {
            return (.failure(error), nil)
        }
    }

    private func ask(
        _ connection: SQLiteConnection, for job: SQLiteJob
    ) -> (Result<Page, LoadFailure>, SQLiteConnection?) {
        do throws(LoadFailure) {
            return (.success(try connection.page(for: job)), connection)
        } catch {
            // One that broke down is not asked again: the next call opens the file anew.
            return (.failure(error), error.code == .backendFailed ? nil : connection)
        }
    }
}
