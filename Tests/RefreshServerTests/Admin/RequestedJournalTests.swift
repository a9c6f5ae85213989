import Foundation
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Journals on request", .limit)
struct RequestedJournalTests {
    private static func daemon(
        in folder: TemporaryFile?, limits: String = "", all: Bool = false,
        log: DaemonLog = .silent
    ) throws -> TestDaemon {
        try TestDaemon.withOperators(limits: limits, log: log) { file in
            file.journalOnRequest = all ? nil : folder?.path
            file.journal = all ? folder?.path : nil
        }
    }

    private static func path(_ name: String) -> String { "/v1/sessions/\(name)/journal" }

    /// Waits until the journal has its closing line, and returns its lines.
    private static func lines(
        of answer: JSONValue, in folder: TemporaryFile
    ) async throws -> [JournalLine] {
        let name = try #require(answer["journal"]?.string)
        let path = folder.path + "/" + name
        for _ in 0..<3000 * patience {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            if text.contains(#"{"end":true"#) {
                return try text.split(separator: "\n").map {
                    try JournalLine(parsing: Array($0.utf8))
                }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("the journal was not ended")
        return []
    }

    @Test("A journal can start and end during a session, and other sessions are not recorded")
    func begunAndEnded() async throws {
        let folder = try TemporaryFile("journals")
        let recorder = RecordedLines()
        let daemon = try Self.daemon(in: folder, log: recorder.log)
        let (client, name) = try await daemon.named()
        let (other, _) = try await daemon.named()
        client.send(WatchTests.attach)
        #expect(await client.receive(within: .patient).text?.contains("attached") == true)
        let begun = try await daemon.order("POST", Self.path(name))
        #expect(begun.status == 200)
        #expect(try await daemon.order("POST", Self.path(name)).status == 409)
        let details = try await daemon.order("GET", "/v1/sessions/\(name)")
        #expect(details.body["recorded"]?.bool == true)
        client.send(#"{"type":"ping","t":1}"#)
        other.send(#"{"type":"ping","t":2}"#)
        #expect(await client.receive(within: .patient).text?.contains("pong") == true)
        #expect(await other.receive(within: .patient).text?.contains("pong") == true)
        #expect(
            try await daemon.get("/metrics").body.contains("\nrefreshd_journals 1\n"))
        for _ in 0..<2 {
            #expect(try await daemon.order("DELETE", Self.path(name)).status == 204)
        }
        client.send(#"{"type":"ping","t":3}"#)
        #expect(await client.receive(within: .patient).text?.contains("pong") == true)
        let lines = try await Self.lines(of: begun.body, in: folder)
        guard case .header(let header) = lines[0], case .input(_, .begun) = lines[1] else {
            Issue.record("the journal does not begin with the session")
            return
        }
        #expect(header.session == name)
        #expect(header.token == .masked)
        let frames = lines.filter { if case .input(_, .frame) = $0 { true } else { false } }
        #expect(frames.count == 1)
        #expect(lines.last == .end(inputs: 3, outputs: 1))
        let page = try await daemon.get("/metrics").body
        #expect(
            page.contains("\nrefreshd_journals 0\nrefreshd_journals_begun_total 1\n")
                || page.contains("\nrefreshd_journals 0\n")
                    && page.contains("\nrefreshd_journals_begun_total 1\n")
        )
        let messages = recorder.all.map(\.message)
        #expect(messages.filter { $0 == LogMessage.journalBegun.rawValue }.count == 1)
        #expect(messages.filter { $0 == LogMessage.journalClosed.rawValue }.count == 1)
    }

    @Test("A journal continues when its client resumes on another loop, and contains no token")
    func resumed() async throws {
        let folder = try TemporaryFile("journals")
        let daemon = try Self.daemon(in: folder)
        let client = try await daemon.connect()
        client.send(#"{"type":"hello","protocol":1}"#)
        let welcome = try JSONValue(
            parsing: try #require(await client.receive(within: .patient).text))
        let name = try #require(welcome["session"]?.string)
        let token = try #require(welcome["token"]?.string)
        client.send(WatchTests.attach)
        _ = await client.receive(within: .patient)
        let begun = try await daemon.order("POST", Self.path(name))
        #expect(begun.status == 200)
        // The connections alternate between both loops, so some of the resumes reach the other
        // loop.
        var tokens = [token]
        for _ in 0..<4 {
            let next = try await daemon.connect()
            next.send(
                #"{"type":"hello","protocol":1,"resume":{"session":"\#(name)","token":"\#(tokens.last ?? "")","ack":1}}"#
            )
            let text = try #require(await next.receive(within: .patient).text)
            let value = try JSONValue(parsing: text)
            let back = value.array?.first ?? value
            #expect(back["resumed"]?.bool == true, "\(text)")
            tokens.append(try #require(back["token"]?.string))
        }
        #expect(try await daemon.order("DELETE", Self.path(name)).status == 204)
        let lines = try await Self.lines(of: begun.body, in: folder)
        let returns = lines.filter { if case .input(_, .resumed) = $0 { true } else { false } }
        #expect(returns.count == 4)
        let all = lines.map(\.text).joined()
        for token in tokens { #expect(!all.contains(token)) }
        #expect(all.contains(ResumeToken.masked.text))
    }

    @Test("A journal is refused without a folder, and for unknown or recorded sessions")
    func refused() async throws {
        let without = try Self.daemon(in: nil)
        let (client, name) = try await without.named()
        let answer = try await without.order("POST", Self.path(name))
        #expect(answer.status == 409 && answer.body["code"]?.string == "noJournalFolder")
        #expect(try await without.order("POST", Self.path("0000")).status == 404)
        #expect(try await without.order("DELETE", Self.path(name)).status == 204)
        #expect(try await without.order("GET", Self.path(name)).status == 405)
        #expect(
            try await without.sendRequest("POST", Self.path(name), port: without.port).status == 401
        )
        client.close()
        let folder = try TemporaryFile("journals")
        let all = try Self.daemon(in: folder, all: true)
        let (open, recorded) = try await all.named()
        defer { open.close() }
        for method in ["POST", "DELETE"] {
            let answer = try await all.order(method, Self.path(recorded))
            #expect(answer.status == 409 && answer.body["code"]?.string == "alreadyRecorded")
        }
    }

    @Test("If the file cannot be created, the request gets 503, and no event reports a journal")
    func notMade() async throws {
        let folder = try TemporaryFile("journals")
        let recorder = LogRecorder()
        let daemon = try Self.daemon(in: folder, log: recorder.log)
        let (client, name) = try await daemon.named()
        defer { client.close() }
        try FileManager.default.removeItem(atPath: folder.path)
        let answer = try await daemon.order("POST", Self.path(name))
        #expect(answer.status == 503 && answer.body["code"]?.string == "journalNotMade")
        #expect(!recorder.lines.contains { $0.contains("journal begun") })
        #expect(recorder.lines.contains { $0.contains("journal ended early") })
        let session = try await daemon.order("GET", "/v1/sessions/\(name)")
        #expect(session.body["recorded"]?.bool == false)
    }

    @Test("journalsMax: one more journal is refused, and accepted after another one has ended")
    func most() async throws {
        let folder = try TemporaryFile("journals")
        let daemon = try Self.daemon(in: folder, limits: "journalsMax: 2")
        var names: [String] = []
        var clients: [DialedClient] = []
        for _ in 0..<3 {
            let (client, name) = try await daemon.named()
            clients.append(client)
            names.append(name)
        }
        #expect(try await daemon.order("POST", Self.path(names[0])).status == 200)
        #expect(try await daemon.order("POST", Self.path(names[1])).status == 200)
        let over = try await daemon.order("POST", Self.path(names[2]))
        #expect(over.status == 409 && over.body["code"]?.string == "tooManyJournals")
        #expect(
            try await daemon.get("/metrics").body.contains("\nrefreshd_journals_refused_total 1\n"))
        #expect(try await daemon.order("DELETE", Self.path(names[0])).status == 204)
        #expect(try await daemon.order("POST", Self.path(names[2])).status == 200)
    }

    @Test("journalBytesMax: a journal of this size gets its closing line; its session continues")
    func full() async throws {
        let folder = try TemporaryFile("journals")
        let daemon = try Self.daemon(in: folder, limits: "journalBytesMax: 8192")
        let (client, name) = try await daemon.named()
        let begun = try await daemon.order("POST", Self.path(name))
        #expect(begun.status == 200)
        for number in 0..<100 {
            client.send(#"{"type":"ping","t":\#(number)}"#)
            #expect(await client.receive(within: .patient).text?.contains("pong") == true)
        }
        let lines = try await Self.lines(of: begun.body, in: folder)
        #expect(lines.count < 150)
        let path = folder.path + "/" + (begun.body["journal"]?.string ?? "")
        let size = try #require(
            FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        // The last input and the closing line may exceed the limit.
        #expect((8192...9216).contains(size))
        #expect(
            try await daemon.get("/metrics").body.contains("\nrefreshd_journals_full_total 1\n"))
        #expect(
            try await daemon.order("GET", "/v1/sessions/\(name)").body["recorded"]?.bool == false)
    }
}
