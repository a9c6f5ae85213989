import Foundation
import GRDB
import RefreshBackends
import RefreshBroker
import RefreshProtocol
import Workbench

extension ContractSubject {
    /// The kind `sqlite`. While the table `trouble` has a row, a query has the behaviour.
    static let sqlite = ContractSubject(
        "sqlite",
        covers: [
            .list, .empty, .duplicates, .echo, .failing(.backendUnavailable),
            .failing(.backendBusy), .failing(.backendRejected), .hanging, .garbage, .wrongTypes,
            .gigabyte, .dying,
        ]
    ) { behaviour in
        let file = try TemporaryFile("items.db")
        let database = try SQLiteItems(file.path, count: behaviour == .dying ? 20_000 : 45)
        if behaviour == .empty { try database.execute("DELETE FROM items") }
        var options = SQLiteOptions(path: file.path, query: SQLiteItems.query(behaviour))
        options.paging = .cursor
        options.after = ["id"]
        options.parameters = EchoedRequest.parameters
        options.count = "SELECT count(*) FROM items"
        options.timeoutMs = 60_000
        var rig = Rig(try SQLiteBackend(options))
        rig.paging = .cursor
        rig.items = SQLiteItems.items
        rig.reportsTotal = true
        rig.answer = OddJSON.twins
        rig.code = .backendAnswerMalformed
        rig.heal = { try database.execute("DELETE FROM trouble") }
        rig.holding = [file, database]
        switch behaviour {
        case .echo:
            rig.cursor = "Wzdd"
            rig.echoed = Set(EchoedRequest.texts(of: EchoedRequest.call(cursor: "")).keys)
                .subtracting(["feed", "trigger", "key", "attempt", "headers.x-tenant"])
            rig.echoedOtherwise = ["cursor": "7", "parameters.sold": "1"]
        case .failing(.backendUnavailable, nil):
            let aside = file.path + ".aside"
            try FileManager.default.moveItem(atPath: file.path, toPath: aside)
            rig.heal = {
                try FileManager.default.moveItem(atPath: aside, toPath: file.path)
                try database.execute("DELETE FROM trouble")
            }
        case .failing(.backendBusy, nil):
            try database.execute("DELETE FROM trouble; BEGIN EXCLUSIVE")
            rig.heal = { try database.execute("COMMIT") }
        case .failing(.backendRejected, nil):
            rig.fatal = rig.next(after: rig.refresh, Page(items: [], count: 0, cursor: "W10"))
        case .gigabyte: rig.code = .backendAnswerTooLarge
        case .dying:
            try database.execute("DELETE FROM trouble")
            rig.code = .backendFailed
            let whole = try Data(contentsOf: URL(filePath: file.path))
            try file.write(Array(whole.prefix(whole.count / 2)))
            rig.heal = {
                try file.write(Array(whole))
                try database.execute("DELETE FROM items WHERE id > 1")
            }
        default: break
        }
        return rig
    }
}

/// A database with the table `items`, and one row in the table `trouble`.
final class SQLiteItems: Sendable {
    static let items = (1...45).map { #"{"id":\#($0),"title":"Item \#($0)"}"# }

    private let queue: DatabaseQueue

    init(_ path: String, count: Int) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try execute(
            """
            CREATE TABLE items(id INTEGER PRIMARY KEY, title TEXT);
            CREATE TABLE trouble(id INTEGER);
            INSERT INTO trouble VALUES (1);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO items SELECT i, 'Item ' || i FROM n;
            """)
    }

    func execute(_ sql: String) throws {
        try queue.unsafeRead { try $0.execute(sql: sql) }
    }

    /// Returns a query that has the behaviour while the table `trouble` has a row. Otherwise it
    /// returns one row.
    static func query(_ behaviour: Behaviour) -> String {
        let isTroubled = "EXISTS(SELECT 1 FROM trouble)"
        switch behaviour {
        case .list, .empty:
            return """
                SELECT id, title FROM items WHERE :after_id IS NULL OR id > :after_id
                ORDER BY id LIMIT :size
                """
        case .duplicates: return "SELECT 1 AS id UNION ALL SELECT 1"
        case .echo:
            return """
                SELECT 1 AS id, :kind AS kind, :page AS page,
                :offset AS offset, :size AS size, :after_id AS cursor, :subject AS subject,
                :q AS "parameters.q", :year AS "parameters.year", :price AS "parameters.price",
                :sold AS "parameters.sold"
                """
        case .hanging:
            return """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE \(isTroubled))
                SELECT max(i) AS id FROM n
                """
        case .garbage:
            return "SELECT 1 AS id, iif(\(isTroubled), CAST(x'ff' AS TEXT), 'sound') AS title"
        case .wrongTypes: return "SELECT 1 AS id, iif(\(isTroubled), 9e999, 1.5) AS title"
        case .gigabyte:
            return "SELECT 1 AS id, iif(\(isTroubled), hex(zeroblob(500000000)), '') AS title"
        case .dying: return "SELECT id, title FROM items ORDER BY length(title) DESC, id"
        default: return "SELECT 1 AS id"
        }
    }
}
