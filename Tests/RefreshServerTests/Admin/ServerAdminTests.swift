import Foundation
import FoundationNetworking
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer
@testable import RefreshSession

@Suite("The admin interface of a daemon", .limit)
struct ServerAdminTests {
    @Test("Admin and public listeners list the sessions of all loops in the order of the names")
    func list() async throws {
        let daemon = try TestDaemon.withOperators()
        var sessions: [(client: DialedClient, name: String)] = []
        for _ in 0..<6 { sessions.append(try await daemon.named()) }
        let answer = try await daemon.order("GET", "/v1/sessions")
        #expect(answer.status == 200)
        let rows = try #require(answer.body["sessions"]?.array)
        #expect(rows.map { $0["session"]?.string } == sessions.map(\.name).sorted())
        #expect(answer.body["next"] == nil)
        for row in rows {
            #expect(row["state"]?.string == "open")
            #expect(row["peer"]?.string == "127.0.0.1")
            #expect(row["views"]?.number == 0)
            #expect((0...60_000).contains(row["ageMs"]?.number ?? -1))
            #expect((0...1).contains(row["loop"]?.number ?? -1))
        }
        let names = sessions.map(\.name).sorted()
        let rest = try await daemon.order("GET", "/v1/sessions?after=\(names[3])")
        #expect(
            rest.body["sessions"]?.array?.map { $0["session"]?.string } == Array(names[4...]))
        let onPublicListener = try await daemon.sendRequest(
            "GET", "/v1/sessions", port: daemon.port, token: "master")
        #expect(onPublicListener.status == 200)
        #expect(
            try await daemon.sendRequest("GET", "/v1/sessions", port: daemon.port).status == 401)
        let head = try await daemon.sendRequest("HEAD", "/v1/sessions", port: daemon.adminPort)
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
    }

    @Test("A connection without `hello` is listed as silent, and a closed session is not listed")
    func silent() async throws {
        let daemon = try TestDaemon.withOperators()
        let client = try await daemon.connect()
        #expect(try await daemon.until { $0.sessions.sessions == 1 })
        let rows = try await daemon.order("GET", "/v1/sessions").body["sessions"]?.array
        #expect(rows?.map { $0["state"]?.string } == ["silent"])
        client.terminate()
        #expect(try await daemon.until { $0.sessions.sessions == 0 })
        #expect(
            try await daemon.order("GET", "/v1/sessions").body["sessions"]?.array?.isEmpty == true)
    }

    @Test("The description of a session contains its views, states, insets and loads")
    func sessionList() async throws {
        let daemon = try TestDaemon.withOperators()
        let (client, name) = try await daemon.named()
        client.send(
            #"{"type":"attach","seq":1,"view":"li\"st","profile":"iqpulltorefresh","feed":"songs","#
                + #""parameters":{"q":"secret-parameter"},"#
                + #""geometry":{"viewport":{"width":100,"height":100}}}"#)
        #expect(await client.receive(within: .patient).text?.contains("attached") == true)
        let answer = try await daemon.sendRequest(
            "GET", "/v1/sessions/\(name)", port: daemon.adminPort)
        #expect(answer.status == 200)
        #expect(!answer.body.contains("secret"))
        let body = try JSONValue(parsing: answer.body)
        #expect(body["session"]?.string == name)
        #expect(body["frames"]?.string == "plain")
        #expect(body["ack"]?.number == 1)
        #expect(body["traced"]?.bool == false)
        let view = try #require(body["views"]?.array?.first)
        #expect(view["view"]?.string == "li\"st")
        #expect(view["feed"]?.string == "songs")
        #expect(view["generation"]?.number == 1)
        #expect(view["insets"]?["refresh"]?.number != nil)
        #expect(view["refresh"]?.string != nil)
        #expect(view["loads"]?.array != nil)
    }

    @Test(
        "For an unknown session the answer is 404, or 405 if libwebsockets changes the path",
        arguments: [
            "0000000000000000", "%00", "%2e%2e", "a%20b", "%E2%80%AE", "%22%7D",
            String(repeating: "a", count: 2000),
        ])
    func unknown(name: String) async throws {
        let daemon = try TestDaemon.withOperators(loops: 1)
        let client = try await daemon.greeted()
        for (method, path) in [("GET", ""), ("POST", "/trace"), ("DELETE", "/trace")] {
            let answer = try await daemon.sendRequest(
                method, "/v1/sessions/\(name)\(path)", port: daemon.adminPort)
            // libwebsockets normalises `..` and the NUL byte in a path. With the names `%2e%2e` and
            // `%00`, the path is therefore not one of the admin interface.
            let isElsewhere = name.hasPrefix("%2e") || name == "%00"
            #expect(
                answer.status == 404 || isElsewhere && answer.status == 405, "\(method) \(path)")
        }
        client.send(#"{"type":"ping","t":1}"#)
        #expect(await client.receive(within: .patient).text?.contains("pong") == true)
    }

    @Test("Concurrent requests are all answered")
    func many() async throws {
        let daemon = try TestDaemon.withOperators()
        let (client, name) = try await daemon.named()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<24 {
                let path = number % 2 == 0 ? "/v1/sessions" : "/v1/sessions/\(name)"
                let port = daemon.adminPort
                let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
                group.addTask { try await TestDaemon.status(of: url) }
            }
            for try await status in group { #expect(status == 200) }
        }
        client.close()
    }

    @Test("A page has the names that follow `after`, and its `next` is the last of these names")
    func pages() throws {
        var list = SessionList(after: "00010")
        for number in (0..<5000).shuffled() {
            let name = String(100_000 + number).dropFirst()
            list.insert(String(name)) {
                SessionRow(
                    name: String(name), loop: 0, state: .open, ageMs: 1, views: 0, subject: nil,
                    peer: nil)
            }
        }
        #expect(list.rows.count <= 2 * SessionList.pageSize)
        let page = try JSONValue(
            parsing: SessionRow.page(of: list.rows, most: SessionList.pageSize))
        let names = page["sessions"]?.array?.compactMap { $0["session"]?.string }
        #expect(names == (11...1010).map { String(String(100_000 + $0).dropFirst()) })
        #expect(page["next"]?.string == "01010")
    }
}

extension TestDaemon {
    /// Returns the status of the answer to a GET request.
    static func status(of url: URL) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let task = URLSession.shared.dataTask(with: URLRequest(url: url)) { _, answer, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(returning: (answer as? HTTPURLResponse)?.statusCode ?? 0)
            }
            task.resume()
        }
    }
}
