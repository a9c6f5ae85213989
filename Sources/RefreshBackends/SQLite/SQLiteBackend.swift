internal import GRDB
package import RefreshBroker
internal import RefreshProtocol

/// A backend that reads items from a SQLite database. The items are the rows of a read-only query.
///
/// Clients' values reach the query only as bound parameters. Source: docs/backends.md, "sqlite".
package struct SQLiteBackend: Backend {
    private let pool: SQLitePool

    /// Checks the options. If the database can be opened now, also checks the statements. If it
    /// cannot be opened, each new connection checks the statements.
    package init(_ options: SQLiteOptions) throws(BackendConfigurationError) {
        try options.check()
        let file = try SQLiteFile(options)
        try Self.checkStatements(file, options)
        pool = SQLitePool(file, options)
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        try await pool.page(for: call.request)
    }

    private static func checkStatements(
        _ file: SQLiteFile, _ options: SQLiteOptions
    ) throws(BackendConfigurationError) {
        guard let place = try? file.locate() else { return }
        var configuration = Configuration()
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: place.path, configuration: configuration) else {
            return
        }
        do {
            try queue.read { try SQLiteCheck.check($0, options) }
        } catch let error as BackendConfigurationError {
            throw error
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw BackendConfigurationError(
                "query", "SQLite reports: \(error.message ?? "it cannot be prepared").")
        } catch {
            // The database is locked or corrupt. Each load reports this.
            return
        }
    }
}
