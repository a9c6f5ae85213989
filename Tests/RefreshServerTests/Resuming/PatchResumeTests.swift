import Cryptography
import RefreshBroker
import RefreshProtocol
import SealedSnapshots
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Patches after a resume. Source: docs/protocol.md, "Patches".
@Suite("Patches of a client that comes back")
struct PatchResumeTests {
    private static let ring = KeyRing(
        first: SealingKey(id: "a", secret: .init([UInt8](repeating: 1, count: 32))))
    private static let features = #","features":["patch"]"#

    private static func fixture(drawn: UInt64 = 0) -> HostFixture {
        var limits = Limits()
        limits.queueBytesMax = 100_000_000
        return HostFixture(
            drawn: drawn, limits: limits,
            seal: SnapshotSeal(
                ring, limits: limits, wallMilliseconds: { 1_795_262_400_000 }))
    }

    /// Refreshes the view with a page of this many items. Returns the messages.
    private static func refresh(
        _ client: HostClient, seq: Int, _ count: Int
    ) throws -> [JSONValue] {
        client.send(#"{"type":"refresh","view":"list","seq":\#(seq)}"#)
        let ticket = try #require(client.fixture.dispatcher.started.last?.0)
        let text = String(repeating: "x", count: 60)
        let items = (0..<count).map { #"{"id":\#($0),"text":"\#(text)"}"# }
        var page = Page(
            items: Array("[\(items.joined(separator: ","))]".utf8), count: count, more: true)
        page.itemKeys = ItemKeys(
            of: page, at: try #require(JSONPointer("/id")), hashedBy: ring.itemHash)
        client.fixture.report(.ended(.page(page)), of: ticket)
        client.fixture.settle()
        return client.receive()
    }

    private static func mode(_ messages: [JSONValue]) -> String? {
        messages.first("items")?["mode"]?.string
    }

    @Test(
        "A session that the daemon has kept continues with patches", arguments: [100, 5000, 10_000])
    func kept(count: Int) throws {
        let fixture = Self.fixture()
        let first = fixture.connect()
        let welcome = first.open(extra: Self.features)
        #expect(Self.mode(try Self.refresh(first, seq: 2, count)) == "replace")
        first.hangUp()
        let second = fixture.connect(to: 1)
        let messages = second.resume(welcome, received: ["1.1"], extra: Self.features)
        #expect(messages.first?["resumed"]?.bool == true)
        #expect(messages.first("attached")?["itemKey"]?.string == "/id")
        #expect(Self.mode(try Self.refresh(second, seq: 3, count)) == "patch")
    }

    @Test(
        "A session from a snapshot begins with a whole list, however many keys the snapshot has",
        arguments: [100, 5000, 10_000])
    func rebuilt(count: Int) throws {
        let first = Self.fixture().connect()
        let welcome = first.open(extra: #","snapshots":true"# + Self.features)
        let messages = try Self.refresh(first, seq: 2, count)
        let sealed = try #require(messages.last { $0["sealed"] != nil }?["sealed"]?.string)
        let second = Self.fixture(drawn: 1000).connect()
        let resume = HostClient.resumeMember(
            welcome, received: ["1.1"], extra: #","snapshot":"\#(sealed)""#)
        let answer = second.send(
            #"{"type":"hello","protocol":1,"snapshots":true,\#(resume)\#(Self.features)}"#)
        #expect(answer.first?["resumed"]?.bool == true)
        #expect(answer.first("attached")?["itemKey"]?.string == "/id")
        #expect(Self.mode(try Self.refresh(second, seq: 3, count)) == "replace")
        #expect(Self.mode(try Self.refresh(second, seq: 4, count)) == "patch")
    }

    @Test("A client that resumes without the feature, and later with it, gets whole lists first")
    func withoutFeature() throws {
        let fixture = Self.fixture()
        let first = fixture.connect()
        var welcome = first.open(extra: Self.features)
        _ = try Self.refresh(first, seq: 2, 100)
        first.hangUp()
        let second = fixture.connect()
        let messages = second.resume(welcome, received: ["1.1"])
        #expect(messages.first("attached")?["itemKey"] == nil)
        welcome = messages.first ?? .null
        #expect(Self.mode(try Self.refresh(second, seq: 3, 100)) == "replace")
        second.hangUp()
        let third = fixture.connect()
        #expect(
            third.resume(welcome, received: ["1.2"], extra: Self.features).first?["resumed"]?.bool
                == true)
        #expect(Self.mode(try Self.refresh(third, seq: 4, 100)) == "replace")
        #expect(Self.mode(try Self.refresh(third, seq: 5, 100)) == "patch")
    }

    @Test(
        "Random lists, lost connections and pauses leave a client that resumes with the right list")
    func random() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        var counts = (patches: 0, resumes: 0, patchesAfterResume: 0, duringLoss: 0)
        for round in 0..<30 {
            let note: Comment = "seed \(seed), round \(round)"
            let fixture = Self.fixture()
            var client = fixture.connect()
            var welcome = client.open(extra: Self.features)
            var (list, load, seq) = ([JSONValue](), "", 1)
            var hasResumed = false
            for _ in 0..<12 {
                seq += 1
                client.send(#"{"type":"refresh","view":"list","seq":\#(seq)}"#)
                let ticket = try #require(fixture.dispatcher.started.last?.0, note)
                let first = Int.random(in: 0..<5, using: &random)
                let page = try PatchedList.page(
                    first..<first + Int.random(in: 5..<20, using: &random))
                let isLost = Int.random(in: 0..<3, using: &random) == 0
                if isLost { client.hangUp() }
                fixture.report(.ended(.page(page)), of: ticket)
                fixture.settle()
                var messages = client.receive()
                if isLost {
                    client = fixture.connect(to: Int.random(in: 0..<2, using: &random))
                    messages = client.resume(
                        welcome, received: load.isEmpty ? [] : [load], extra: Self.features)
                    welcome = messages.first ?? .null
                    try #require(welcome["resumed"]?.bool == true, note)
                    counts.resumes += 1
                    hasResumed = true
                }
                for message in messages.all("items") {
                    list = try #require(PatchedList.applying(message, to: list), note)
                    load = message["load"]?.string ?? ""
                    guard message["mode"]?.string == "patch" else { continue }
                    counts.patches += 1
                    if hasResumed { counts.patchesAfterResume += 1 }
                    if isLost { counts.duringLoss += 1 }
                }
                #expect(list == (try PatchedList.items(of: page)), note)
            }
        }
        #expect(counts.patches > 100 && counts.resumes > 50, "seed \(seed): \(counts)")
        #expect(
            counts.patchesAfterResume > 50 && counts.duringLoss > 20, "seed \(seed): \(counts)")
    }

    @Test("A client that has not received the last list does not resume with a patch")
    func lost() throws {
        let fixture = Self.fixture()
        let first = fixture.connect()
        let welcome = first.open(extra: Self.features)
        _ = try Self.refresh(first, seq: 2, 100)
        _ = try Self.refresh(first, seq: 3, 101)
        first.hangUp()
        let second = fixture.connect()
        let answer = second.resume(welcome, received: ["1.1"], extra: Self.features)
        #expect(answer.first?["resumed"]?.bool == false)
    }

    @Test("A list that was lost in the queue of a gone client is compared when it is sent")
    func queued() throws {
        let fixture = Self.fixture()
        let first = fixture.connect()
        let welcome = first.open(extra: Self.features)
        _ = try Self.refresh(first, seq: 2, 100)
        first.send(#"{"type":"refresh","view":"list","seq":3}"#)
        first.hangUp()
        let ticket = try #require(fixture.dispatcher.started.last?.0)
        var page = HostFixture.page(100)
        page.itemKeys = ItemKeys(
            of: page, at: try #require(JSONPointer("/id")), hashedBy: Self.ring.itemHash)
        fixture.report(.ended(.page(page)), of: ticket)
        fixture.settle()
        let second = fixture.connect()
        let messages = second.resume(welcome, received: ["1.1"], extra: Self.features)
        #expect(messages.first?["resumed"]?.bool == true)
        // All items have changed, so nothing of the old list can be named.
        #expect(Self.mode(messages) == "replace")
        second.send(#"{"type":"refresh","view":"list","seq":4}"#)
        let next = try #require(fixture.dispatcher.started.last?.0)
        fixture.report(.ended(.page(page)), of: next)
        fixture.settle()
        #expect(Self.mode(second.receive()) == "patch")
    }
}
