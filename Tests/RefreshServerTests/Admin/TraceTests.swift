import Logging
import RefreshProtocol
import Synchronization
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer
@testable import RefreshSession

/// Collects log lines from any thread.
final class RecordedLines: Sendable {
    private let lines = Mutex<[LogLine]>([])

    var all: [LogLine] { lines.withLock { $0 } }

    var log: DaemonLog { DaemonLog(Logger(label: "test") { _ in Handler(recorder: self) }) }

    struct Handler: LogHandler {
        let recorder: RecordedLines
        var logLevel = Logger.Level.notice
        var metadata = Logger.Metadata()

        init(recorder: RecordedLines) { self.recorder = recorder }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = LogLine(
                time: "T", level: event.level.rawValue, message: event.message.description,
                metadata: (event.metadata ?? [:]).map { ($0.key, $0.value.description) }
                    .sorted { $0.key < $1.key })
            recorder.lines.withLock { $0.append(line) }
        }
    }
}

extension LogLine {
    func value(_ key: LogKey) -> String? { metadata.first { $0.key == key.rawValue }?.value }
}

@Suite("Traces", .limit)
struct TraceTests {
    @Test("The messages of a traced session are logged at the level `notice`, without secrets")
    func trace() async throws {
        let recorder = RecordedLines()
        let daemon = try TestDaemon.withOperators(log: recorder.log)
        let (client, name) = try await daemon.named()
        let (other, _) = try await daemon.named()
        for _ in 0..<2 {
            #expect(try await daemon.order("POST", "/v1/sessions/\(name)/trace").status == 204)
        }
        #expect(
            try await daemon.order("GET", "/v1/sessions/\(name)").body["traced"]?.bool == true)
        other.send(WatchTests.attach)
        client.send(WatchTests.attach)
        try await WatchTests.refresh(client)
        #expect(try await daemon.order("DELETE", "/v1/sessions/\(name)/trace").status == 204)
        client.send(#"{"type":"ping","t":1}"#)
        var received = ""
        while !received.contains("pong") {
            received += try #require(await client.receive(within: .patient).text)
        }
        let lines = recorder.all.filter { $0.message.hasPrefix("trace") }
        #expect(lines.allSatisfy { $0.level == "notice" })
        #expect(lines.allSatisfy { $0.value(.session) == name })
        #expect(lines.first?.message == LogMessage.traceBegun.rawValue)
        #expect(lines.last?.message == LogMessage.traceEnded.rawValue)
        #expect(lines.filter { $0.message == LogMessage.traceBegun.rawValue }.count == 1)
        let messages = lines.filter { $0.message == LogMessage.traceReceived.rawValue }
        #expect(
            messages.map { $0.value(.type) }
                == ["attach", "scroll", "scroll", "scroll", "scroll"])
        #expect(lines.contains { $0.message == LogMessage.traceLoadEnded.rawValue })
        let steps = lines.filter { $0.message == LogMessage.traceTransition.rawValue }
        #expect(steps.contains { $0.value(.to) == "refreshing" && $0.value(.edge) == "refresh" })
        #expect(!recorder.all.contains { $0.json.contains("secret") })
        #expect(
            try await daemon.order("GET", "/v1/sessions/\(name)").body["traced"]?.bool == false)
    }

    @Test("A trace continues when the client resumes its session on another connection")
    func resumed() async throws {
        let recorder = RecordedLines()
        let daemon = try TestDaemon.withOperators(log: recorder.log)
        let watcher = try await daemon.watching()
        let client = try await daemon.connect()
        client.send(#"{"type":"hello","protocol":1}"#)
        let welcome = try JSONValue(
            parsing: try #require(await client.receive(within: .patient).text))
        let name = try #require(welcome["session"]?.string)
        let token = try #require(welcome["resume"]?["token"]?.string ?? welcome["token"]?.string)
        client.send(#"{"type":"attach","seq":1,"view":"list","profile":"default"}"#)
        _ = await client.receive(within: .patient)
        #expect(try await daemon.order("POST", "/v1/sessions/\(name)/trace").status == 204)
        client.terminate()
        _ = try await watcher.events { $0["event"]?.string == "detached" }
        let rows = try await daemon.order("GET", "/v1/sessions").body["sessions"]?.array
        #expect(rows?.map { $0["state"]?.string } == ["detached"])
        #expect(rows?.first?["peer"] == nil)
        let next = try await daemon.connect()
        next.send(
            #"{"type":"hello","protocol":1,"resume":{"session":"\#(name)","token":"\#(token)","#
                + #""ack":0}}"#)
        let events = try await watcher.events { $0["event"]?.string == "resumed" }
        #expect(events.last?["session"]?.string == name)
        next.send(#"{"type":"bye"}"#)
        let last = try await watcher.events {
            $0["event"]?.string == "closed" && $0["session"]?.string == name
        }
        #expect(last.last?["code"]?.number == 1000)
        let messages = recorder.all.filter { $0.value(.session) == name }.map(\.message)
        #expect(messages.contains(LogMessage.traceDetached.rawValue))
        #expect(messages.contains(LogMessage.traceResumed.rawValue))
        #expect(messages.contains(LogMessage.traceClosed.rawValue))
    }

    @Test("Hostile values cannot break the format of a log line, in text or JSON")
    func hostile() throws {
        let recorder = RecordedLines()
        let hostile = "x\" level=error\n{\"level\":\"critical\"}\u{1B}[2J\u{2028}\u{202E}"
        let event = SessionEvent(
            .greeted(client: hostile, frames: .plain, subject: hostile), session: "ab",
            view: ViewID("a\"b c"), feed: hostile)
        event.write(to: recorder.log)
        let line = try #require(recorder.all.first)
        #expect(line.message == "trace greeted")
        for text in [line.json, line.text] {
            #expect(!text.contains("\n"))
            #expect(!text.contains("\u{1B}"))
            #expect(!text.contains("\u{2028}"))
            #expect(!text.contains("\u{202E}"))
        }
        let value = try JSONValue(parsing: line.json)
        #expect(value["client"]?.string == hostile)
        #expect(value["subject"]?.string == hostile)
        #expect(value["feed"]?.string == hostile)
        #expect(value["view"]?.string == "a\"b c")
        #expect(value["level"]?.string == "notice")
    }
}
