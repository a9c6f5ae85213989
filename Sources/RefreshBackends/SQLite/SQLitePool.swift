internal import Dispatch
internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// The lanes (serial queues) of one database. At most `SQLitePool.lanes` calls run concurrently,
/// each on its own thread and connection. Further calls wait in the order of their arrival.
///
/// A lane is a serial queue, because only serial queues have their own threads. Concurrent queues
/// share their threads with all Swift tasks. On a concurrent queue, a few expensive queries would
/// delay every backend, and even their own cancellation.
final class SQLitePool: Sendable {
    private struct State {
        var waiting: [SQLiteJob] = []
        var freeLanes: [DispatchQueue]
        var idle: [SQLiteConnection] = []
    }

    static let lanes = 4

    private let file: SQLiteFile
    private let options: SQLiteOptions
    private let state: Mutex<State>

    init(_ file: SQLiteFile, _ options: SQLiteOptions) {
        self.file = file
        self.options = options
        let lanes = (0..<Self.lanes).map { DispatchQueue(label: "backend.sqlite.\($0)") }
        state = Mutex(State(freeLanes: lanes))
    }

    /// Returns the page for a request. If a queued call is cancelled, it ends immediately. If a
    /// running call is cancelled, it ends when SQLite next checks for cancellation.
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
        let lane = state.withLock { state in
            state.waiting.append(job)
            return state.freeLanes.popLast()
        }
        if let lane { lane.async { self.runJobs(on: lane) } }
    }

    private func cancel(_ job: SQLiteJob) {
        job.cancel()
        let wasWaiting = state.withLock { state in
            let count = state.waiting.count
            state.waiting.removeAll { $0 === job }
            return state.waiting.count < count
        }
        if wasWaiting { job.complete(.failure(SQLiteJob.cancelled)) }
    }

    /// Runs queued jobs one after the other until no job is queued.
    private func runJobs(on lane: DispatchQueue) {
        while let (job, connection) = dequeueJob(on: lane) {
            job.start(timeoutMs: options.timeoutMs)
            let (answer, connection) = run(job, on: connection)
            if let connection { state.withLock { $0.idle.append(connection) } }
            job.complete(answer)
        }
    }

    private func dequeueJob(on lane: DispatchQueue) -> (SQLiteJob, SQLiteConnection?)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.freeLanes.append(lane)
                return nil
            }
            return (state.waiting.removeFirst(), state.idle.popLast())
        }
    }

    /// Returns the answer, and the connection if it can be reused.
    private func run(
        _ job: SQLiteJob, on connection: SQLiteConnection?
    ) -> (Result<Page, LoadFailure>, SQLiteConnection?) {
        do throws(LoadFailure) {
            if let reason = job.stopReason { return (.failure(reason), connection) }
            // The file may have been replaced after the connection was opened. The new file is
            // another database, so it needs a new connection.
            let place = try file.locate()
            guard let connection, connection.identity == place.identity else {
                return runQuery(try SQLiteConnection(place, options, for: job), for: job)
            }
            return runQuery(connection, for: job)
        } catch {
            return (.failure(error), nil)
        }
    }

    private func runQuery(
        _ connection: SQLiteConnection, for job: SQLiteJob
    ) -> (Result<Page, LoadFailure>, SQLiteConnection?) {
        do throws(LoadFailure) {
            return (.success(try connection.page(for: job)), connection)
        } catch {
            // After `backendFailed`, the connection is not reused. A later call opens the file
            // again.
            return (.failure(error), error.code == .backendFailed ? nil : connection)
        }
    }
}
