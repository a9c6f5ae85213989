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

    @Test("Clients resume their sessions at a daemon that replaces theirs, and miss no item")
    func replaced() async throws {
        let marker = try TemporaryFile("marker", "")
        let keys = URL(filePath: marker.path).deletingLastPathComponent().path
        let first = try Self.daemon(port: 0, keys: keys)
        let port = try #require(first.listeners.first?.port)
        let target = try #require(LoadPlan.Target(url: "ws://127.0.0.1:\(port)/v1/session"))
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
        #expect(results.text { text, _ in text }.contains("items missing"))
        #expect(results.json["targets"]?.array?.first?["returns"]?["notBack"]?.number == 0)
    }
}
