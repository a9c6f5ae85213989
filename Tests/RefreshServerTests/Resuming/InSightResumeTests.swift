import Cryptography
import RefreshBroker
import RefreshProtocol
import SealedSnapshots
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Views with random access after a resume. Source: docs/protocol.md, "What is in sight".
@Suite("A list with random access whose client comes back")
struct InSightResumeTests {
    private static let features = #","features":["visibleRange"]"#

    private static func fixture(drawn: UInt64 = 0) -> HostFixture {
        let ring = KeyRing(
            first: SealingKey(id: "a", secret: .init([UInt8](repeating: 1, count: 32))))
        return HostFixture(
            drawn: drawn,
            seal: SnapshotSeal(
                ring, limits: Limits(), wallMilliseconds: { 1_795_262_400_000 }))
    }

    /// Attaches a list of 1,000 rows, whose first page has arrived.
    private static func open(_ client: HostClient, extra: String = "") -> JSONValue {
        let welcome = client.open(extra: features + extra, views: [])
        client.send(
            """
            {"type":"attach","seq":1,"view":"list","profile":"iqpulltorefresh","feed":"songs",
             "geometry":{"viewport":{"width":390,"height":800}},"paging":{"access":"random"}}
            """)
        client.send(#"{"type":"refresh","view":"list","seq":2}"#)
        _ = answer(client)
        return welcome
    }

    private static func rest(_ client: HostClient, seq: Int, at row: Int) -> [JSONValue] {
        client.send(
            #"{"type":"scroll","view":"list","seq":\#(seq),"offset":\#(row * 44),"phase":"idle","#
                + #""visible":{"first":\#(row),"last":\#(row + 5)}}"#)
    }

    private static func answer(_ client: HostClient, _ request: Int? = nil) -> [JSONValue] {
        let started = client.fixture.dispatcher.started
        let ticket = started[request ?? started.count - 1].0
        let page = Page(items: Array(#"[{"id":1}]"#.utf8), count: 1, total: 1000)
        client.fixture.report(.ended(.page(page)), of: ticket)
        client.fixture.settle()
        return client.receive()
    }

    private static func pages(_ client: HostClient) -> [Int] {
        client.fixture.dispatcher.started.map(\.1.page)
    }

    @Test("A session that the daemon has kept sends a page again that the client has not received")
    func kept() {
        let fixture = Self.fixture()
        let first = fixture.connect()
        let welcome = Self.open(first)
        _ = Self.rest(first, seq: 3, at: 500)
        first.hangUp()
        _ = Self.answer(first)
        let second = fixture.connect(to: 1)
        let messages = second.resume(welcome, received: ["1.1"], extra: Self.features)
        #expect(messages.first?["resumed"]?.bool == true)
        #expect(messages.first("attached")?["paging"]?["access"]?.string == "random")
        #expect(messages.first("update")?["list"]?["count"]?.number == 1000)
        #expect(messages.first("items")?["mode"]?.string == "fill")
        #expect(messages.first("items")?["page"]?.number == 51)
        #expect(Self.rest(second, seq: 4, at: 502).isEmpty)
        #expect(Self.rest(second, seq: 5, at: 0).isEmpty)
        #expect(Self.pages(second) == [1, 51])
    }

    @Test("A load that runs while the client is away is announced again")
    func running() {
        let fixture = Self.fixture()
        let first = fixture.connect()
        let welcome = Self.open(first)
        _ = Self.rest(first, seq: 3, at: 500)
        first.hangUp()
        let second = fixture.connect()
        let messages = second.resume(welcome, received: ["1.1"], extra: Self.features)
        #expect(messages.first("loading")?["load"]?.string == "1.2")
        #expect(Self.answer(second).first("items")?["page"]?.number == 51)
    }

    @Test("A session from a snapshot knows the rows, and starts the loads of pages in sight again")
    func rebuilt() throws {
        let first = Self.fixture().connect()
        let welcome = Self.open(first, extra: #","snapshots":true"#)
        let messages = Self.rest(first, seq: 3, at: 500)
        let sealed = try #require(messages.last { $0["sealed"] != nil }?["sealed"]?.string)
        let second = Self.fixture(drawn: 1000).connect()
        let resume = HostClient.resumeMember(
            welcome, received: ["1.1"], extra: #","snapshot":"\#(sealed)""#)
        let answer = second.send(
            #"{"type":"hello","protocol":1,"snapshots":true,\#(resume)\#(Self.features)}"#)
        #expect(answer.first?["resumed"]?.bool == true)
        #expect(answer.first("attached")?["paging"]?["access"]?.string == "random")
        #expect(answer.first("update")?["list"]?["count"]?.number == 1000)
        #expect(Self.pages(second) == [51])
        #expect(Self.answer(second).first("items")?["mode"]?.string == "fill")
        _ = Self.rest(second, seq: 4, at: 0)
        #expect(Self.pages(second) == [51], "the client has the first page")
        _ = Self.rest(second, seq: 5, at: 700)
        #expect(Self.pages(second) == [51, 71])
    }

    @Test("A client that resumes without the feature gets an empty list with sequential access")
    func withoutFeature() {
        let fixture = Self.fixture()
        let first = fixture.connect()
        let welcome = Self.open(first)
        _ = Self.rest(first, seq: 3, at: 500)
        first.hangUp()
        let second = fixture.connect()
        let messages = second.resume(welcome, received: ["1.1"])
        #expect(messages.first("attached")?["paging"]?["access"] == nil)
        #expect(messages.first("attached")?["bottom"]?["state"]?.string == "idle")
        #expect(messages.first("update")?["list"]?["count"]?.number == 0)
        second.send(#"{"type":"refresh","view":"list","seq":4}"#)
        #expect(Self.pages(second).last == 1)
    }
}
