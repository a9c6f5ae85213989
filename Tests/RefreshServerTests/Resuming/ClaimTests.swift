import RefreshCluster
import RefreshProtocol
import SessionBench
import Synchronization
import Testing

@testable import RefreshServer
@testable import RefreshSession

/// Claims of sessions in a cluster, at one daemon. The test answers the claims.
@Suite("A client that resumes with a snapshot in a cluster")
struct ClaimTests {
    /// Keeps the claims and events.
    private final class Fence: SessionFencing {
        typealias Claim = (
            session: String, head: SessionHead, answer: @Sendable (ClaimVerdict) -> Void
        )

        private let state = Mutex<(claims: [Claim], events: [SessionFence.Event])>(([], []))

        func claim(
            _ session: String, _ head: SessionHead,
            answer: @escaping @Sendable (ClaimVerdict) -> Void
        ) {
            state.withLock { $0.claims.append((session, head, answer)) }
        }

        func post(_ event: SessionFence.Event) { state.withLock { $0.events.append(event) } }

        var claims: [Claim] { state.withLock { $0.claims } }

        /// The events since the last call.
        func removeEvents() -> [SessionFence.Event] {
            state.withLock { state in
                defer { state.events = [] }
                return state.events
            }
        }
    }

    private let fence = Fence()
    private let fixture: HostFixture
    private let other: HostFixture

    init() {
        let seal = SnapshotResumeTests.NumberingSeal()
        fixture = HostFixture(seal: seal, fence: fence)
        other = HostFixture(drawn: 1000, seal: seal)
    }

    /// Opens a session at the other daemon, and returns the `hello` that resumes it.
    private func opened() -> (session: String, hello: String) {
        let client = other.connect()
        let welcome = client.open(extra: #","snapshots":true"#)
        let sealed = client.send(#"{"type":"snapshot"}"#).first("snapshot")?["sealed"]?.string
        let resume = HostClient.resumeMember(
            welcome, extra: #","snapshot":"\#(sealed ?? "")""#)
        return (
            welcome["session"]?.string ?? "",
            #"{"type":"hello","protocol":1,"frames":"plain","snapshots":true,\#(resume)}"#
        )
    }

    @Test("The session is rebuilt when the claim is answered, with or without the store")
    func accepted() {
        for verdict in [ClaimVerdict.fenced, .unfenced] {
            let (name, hello) = opened()
            let client = fixture.connect()
            #expect(client.send(hello).isEmpty)
            let claim = fence.claims.last
            #expect(claim?.session == name && claim?.head.received == 0)
            #expect(claim?.head.history.steps.map(\.welcomes) == [1, 1])
            claim?.answer(verdict)
            fixture.settle()
            let welcome = client.receive().first("welcome")
            #expect(welcome?["session"]?.string == name && welcome?["resumed"]?.bool == true)
            #expect(fence.removeEvents().contains(.rebuilt(session: name)))
            #expect(client.session.history == claim?.head.history)
        }
    }

    @Test(
        "After 300 ms without an answer, the session is rebuilt, and checked if refused later")
    func late() {
        for verdict in [ClaimVerdict.fenced, .superseded, .revoked] {
            let (name, hello) = opened()
            let client = fixture.connect()
            client.send(hello)
            fixture.pass(milliseconds: 299)
            #expect(client.receive().isEmpty)
            fixture.pass(milliseconds: 1)
            let welcome = client.receive().first("welcome")
            #expect(welcome?["session"]?.string == name && welcome?["resumed"]?.bool == true)
            #expect(fence.removeEvents().contains(.rebuilt(session: name)))
            fence.claims.last?.answer(verdict)
            fixture.settle()
            #expect(client.receive().isEmpty && client.channel.closed == nil)
            let isInspected = fence.removeEvents().contains {
                if case .inspected(name, _?) = $0 { true } else { false }
            }
            #expect(isInspected == (verdict != .fenced))
        }
    }

    @Test("Claims that are answered in another order leave none behind")
    func order() {
        let resumable = (0..<3).map { _ in opened() }
        let clients = resumable.map { session in
            let client = fixture.connect()
            client.send(session.hello)
            fixture.pass(milliseconds: 90)
            return client
        }
        fence.claims[1].answer(.fenced)
        fixture.settle()
        #expect(clients.map { $0.receive().isEmpty } == [true, false, true])
        fixture.pass(milliseconds: 30)
        #expect(clients.map { $0.receive().isEmpty } == [false, true, true])
        fence.claims[2].answer(.fenced)
        fixture.settle()
        #expect(fixture.hosts[0].claims.nextDeadline == nil)
        #expect(clients[2].receive().first("welcome")?["session"]?.string == resumable[2].session)
    }

    @Test("If the claim is refused, the client gets a fresh session with the reason")
    func refused() {
        let reasons = [(ClaimVerdict.superseded, "wrongToken"), (.revoked, "unknownSession")]
        for (verdict, reason) in reasons {
            let (name, hello) = opened()
            let client = fixture.connect()
            client.send(hello)
            fence.claims.last?.answer(verdict)
            fixture.settle()
            let welcome = client.receive().first("welcome")
            #expect(welcome?["reason"]?.string == reason)
            #expect(welcome?["session"]?.string != name)
            #expect(fixture.directory.sessions.key(of: name) == nil)
        }
    }

    @Test("If the client has gone before the answer, no session is rebuilt")
    func gone() {
        let (name, hello) = opened()
        let client = fixture.connect()
        client.send(hello)
        client.hangUp()
        fence.claims.last?.answer(.fenced)
        fixture.settle()
        #expect(fixture.directory.sessions.key(of: name) == nil)
    }

    @Test("Two claims with one snapshot leave one session, at the later connection")
    func twoClaims() {
        let (name, hello) = opened()
        let clients = [fixture.connect(), fixture.connect(to: 1)]
        for client in clients { client.send(hello) }
        for claim in fence.claims { claim.answer(.fenced) }
        fixture.settle()
        #expect(clients[0].channel.closed == .sessionTaken)
        #expect(clients[1].receive().first("welcome")?["session"]?.string == name)
    }

    @Test("A session at this daemon is resumed without a claim, and reported")
    func local() throws {
        let client = fixture.connect()
        let welcome = client.open()
        let name = welcome["session"]?.string ?? ""
        client.hangUp()
        #expect(fixture.connect(to: 1).resume(welcome).first("welcome")?["resumed"]?.bool == true)
        #expect(fence.claims.isEmpty)
        let head = try #require(
            SessionHead(ResumeHistory([.init(name, 2)]), received: 1))
        #expect(
            fence.removeEvents().contains {
                if case .resumed(name, head, at: _) = $0 { true } else { false }
            })
    }

    @Test("The first message 10 s after a `welcome` reports, once, that the client received it")
    func confirmed() {
        let client = fixture.connect()
        let welcome = client.open()
        let name = welcome["session"]?.string ?? ""
        client.hangUp()
        let later = fixture.connect(to: 1)
        _ = later.resume(welcome)
        var reports: [Int] = []
        for milliseconds in [9999.0, 1, 5000, 10_000] {
            fixture.pass(milliseconds: milliseconds)
            later.send(#"{"type":"ping","t":1}"#)
            reports.append(fence.removeEvents().count { $0 == .confirmed(session: name) })
        }
        #expect(reports == [0, 1, 0, 0])
    }

    @Test("`bye` revokes a session only if its client requested snapshots")
    func bye() {
        for wants in [true, false] {
            let client = fixture.connect()
            let extra = wants ? #","snapshots":true"# : ""
            let name = client.open(extra: extra)["session"]?.string ?? ""
            let head = SessionHead(client.session.history, received: 1)
            client.send(#"{"type":"bye"}"#)
            client.hangUp()
            #expect(
                fence.removeEvents() == [
                    .ended(session: name, line: name, revoking: wants ? head : nil)
                ])
        }
    }

    @Test("A session is inspected wherever it is, and closed only if its last line is lost")
    func lost() throws {
        let client = fixture.connect()
        let name = client.open(extra: #","snapshots":true"#)["session"]?.string ?? ""
        fixture.directory.inspect(name)
        fixture.directory.inspect("unknown")
        fixture.settle()
        let head = try #require(SessionHead(client.session.history, received: 1))
        #expect(
            fence.removeEvents() == [
                .inspected(session: "unknown", nil), .inspected(session: name, head),
            ])
        let other = try #require(SessionHead(ResumeHistory(openedAs: "another"), received: 1))
        fixture.directory.close(name, other)
        fixture.directory.close("unknown", other)
        fixture.settle()
        #expect(client.channel.closed == nil)
        #expect(
            fence.removeEvents() == [
                .inspected(session: "unknown", nil), .inspected(session: name, head),
            ])
        fixture.directory.close(name, head)
        fixture.settle()
        #expect(client.channel.closed == .sessionTaken)
        #expect(fence.removeEvents() == [.ended(session: name, line: name, revoking: nil)])
        #expect(fixture.directory.sessions.key(of: name) == nil)
    }

    @Test("A session whose client has returned since the verdict stays, and is reported")
    func returned() throws {
        let client = fixture.connect()
        let welcome = client.open(extra: #","snapshots":true"#)
        let name = welcome["session"]?.string ?? ""
        let before = try #require(SessionHead(client.session.history, received: 1))
        client.hangUp()
        let later = fixture.connect(to: 1)
        _ = later.resume(welcome)
        _ = fence.removeEvents()
        fixture.directory.close(name, before)
        fixture.settle()
        #expect(later.channel.closed == nil)
        #expect(
            fence.removeEvents() == [
                .inspected(session: name, SessionHead(later.session.history, received: 1))
            ])
    }
}
