import Cryptography
import RefreshBroker
import RefreshProtocol
import SealedSnapshots
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Daemons whose key rings have the same keys in another order, or only some of them. Source:
/// docs/backends.md, "Duplicates".
@Suite("A list whose daemons have different keys")
struct KeyOrderTests {
    /// A daemon and its key ring. The key ring determines how the daemon's broker hashes items.
    private struct Daemon {
        let fixture: HostFixture
        let hash: SipHash

        init(_ ring: KeyRing, drawn: UInt64) {
            hash = ring.itemHash
            fixture = HostFixture(
                drawn: drawn,
                seal: SnapshotSeal(
                    ring, limits: Limits(), wallMilliseconds: { 1_795_262_400_000 }))
        }

        /// Answers the last started load. Returns the ids of the items that the client receives,
        /// and all messages.
        func answer(_ client: HostClient, first: Int, _ count: Int) -> ([Double], [JSONValue]) {
            guard let (ticket, _) = fixture.dispatcher.started.last,
                let pointer = JSONPointer("/id")
            else { return ([], []) }
            var page = HostFixture.page(count, first: first)
            page.itemKeys = ItemKeys(of: page, at: pointer, hashedBy: hash)
            fixture.report(.ended(.page(page)), of: ticket)
            fixture.settle()
            let messages = client.receive()
            let items = messages.first("items")?["items"]?.array ?? []
            return (items.compactMap { $0["id"]?.number }, messages)
        }
    }

    private static func sealed(_ messages: [JSONValue]) throws -> String {
        try #require(messages.last { $0["sealed"] != nil }?["sealed"]?.string)
    }

    private static func resumeSession(
        _ daemon: Daemon, _ welcome: JSONValue, _ received: String, _ snapshot: String
    ) throws -> (HostClient, [JSONValue]) {
        let client = daemon.fixture.connect()
        let resume = HostClient.resumeMember(
            welcome, received: [received], extra: #","snapshot":"\#(snapshot)""#)
        let messages = client.send(#"{"type":"hello","protocol":1,"snapshots":true,\#(resume)}"#)
        try #require(messages.first?["resumed"]?.bool == true, "\(messages)")
        return (client, messages)
    }

    private static func key(_ id: String, _ byte: UInt8) -> SealingKey {
        SealingKey(id: id, secret: .init([UInt8](repeating: byte, count: 32)))
    }

    @Test(
        "An item on two pages is sent once, even if the first key changes or the old key is gone")
    func overlapping() throws {
        let (a, b) = (Self.key("a", 1), Self.key("b", 2))
        let before = Daemon(KeyRing(first: a), drawn: 0)
        let first = before.fixture.connect()
        let welcome = first.open(extra: #","snapshots":true"#)
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        var (ids, messages) = before.answer(first, first: 0, 10)
        #expect(ids.count == 10)

        let between = Daemon(KeyRing(first: b, others: [a]), drawn: 1000)
        let (second, greeting) = try Self.resumeSession(
            between, welcome, "1.1", Self.sealed(messages))
        second.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        (ids, messages) = between.answer(second, first: 8, 10)
        #expect(ids == [10, 11, 12, 13, 14, 15, 16, 17])

        let after = Daemon(KeyRing(first: b), drawn: 2000)
        let (third, _) = try Self.resumeSession(after, greeting[0], "1.2", Self.sealed(messages))
        third.send(#"{"type":"loadMore","view":"list","seq":4}"#)
        // The items that any of the previous daemons has sent are duplicates.
        (ids, messages) = after.answer(third, first: 9, 10)
        #expect(ids == [18])
        third.send(#"{"type":"refresh","view":"list","seq":5}"#)
        (ids, messages) = after.answer(third, first: 0, 10)
        #expect(ids.count == 10)
        // The new list uses the daemon's own key.
        let view = try #require(
            (third.session.conversation.value.views.first?.feed?.shownItems))
        #expect(view.foreignHash == nil)
        third.send(#"{"type":"loadMore","view":"list","seq":6}"#)
        (ids, messages) = after.answer(third, first: 9, 3)
        #expect(ids == [10, 11])
    }
}
