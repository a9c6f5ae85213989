internal import GRDB
internal import RefreshBroker
internal import RefreshProtocol

extension LoadFailure {
    /// Translates an error of SQLite. SQLite's message is never forwarded, because it contains
    /// names of tables and columns.
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
            // A writer ended without removing SQLite's own journal. Only a writer can recover the
            // database from that journal.
            self.init(.backendUnavailable, "The database must be recovered by a writer.")
        case .SQLITE_TOOBIG:
            self.init(.backendAnswerTooLarge, "A value of the database is too large.")
        default:
            self.init(.backendFailed, "The database failed (\(code.rawValue)).")
        }
    }
}
