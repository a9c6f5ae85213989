import RefreshBackends
import RefreshProtocol
import RefreshSession
import ScenarioBench
import Testing
import WebClient
import WebSocketTransport

@testable import JournalReplay
@testable import LoadTesting
@testable import ScenarioKit

@Suite("Touch traces")
struct TouchTraceTests {
    @Test("Each trace replays byte for byte to its end", arguments: TouchTrace.all.map(\.name))
    func replays(name: String) throws {
        let trace = try #require(TouchTrace.all.first { $0.name == name })
        let verdict = try InProcessReplay.run(trace.bytes)
        #expect(verdict.isIdentical, "\(verdict.text)")
        #expect(verdict.isClosed)
        #expect(verdict.inputs > 10 && verdict.outputs > 10)
    }

    @Test(
        "At the recorded pace, the replay of each trace agrees with the current daemon",
        arguments: TouchTrace.all.map(\.name))
    func agrees(name: String) async throws {
        let trace = try #require(TouchTrace.all.first { $0.name == name })
        let dialer = try Dialer()
        defer { dialer.stop() }
        let replay = SocketReplay(url: "ws://simulated", dialer: dialer, timeoutMs: 30_000)
        // Some samples are only a millisecond apart. With a real clock, an answer sometimes arrives
        // between two such samples, and sometimes not. With this simulated clock, the order is the
        // same in each run.
        let verdict = try await replay.play(
            try replay.journal(trace.bytes), over: SimulatedLine(try Self.packages()))
        #expect(verdict.isIdentical, "\(verdict.text)")
        #expect(verdict.inputs >= 8 && verdict.outputs > 10, "\(verdict.text)")
    }

    @Test(
        "A trace with a resumed session is replayed with the credentials of the current daemon",
        arguments: [false, true])
    func resumes(isClosed: Bool) async throws {
        let store = JournalStore()
        let daemon = InProcessDaemon(feeds: [try Self.packages()], latencyMs: 40) { _ in
            store.journals.append(MemoryJournal())
            return store.journals.last
        }
        let first = SessionPeer(of: daemon)
        try await first.send(
            #"{"type":"hello","protocol":1,"views":[{"view":"list","profile":"default","feed":"packages"}]}"#
        )
        try await first.send(#"{"type":"refresh","view":"list","seq":1}"#)
        let welcome = try await Self.receive("welcome", by: first)
        let load = try await Self.receive("items", by: first)
        let name = try #require(load["load"]?.string)
        if isClosed {
            let end = first.now.advanced(byMilliseconds: 4_000_000.0)
            var event = try await first.receive(until: end)
            while case .frame = event { event = try await first.receive(until: end) }
            guard case .closed(4105, _)? = event else {
                Issue.record(
                    "the connection was not closed for its silence: \(String(describing: event))")
                return
            }
        }
        await first.cut()
        let second = SessionPeer(of: daemon)
        try await second.idle(until: daemon.now.advanced(byMilliseconds: 700.0))
        try await second.send(
            #"[{"type":"hello","protocol":1,"views":[{"view":"list","profile":"default","feed":"packages"}],"resume":{"session":"\#(welcome["session"]?.string ?? "")","token":"\#(welcome["token"]?.string ?? "")","ack":1,"received":["\#(name)"]}},{"type":"loadMore","view":"list","seq":2}]"#
        )
        #expect(try await Self.receive("welcome", by: second)["resumed"] == .bool(true))
        _ = try await Self.receive("items", by: second)
        try await second.send(#"{"type":"bye"}"#)
        _ = try await second.receive(until: daemon.now.advanced(byMilliseconds: 100.0))
        await second.close()
        let journal = try #require(store.journals.first)
        let text = String(decoding: journal.bytes, as: UTF8.self)
        #expect(text.contains(#""in":"lost""#) && text.contains(#""in":"resumed""#))
        let dialer = try Dialer()
        defer { dialer.stop() }
        let replay = SocketReplay(url: "ws://simulated", dialer: dialer, timeoutMs: 30_000)
        let line = SimulatedLine(try Self.packages())
        let verdict = try await replay.play(try replay.journal(journal.bytes), over: line)
        #expect(verdict.isIdentical, "\(verdict.text)")
        #expect(verdict.inputs == 4 && line.connections == 2, "\(verdict.text)")
    }

    /// The journals of a daemon, in the order of its connections.
    private final class JournalStore {
        var journals: [MemoryJournal] = []
    }

    /// Returns the first message of this type that arrives within ten seconds.
    private static func receive(_ type: String, by peer: SessionPeer) async throws -> JSONValue {
        let deadline = peer.now.advanced(byMilliseconds: 10_000.0)
        while case .frame(let text)? = try await peer.receive(until: deadline) {
            let value = try JSONValue(parsing: text)
            let messages = value.array ?? [value]
            if let message = messages.first(where: { $0["type"]?.string == type }) {
                return message
            }
        }
        return .null
    }

    /// The pages with which the traces were recorded.
    private static func packages() throws -> SimulatedFeed {
        let all = try JSONValue(parsing: WebClient.packagesJSON).array ?? []
        let items = JSONValue.array(Array(all[..<44])).text
        let backend = try DemoBackend(
            statusFile: "/nonexistent", fallback: Array(items.utf8), paging: .page, firstPage: 1)
        let description = FeedDescription(
            name: "packages", parameters: [], style: .page, first: 1, size: 16)
        return SimulatedFeed(description: description, backend: backend)
    }

    /// A daemon on simulated time. Its backend takes longer to answer than the time between two
    /// samples.
    private final class SimulatedLine: ReplayLine {
        private let daemon: InProcessDaemon
        private var peer: SessionPeer
        private(set) var connections = 1

        init(_ feed: SimulatedFeed) {
            daemon = InProcessDaemon(feeds: [feed], latencyMs: 40)
            peer = SessionPeer(of: daemon)
        }

        var nowMicroseconds: Int64 { peer.now.microseconds }

        func receive(within limit: Duration) async -> DialedEvent {
            let deadline = peer.now.advanced(byMilliseconds: limit / .milliseconds(1))
            switch try? await peer.receive(until: deadline) {
            case nil: return .timedOut
            case .frame(let text): return .message(Array(text.utf8), isBinary: false)
            case .closed(let code, let reason):
                return .closed(code: code ?? 1_005, reason: reason)
            }
        }

        func send(_ text: String?) async {
            do { try await peer.send(text ?? "") } catch { Issue.record("\(error.message)") }
        }

        func cut() async { await peer.cut() }

        func openConnection() async {
            peer = SessionPeer(of: daemon)
            connections += 1
        }
    }

    @Test("There are at least ten traces, and none contains a token")
    func masked() throws {
        #expect(TouchTrace.all.count >= 10)
        for trace in TouchTrace.all {
            let text = String(decoding: trace.bytes, as: UTF8.self)
            for part in text.split(separator: #"\"token\":\""#).dropFirst() {
                #expect(part.hasPrefix("AAAAAAAAAAAAAAAAAAAAAA\\"), "\(trace.name)")
            }
        }
    }
}
