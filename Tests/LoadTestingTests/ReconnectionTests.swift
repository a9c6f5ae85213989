import Foundation
import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import Synchronization
import Testing
import Workbench

@testable import LoadTesting

@Suite("Clients of load tests that come back", .ownThread, .limit)
struct ReconnectionTests {
    private static func messages(_ text: String) throws -> [JSONValue] {
        let value = try JSONValue(parsing: Array(text.utf8))
        return value.array ?? [value]
    }

    private static let welcome = #"{"type":"welcome","session":"s1","token":"t1"}"#

    @Test("A client resumes with its last token, ack, snapshot and the last load of each view")
    func resume() throws {
        var record = ResumeRecord()
        #expect(String(decoding: record.helloMembers(), as: UTF8.self) == #","snapshots":true"#)
        #expect(record.helloMembers(requestsSnapshots: true).isEmpty)
        #expect(record.apply(try Self.messages(Self.welcome)) == [.fresh(reason: nil)])
        let frames = [
            #"[{"type":"items","view":"a","load":"1.1","mode":"replace","count":2},"#
                + #"{"type":"snapshot","ack":3,"sealed":"v2.a"}]"#,
            #"[{"type":"update","view":"a","ack":7,"list":{"count":5,"more":true}},"#
                + #"{"type":"items","view":"a","load":"1.2","mode":"append","count":3}]"#,
        ]
        for frame in frames { #expect(record.apply(try Self.messages(frame)).isEmpty) }
        #expect(
            String(decoding: record.helloMembers(), as: UTF8.self)
                == #","snapshots":true,"resume":{"session":"s1","token":"t1","ack":7,"#
                + #""received":["1.2"],"snapshot":"v2.a"}"#)
    }

    @Test("After a fresh session, a client has nothing of the earlier one")
    func fresh() throws {
        var record = ResumeRecord()
        _ = record.apply(try Self.messages(Self.welcome))
        let items = #"{"type":"items","view":"a","load":"1.1","mode":"replace","count":2}"#
        _ = record.apply(try Self.messages(items))
        let fresh =
            #"{"type":"welcome","session":"s2","token":"t2","resumed":false,"reason":"wrongToken"}"#
        #expect(record.apply(try Self.messages(fresh)) == [.fresh(reason: "wrongToken")])
        #expect(record.apply(try Self.messages(items)).isEmpty)
    }

    @Test("Items that come twice are found, and so are items that are missing")
    func findings() throws {
        var record = ResumeRecord()
        _ = record.apply(try Self.messages(Self.welcome))
        let items = #"{"type":"items","view":"a","load":"1.1","mode":"replace","count":2}"#
        #expect(record.apply(try Self.messages(items)).isEmpty)
        let resumed = #"{"type":"welcome","session":"s1","token":"t2","resumed":true,"ack":1}"#
        #expect(record.apply(try Self.messages(resumed)) == [.resumed])
        #expect(record.apply(try Self.messages(items)) == [.itemsRepeated])
        let update = #"{"type":"update","view":"a","list":{"count":4,"more":true}}"#
        #expect(record.apply(try Self.messages(update)) == [.itemsMissing])
        #expect(record.apply(try Self.messages(update)).isEmpty)
    }

    private static func message(_ text: String) throws -> LoadMessage {
        LoadMessage(try JSONValue(parsing: text))
    }

    /// Records that the messages were sent, with numbers from 1.
    private static func record(_ texts: [String], in record: inout ResumeRecord) throws {
        for (index, text) in texts.enumerated() {
            record.recordSent(try message(text), seq: index + 1, clockMs: 0)
        }
    }

    /// The numbers of the messages that would be sent again.
    private static func repeated(_ record: ResumeRecord) throws -> [Int] {
        var record = record
        return try record.repeatedMessages().map { text in
            Int(try #require(try JSONValue(parsing: text)["seq"]?.number))
        }
    }

    @Test("The messages that the last snapshot does not contain are sent again")
    func repeatedMessages() throws {
        var record = ResumeRecord()
        _ = record.apply(try Self.messages(Self.welcome))
        let refresh = #"{"type":"refresh","view":"a","seq":9}"#
        try Self.record([refresh, refresh, refresh, refresh], in: &record)
        #expect(try Self.repeated(record) == [1, 2, 3, 4])
        // Without a snapshot, what the daemon has handled counts, and afterwards the snapshot.
        _ = record.apply(try Self.messages(#"{"type":"update","view":"a","ack":1}"#))
        #expect(try Self.repeated(record) == [2, 3, 4])
        _ = record.apply(try Self.messages(#"{"type":"snapshot","ack":2,"sealed":"v2.a"}"#))
        _ = record.apply(try Self.messages(#"{"type":"update","view":"a","ack":4}"#))
        #expect(try Self.repeated(record) == [3, 4])
        let resumed = #"{"type":"welcome","session":"s1","token":"t2","resumed":true,"ack":4}"#
        _ = record.apply(try Self.messages(resumed))
        #expect(try Self.repeated(record) == [3, 4])
        _ = record.apply(try Self.messages(#"{"type":"snapshot","ack":4,"sealed":"v2.b"}"#))
        #expect(try Self.repeated(record).isEmpty)
    }

    @Test("A client without a session, or with a new one, sends nothing again")
    func nothingRepeated() throws {
        var record = ResumeRecord()
        let refresh = #"{"type":"refresh","view":"a","seq":1}"#
        try Self.record([refresh], in: &record)
        #expect(!record.resumesSession)
        #expect(try Self.repeated(record).isEmpty)
        _ = record.apply(try Self.messages(Self.welcome))
        try Self.record([refresh], in: &record)
        let fresh =
            #"{"type":"welcome","session":"s2","token":"t2","resumed":false,"reason":"wrongToken"}"#
        _ = record.apply(try Self.messages(fresh))
        #expect(record.resumesSession)
        #expect(try Self.repeated(record).isEmpty)
    }

    @Test("Of the samples of a gesture, the first, the last and the newest between them are kept")
    func samples() throws {
        var record = ResumeRecord()
        _ = record.apply(try Self.messages(Self.welcome))
        let phases = ["began", "dragging", "dragging", "ended", "began", "dragging", "dragging"]
        let samples = phases.map { #"{"type":"pan","view":"a","seq":1,"phase":"\#($0)"}"# }
        try Self.record(Array(samples.prefix(4)), in: &record)
        #expect(try Self.repeated(record) == [1, 3, 4])
        // Another view has gestures of its own, and layouts are not kept.
        var others = Array(samples.prefix(4))
        others += [
            #"{"type":"scroll","view":"b","seq":1,"phase":"began"}"#,
            #"{"type":"geometry","view":"a","seq":1}"#,
        ]
        try Self.record(others, in: &record)
        #expect(try Self.repeated(record) == [1, 3, 4, 5])
        try Self.record(samples, in: &record)
        #expect(try Self.repeated(record) == [5, 5, 7])
    }

    @Test("At most 32 messages are sent again, and the oldest are dropped first")
    func most() throws {
        var record = ResumeRecord()
        _ = record.apply(try Self.messages(Self.welcome))
        let refresh = #"{"type":"refresh","view":"a","seq":1}"#
        try Self.record(Array(repeating: refresh, count: 40), in: &record)
        #expect(try Self.repeated(record) == Array(9...40))
    }

    @Test("Messages that are sent again have their number and time, and follow `hello`")
    func written() throws {
        var record = ResumeRecord()
        _ = record.apply(try Self.messages(Self.welcome))
        let sample = try Self.message(
            #"{"type":"pan","view":"a","seq":1,"t":8,"phase":"began"}"#)
        record.recordSent(sample, seq: 5, clockMs: 100)
        let frame = LoadFrame(
            at: 0,
            messages: try [#"{"type":"hello"}"#, #"{"type":"refresh","seq":1}"#].map(Self.message))
        var buffer = ByteBuffer()
        var seq = 5
        frame.write(
            into: &buffer, seq: &seq, clockMs: 200, ping: 7, members: Array(#","a":1"#.utf8),
            repeated: record.repeatedMessages())
        #expect(
            String(decoding: buffer.bytes, as: UTF8.self)
                == #"[{"type":"hello","a":1},{"type":"pan","view":"a","phase":"began","seq":5,"#
                + #""t":108},{"type":"refresh","seq":6},{"type":"ping","t":7}]"#)
        #expect(seq == 6)
    }

    @Test("The pauses before attempts double up to 30 s, and some close codes forbid an attempt")
    func delays() {
        #expect(ReconnectionDelay.range(ofAttempt: 0) == 100_000..<1_000_000)
        #expect(ReconnectionDelay.range(ofAttempt: 2) == 400_000..<4_000_000)
        #expect(ReconnectionDelay.range(ofAttempt: 100) == 3_000_000..<30_000_000)
        for code in [1007, 1009, 4000, 4099] as [UInt16] {
            #expect(ReconnectionDelay.isFinal(code))
        }
        for code in [1000, 1006, 3999, 4100, 4200] as [UInt16] {
            #expect(!ReconnectionDelay.isFinal(code))
        }
    }

    /// Starts a daemon with the demo's feed, whose keys are in this folder.
    private static func daemon(port: Int, keys: String) throws -> Server {
        var flags = ConfigurationFlags()
        flags.listeners = [try ListenAddress("127.0.0.1:\(port)")]
        flags.loops = 1
        flags.demo = true
        let file = try ConfigurationFile(
            text: """
                limits: { framesPerSecondMax: 1000000, receivedBytesPerSecondMax: 1000000000 }
                drain: { delayMs: 0, spreadMs: 0 }
                resume: { stateFolder: \(keys) }
                """, path: "refreshd.yaml")
        let server = try Server(Configuration(flags: flags, file: file), log: .silent)
        server.start()
        return server
    }

    /// A plan with six clients that come back.
    private static func plan(_ ports: UInt16...) throws -> LoadPlan {
        let urls = ports.map { "ws://127.0.0.1:\($0)/v1/session" }
        let target = try #require(LoadPlan.Target(urls: urls))
        var plan = LoadPlan(
            targets: [target],
            gestures: try TouchTrace.builtIn(matching: ["*.stream"]).map { try LoadGesture($0) })
        plan.connections = 6
        plan.pace = .recorded(speed: 20, pause: 10_000)
        plan.ramp = 0
        plan.warmUp = 0
        plan.duration = 2_000_000
        plan.endingTimeout = 60_000_000 * Int64(patience)
        plan.reconnects = true
        return plan
    }

    @Test("Clients of several nodes continue at another one when theirs stops, and miss no item")
    func severalNodes() async throws {
        let marker = try TemporaryFile("marker", "")
        let keys = URL(filePath: marker.path).deletingLastPathComponent().path
        let nodes = try (0..<2).map { _ in try Self.daemon(port: 0, keys: keys) }
        defer { nodes[1].stop() }
        let ports = try nodes.map { try #require($0.listeners.first?.port) }
        let plan = try Self.plan(ports[0], ports[1])
        let isStopped = Mutex(false)
        let results = try await LoadRun(plan) { progress in
            guard progress.stage == .measuring else { return }
            isStopped.withLock { isStopped in
                if !isStopped { nodes[0].stop() }
                isStopped = true
            }
        }.run()
        let found = results.targets[0]
        let returns = try #require(found.returns)
        #expect(results.isSound, "\(found)")
        #expect(found.url == plan.targets[0].url && found.url.split(separator: " ").count == 2)
        // The clients of the other node keep their connections.
        #expect(found.lost == plan.connections / 2)
        #expect(returns.resumed == plan.connections / 2)
        #expect(returns.fresh.isEmpty)
    }

    @Test("A target has at least one URL, and each is one of a WebSocket")
    func targets() {
        let url = "ws://127.0.0.1:1/v1/session"
        #expect(LoadPlan.Target(urls: [url, url])?.addresses.count == 2)
        #expect(LoadPlan.Target(urls: []) == nil)
        #expect(LoadPlan.Target(urls: [url, "http://127.0.0.1"]) == nil)
    }

    @Test("Clients resume their sessions at a daemon that replaces theirs, and miss no item")
    func replaced() async throws {
        let marker = try TemporaryFile("marker", "")
        let keys = URL(filePath: marker.path).deletingLastPathComponent().path
        let first = try Self.daemon(port: 0, keys: keys)
        let port = try #require(first.listeners.first?.port)
        let plan = try Self.plan(port)
        let replacement = Mutex<Server?>(nil)
        let results = try await LoadRun(plan) { progress in
            guard progress.stage == .measuring else { return }
            replacement.withLock { second in
                guard second == nil else { return }
                first.stop()
                second = try? Self.daemon(port: Int(port), keys: keys)
            }
        }.run()
        defer { replacement.withLock { $0?.stop() } }
        let found = results.targets[0]
        let returns = try #require(found.returns)
        #expect(results.isSound, "\(found)")
        #expect(found.lost >= plan.connections)
        #expect(returns.resumed >= plan.connections)
        #expect(returns.fresh.isEmpty)
        #expect(returns.times?.count ?? 0 >= UInt64(plan.connections))
        let text = results.text { text, _ in text }
        for row in ["resumed", "sent again", "items missing"] { #expect(text.contains(row)) }
        #expect(results.json["targets"]?.array?.first?["returns"]?["notBack"]?.number == 0)
    }
}
