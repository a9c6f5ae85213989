internal import GRDB
internal import RefreshProtocol

extension LoadFailure {
    /// What SQLite's word means; it is never passed on, for it names tables and columns.
    init(_ error: any Error, while job: SQLiteJob) {
        guard let error = error as? DatabaseError else {
            self.init(.backendFailed, "The database failed.")
            return
        }
        let code = error.resultCode
        switch code {
        case .SQLITE_INTERRUPT:
            self = job.stopReason ?? SQLiteJob.cancelled
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.backendBusy, "The database is locked.")
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(.backendUnavailable, "The database cannot be opened.")
        case .SQLITE_READONLY:
            // A journal of a writer that is gone, which only a writer can bring to its end.
            self.init(.backendUnavailable, "The database must be recovered by a writer.")
        case .SQLITE_TOOBIG:
            self.init(.backendAnswerTooLarge, "A value of the database is too large.")
        default:
            self.init(.backendFailed, "The database failed (\(code.rawValue)).")
        }
    }
}
