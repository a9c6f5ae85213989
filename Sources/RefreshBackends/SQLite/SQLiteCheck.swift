internal import GRDB
internal import RefreshBroker

/// Checks that a feed's SQL statements are read-only and use only known parameter names.
enum SQLiteCheck {
    /// Throws `BackendConfigurationError` for an invalid statement, and GRDB's error for a
    /// statement that this database cannot prepare.
    static func check(_ database: Database, _ options: SQLiteOptions) throws {
        let query = try prepared("query", options.query, database, options)
        let names = Set(query)
        guard names.count == query.count else {
            throw BackendConfigurationError(
                "query", "Two columns of its result have the same name.")
        }
        for column in options.after where !names.contains(column) {
            throw BackendConfigurationError(
                "after", "The query returns no column `\(column)`.")
        }
        if let count = options.count { _ = try prepared("count", count, database, options) }
    }

    /// Checks the statement `sql` and returns the names of its columns. `key` is its configuration
    /// key.
    private static func prepared(
        _ key: String, _ sql: String, _ database: Database, _ options: SQLiteOptions
    ) throws -> [String] {
        let made: Statement
        do {
            made = try database.makeStatement(sql: sql)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_MISUSE {
            // GRDB reports `SQLITE_MISUSE` for an empty text and for more than one statement.
            throw BackendConfigurationError(key, "It must be one statement.")
        }
        let statement = SQLiteStatement(made)
        let columns = statement.columnNames
        guard made.isReadonly, !columns.isEmpty else {
            throw BackendConfigurationError(key, "It must be read-only and return a result.")
        }
        let known = Set(
            SQLiteOptions.requestNames + options.parameters.map(\.name)
                + options.after.map { SQLiteOptions.afterPrefix + $0 })
        for name in statement.parameterNames {
            guard let name, name.hasPrefix(":"), known.contains(String(name.dropFirst())) else {
                throw BackendConfigurationError(
                    key, "`\(name ?? "?")` is a parameter neither of the feed nor of the request.")
            }
        }
        return columns
    }
}
