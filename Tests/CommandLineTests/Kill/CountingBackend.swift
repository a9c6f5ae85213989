import Glibc
import Synchronization
import Workbench

/// A slow backend with a feed for each of many daemons. A page has ten items. The backend records
/// its calls and their idempotency keys.
final class CountingBackend: Sendable {
    struct Call: Equatable {
        var key: String
        var page: Int
    }

    /// The record of one daemon's calls.
    final class Line: Sendable {
        fileprivate let calls = Mutex<[Call]>([])
        fileprivate let answers = Mutex(0)

        var begun: [Call] { calls.withLock { $0 } }
        var answered: Int { answers.withLock { $0 } }
    }

    static let pageSize = 10
    /// The duration of each call.
    static let milliseconds: UInt32 = 20

    private final class Table: Sendable {
        let lines = Mutex<[String: Line]>([:])
    }

    private let table: Table
    private let server: LocalServer

    init() throws {
        let table = Table()
        self.table = table
        server = try LocalServer { exchange in
            let parts = exchange.target.split(separator: "/")
            guard parts.count == 2, let page = Int(parts[1]),
                let line = table.lines.withLock({ $0[String(parts[0])] })
            else { return exchange.reply(404, "{}") }
            let call = Call(key: exchange.header("Idempotency-Key") ?? "", page: page)
            line.calls.withLock { $0.append(call) }
            usleep(Self.milliseconds * 1000)
            let first = (page - 1) * Self.pageSize + 1
            let items = (first..<first + Self.pageSize).map { #"{"id":\#($0)}"# }
            exchange.reply(
                200, #"{"items":[\#(items.joined(separator: ","))],"more":true}"#,
                headers: "Content-Type: application/json\r\n")
            line.answers.withLock { $0 += 1 }
        }
    }

    /// Returns the URL of the feed of one daemon, and the record of its calls.
    func line(of name: String) -> (url: String, line: Line) {
        let line = Line()
        table.lines.withLock { $0[name] = line }
        return ("\(server.url)/\(name)/{page}", line)
    }
}
