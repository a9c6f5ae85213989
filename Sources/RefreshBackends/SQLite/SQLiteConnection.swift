internal import Dispatch
internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// A read-only connection to a feed's database. It runs the feed's statements.
final class SQLiteConnection: Sendable {
    /// The call that is running now. SQLite's busy callback reads from it whether the call must
    /// stop.
    private final class Current: Sendable {
        let job = Mutex<SQLiteJob?>(nil)
    }

    let identity: FileIdentity
    private let queue: DatabaseQueue
    private let options: SQLiteOptions
    private let current: Current

    /// The maximum time in milliseconds for which a call waits for another process's lock.
    /// `lockStepMs` is the time between two attempts to get the lock.
    private static let lockMs = 200
    private static let lockStepMs = 5
    /// The number of SQLite's VM instructions after which SQLite checks again whether the call must
    /// stop. This number of instructions takes some microseconds.
    private static let stepsPerCheck: Int32 = 1000
    /// The maximum size in bytes of a single value, or of a row before it is encoded. If twice
    /// `responseBytesMax` is larger, the maximum is twice `responseBytesMax`.
    private static let valueBytesMax = 67_108_864

    /// Opens the database and checks the statements. If a statement is invalid, throws
    /// `backendRejected`.
    init(
        _ place: SQLiteFile.Location, _ options: SQLiteOptions, for job: SQLiteJob
    ) throws(LoadFailure) {
        let current = Current()
        current.job.withLock { $0 = job }
        self.current = current
        self.options = options
        identity = place.identity
        do {
            queue = try DatabaseQueue(
                path: place.path, configuration: Self.configuration(current, options))
            try queue.read { try SQLiteCheck.check($0, options) }
        } catch let error as BackendConfigurationError {
            throw LoadFailure(.backendRejected, "The feed's \(error.key) cannot be used.")
        } catch {
            throw LoadFailure(error, while: job)
        }
    }

    /// Runs the feed's statements in one read transaction. A connection must not run two calls at
    /// the same time.
    func page(for job: SQLiteJob) throws(LoadFailure) -> Page {
        let bindings = try SQLiteBindings(job.request, options)
        current.job.withLock { $0 = job }
        defer { current.job.withLock { $0 = nil } }
        do {
            return try queue.read { database in
                Self.setProgressHandler(database, job)
                defer { Self.setProgressHandler(database, nil) }
                return try page(for: job, database, bindings)
            }
        } catch let failure as LoadFailure {
            throw failure
        } catch {
            throw LoadFailure(error, while: job)
        }
    }

    private func page(
        for job: SQLiteJob, _ database: Database, _ bindings: SQLiteBindings
    ) throws -> Page {
        let query = SQLiteStatement(try database.cachedStatement(sql: options.query))
        try query.bind(bindings)
        var rows = SQLiteRows(options)
        while rows.count < job.request.size, try query.step() { try rows.append(query) }
        var page = try rows.page(size: job.request.size)
        if let sql = options.count {
            if let reason = job.stopReason { throw reason }
            let count = SQLiteStatement(try database.cachedStatement(sql: sql))
            try count.bind(bindings)
            guard try count.step(), case .integer(let total) = count.value(at: 0),
                0...PageReader.naturalMax ~= Int(total)
            else {
                throw LoadFailure(
                    .backendAnswerMalformed,
                    "`count` does not return an integer from 0 to \(PageReader.naturalMax).")
            }
            page.total = Int(total)
        }
        return page
    }

    private static func configuration(
        _ current: Current, _ options: SQLiteOptions
    ) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "backend.sqlite"
        configuration.busyMode = .callback { count in
            guard count * lockStepMs < lockMs, let job = current.job.withLock({ $0 }),
                job.stopReason == nil
            else { return false }
            usleep(UInt32(lockStepMs * 1000))
            return true
        }
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA query_only = 1")
            let bytesMax = max(valueBytesMax, 2 * options.responseBytesMax)
            unsafe sqlite3_limit(
                database.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(clamping: bytesMax))
        }
        return configuration
    }

    /// Makes SQLite ask `job` at intervals whether the call must stop. If `job` is nil, SQLite does
    /// not ask any more. An interrupt from another thread could stop the next call of the
    /// connection instead, or be lost between two statements. Asking at intervals has neither
    /// problem.
    private static func setProgressHandler(_ database: Database, _ job: SQLiteJob?) {
        guard let job else {
            unsafe sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
            return
        }
        unsafe sqlite3_progress_handler(
            database.sqliteConnection, stepsPerCheck, sqliteProgressCallback,
            Unmanaged.passUnretained(job).toOpaque())
    }
}

private func sqliteProgressCallback(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context = unsafe context else { return 0 }
    let job = unsafe Unmanaged<SQLiteJob>.fromOpaque(context).takeUnretainedValue()
    return job.stopReason == nil ? 0 : 1
}
