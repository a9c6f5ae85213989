import RefreshBroker
import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession
import ScenarioBench
import Testing

@testable import JournalReplay
@testable import ScenarioKit

/// Journals of sessions that move from connection to connection.
@Suite("Journals of resumed sessions")
struct ResumedSessionJournalTests {
    private final class QueueLoop: SessionLoop, @unchecked Sendable {
        var jobs: [(Instant) -> Void] = []
        func run(_ job: @escaping @Sendable (Instant) -> Void) { jobs.append(job) }
        func scheduleWakeup(at moment: Instant) {}
    }

    private final class Loads: LoadDispatching {
        var started: [LoadTicket] = []
        func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int) {
            started.append(ticket)
        }
        func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {}
    }

    /// Seals snapshots without encryption. Each sealed text is different.
    private final class OpenSeal: SnapshotSealing, @unchecked Sendable {
        var sealed: [SessionSnapshot] = []
        func seal(_ snapshot: SessionSnapshot, at now: Instant) -> SealedText? {
            sealed.append(snapshot)
            return SealedText(text: "v\(sealed.count)", expiresMs: 1000)
        }
        func open(
            _ text: String, for claim: SnapshotClaim, at now: Instant
        ) throws(ResumeRefusal) -> SessionSnapshot {
            guard let last = sealed.last else { throw .snapshotInvalid }
            return last
        }
    }

    /// Two event loops whose sessions are recorded.
    private final class Fixture {
        let loops = [QueueLoop(), QueueLoop()]
        let loads = Loads()
        let directory = LoopDirectory()
        var hosts: [SessionHost] = []
        var journals: [MemoryJournal] = []
        var now = Instant(milliseconds: 1000)
        private var bits: UInt64 = 7

        init(seal: OpenSeal) {
            for index in 0...1 {
                let services = SessionServices(
                    limits: Limits(), feeds: [FeedDescription(name: "songs", style: .page)],
                    loads: loads, metrics: SessionMetrics(), seal: seal)
                let host = SessionHost(
                    loop: loops[index], index: UInt16(index), services: services,
                    directory: directory,
                    draw: { [unowned self] in
                        bits &+= 0x9E37_79B9_7F4A_7C15
                        return bits
                    }
                ) { [unowned self] _ in
                    journals.append(MemoryJournal())
                    return journals.last
                }
                hosts.append(host)
                directory.register(host, index: UInt16(index))
            }
        }

        func settle() {
            while let loop = loops.first(where: { !$0.jobs.isEmpty }) {
                now.microseconds += 250
                loop.jobs.removeFirst()(now)
            }
        }

        func send(_ text: String, by session: Session) {
            now.microseconds += 1000
            _ = hosts[Int(session.key.loop)].receive(Array(text.utf8).span, by: session, at: now)
        }

        func connect(to loop: Int) -> (Session, SimulatedChannel) {
            let channel = SimulatedChannel()
            return (hosts[loop].opened(channel, at: now), channel)
        }

        func hangUp(_ session: Session) {
            hosts[Int(session.key.loop)].closed(session, at: now)
            settle()
        }
    }

    private func welcome(_ channel: SimulatedChannel) throws -> JSONValue {
        while case .frame(let text) = channel.dequeueEvent() {
            let value = try JSONValue(parsing: text)
            let messages = value.array ?? [value]
            if let welcome = messages.first(where: { $0["type"]?.string == "welcome" }) {
                return welcome
            }
        }
        return .null
    }

    private func hello(_ welcome: JSONValue, extra: String = "") -> String {
        #"{"type":"hello","protocol":1,"frames":"stream","snapshots":true,"resume":{"session":"\#(welcome["session"]?.string ?? "")","token":"\#(welcome["token"]?.string ?? "")"\#(extra)}}"#
    }

    private static let page = Page(items: Array(#"[{"id":1}]"#.utf8), count: 1, more: true)

    private func check(_ journals: [MemoryJournal]) throws {
        for journal in journals {
            #expect(!journal.isOpen)
            let verdict = try InProcessReplay.run(journal.bytes)
            #expect(verdict.isIdentical && verdict.isClosed, "\(verdict.text)")
        }
    }

    @Test("One journal contains all connections of a session, and replays", arguments: [0, 1])
    func moves(_ loop: Int) throws {
        let fixture = Fixture(seal: OpenSeal())
        let (first, channel) = fixture.connect(to: 0)
        fixture.send(
            #"{"type":"hello","protocol":1,"snapshots":true,"views":[{"view":"list","profile":"default","feed":"songs"}]}"#,
            by: first)
        fixture.send(#"{"type":"refresh","view":"list","seq":1}"#, by: first)
        fixture.hangUp(first)
        fixture.directory.deliver(.ended(.page(Self.page)), to: fixture.loads.started)
        fixture.settle()

        let (second, _) = fixture.connect(to: loop)
        fixture.send(
            #"[\#(hello(try welcome(channel))),{"type":"refresh","view":"list","seq":1},{"type":"ping","t":2}]"#,
            by: second)
        fixture.send(#"{"type":"begin","view":"list","seq":2}"#, by: second)
        fixture.settle()
        fixture.send(#"{"type":"snapshot"}"#, by: second)
        // This client presents a wrong token.
        let (third, _) = fixture.connect(to: 0)
        fixture.send(
            hello(.object([.init("session", .string(second.name)), .init("token", .string("x"))])),
            by: third)
        fixture.settle()
        for session in [second, third] {
            fixture.send(#"{"type":"bye"}"#, by: session)
            fixture.hangUp(session)
        }
        #expect(fixture.journals.count == 3)
        try check(fixture.journals)
        let kinds = try fixture.journals.map { journal in
            try journal.lines.compactMap { try JSONValue(parsing: $0)["in"]?.string }
        }
        #expect(kinds[0].contains("lost") && kinds[0].contains("resumed"))
        #expect(kinds[0].filter { $0 == "sealed" }.count == 3)
        #expect(kinds[1] == ["frame", "frame", "left"])
        #expect(kinds[2].contains("refused"))
    }

    @Test("A session that moves to another loop, and whose client is lost on the way, replays")
    func lostOnTheWay() throws {
        let fixture = Fixture(seal: OpenSeal())
        let (first, channel) = fixture.connect(to: 0)
        fixture.send(
            #"{"type":"hello","protocol":1,"views":[{"view":"list","profile":"default","feed":"songs"}]}"#,
            by: first)
        fixture.send(#"{"type":"refresh","view":"list","seq":1}"#, by: first)
        fixture.hangUp(first)
        let request = hello(try welcome(channel))
        let (second, _) = fixture.connect(to: 1)
        fixture.send(request, by: second)
        fixture.hangUp(second)
        // The session waits on the other loop, and its output waits for the client.
        fixture.directory.deliver(.ended(.page(Self.page)), to: fixture.loads.started)
        fixture.settle()
        let (third, _) = fixture.connect(to: 1)
        fixture.send(request, by: third)
        fixture.settle()
        #expect(third.name == first.name)
        fixture.send(#"{"type":"bye"}"#, by: third)
        fixture.hangUp(third)
        try check(fixture.journals)
    }

    @Test("A journal that contains a session rebuilt from a snapshot replays")
    func rebuilt() throws {
        let seal = OpenSeal()
        let before = Fixture(seal: seal)
        let (first, channel) = before.connect(to: 0)
        before.send(
            #"{"type":"hello","protocol":1,"snapshots":true,"frames":"local","views":[{"view":"list","profile":"default","feed":"songs"}]}"#,
            by: first)
        before.send(#"{"type":"refresh","view":"list","seq":1}"#, by: first)
        let after = Fixture(seal: seal)
        let (second, _) = after.connect(to: 1)
        after.send(
            #"[\#(hello(try welcome(channel), extra: #","snapshot":"v1""#)),{"type":"begin","view":"list","seq":2}]"#,
            by: second)
        after.settle()
        #expect(second.name == first.name)
        after.directory.deliver(.ended(.page(Self.page)), to: after.loads.started)
        after.settle()
        after.send(#"{"type":"bye"}"#, by: second)
        after.hangUp(second)
        try check(after.journals)
        #expect(
            try after.journals[0].parsed().contains {
                if case .input(_, .rebuilt) = $0 { true } else { false }
            })
    }
}
