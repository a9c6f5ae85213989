import GRDB
import RefreshBroker
import Workbench

@testable import RefreshBackends

/// A database of songs for one test. The file is removed when this object is released.
final class SongDatabase: Sendable {
    private let file: TemporaryFile
    private let queue: DatabaseQueue

    var path: String { file.path }

    /// Creates the database. If `isLogged` is true, it uses the journal mode WAL.
    init(songs: Int = 5, isLogged: Bool = false) throws {
        file = try TemporaryFile("songs.db")
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: file.path, configuration: configuration)
        if isLogged { try execute("PRAGMA journal_mode = WAL") }
        try execute(
            """
            CREATE TABLE songs(id INTEGER PRIMARY KEY, title TEXT, added REAL, cover BLOB);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(songs))
            INSERT INTO songs SELECT i, 'Song ' || i, i / 2, NULL FROM n WHERE i <= \(songs);
            """)
    }

    func execute(_ sql: String) throws {
        try queue.unsafeRead { try $0.execute(sql: sql) }
    }

    /// Returns the single value of a query as text.
    func text(_ sql: String) throws -> String? {
        try queue.unsafeRead { try String.fetchOne($0, sql: sql) }
    }

    /// Returns options for a query of this database, with the default paging.
    func options(_ query: String) -> SQLiteOptions {
        var options = SQLiteOptions(path: path, query: query)
        options.parameters = [
            FeedParameter("q"), FeedParameter("year", .integer), FeedParameter("price", .number),
            FeedParameter("sold", .boolean),
        ]
        return options
    }
}
