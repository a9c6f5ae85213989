import GRDB
import Testing

@testable import RefreshBackends

@Suite("SQLite statements")
struct SQLiteStatementTests {
    @Test("Reading the size of a value does not change its type")
    func bytes() throws {
        try DatabaseQueue().read { database in
            let sql = "SELECT 1234, 1.5, NULL, 'añc', '', x'00ff00', CAST('7' AS INTEGER)"
            let statement = SQLiteStatement(try database.makeStatement(sql: sql))
            #expect(try statement.step())
            #expect((0..<7).map { statement.bytesCount(at: $0) } == [0, 0, 0, 4, 0, 3, 0])
            #expect(
                (0..<7).map { statement.value(at: $0) } == [
                    .integer(1234), .real(1.5), .null, .text("añc"), .text(""), .blob([0, 255, 0]),
                    .integer(7),
                ])
        }
    }
}
