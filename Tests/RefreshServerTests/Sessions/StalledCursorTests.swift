import RefreshBroker
import RefreshEngine
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// A feed whose cursor does not advance.
@Suite("Stalled cursors")
struct StalledCursorTests {
    private static let feed = FeedDescription(
        name: "mails", style: .cursor, size: 2, itemKey: JSONPointer("/id"))

    /// Returns a view of the feed with its first page.
    private static func fixture(log: DaemonLog) -> ConversationFixture {
        let fixture = ConversationFixture(feeds: [feed])
        fixture.services.logStalledCursors(to: log)
        fixture.send(#"{"type":"hello","protocol":1}"#, at: .origin)
        fixture.send(
            """
            {"type":"attach","seq":1,"view":"list","profile":"default","feed":"mails"}
            """, at: Instant(milliseconds: 1))
        return fixture
    }

    private static func load(
        _ fixture: ConversationFixture, seq: Int, kind: String, _ ids: Range<Int>, cursor: String,
        at milliseconds: Double
    ) throws {
        let now = Instant(milliseconds: milliseconds)
        fixture.send(#"{"type":"\#(kind)","seq":\#(seq),"view":"list"}"#, at: now)
        let ticket = try #require(fixture.pending.last)
        fixture.loadEnded(
            ticket, ConversationFixture.page(ids, more: true, cursor: cursor), at: now)
    }

    @Test("Two pages of only known items end the list, are counted, and are logged once a minute")
    func ends() throws {
        let recorder = LogRecorder()
        let fixture = Self.fixture(log: recorder.log)
        for round in 0..<3 {
            let (seq, start) = (round * 10 + 2, Double(round) * 50_000 + 10_000)
            try Self.load(fixture, seq: seq, kind: "refresh", 0..<2, cursor: "a", at: start)
            try Self.load(
                fixture, seq: seq + 1, kind: "loadMore", 0..<2, cursor: "a", at: start + 3000)
            #expect(fixture.conversation.views[0].engine.paging.hasMore)
            try Self.load(
                fixture, seq: seq + 2, kind: "loadMore", 0..<2, cursor: "a", at: start + 6000)
            #expect(!fixture.conversation.views[0].engine.paging.hasMore)
        }
        #expect(fixture.services.metrics.snapshot.stalledCursors == 3)
        let line = "warning cursor does not advance feed=mails session=5f0c"
        #expect(
            recorder.lines == [line, line], "the line is not logged exactly at 16 s and at 116 s")
        #expect(fixture.channel.frames.contains { $0.contains(#""state":"noMore""#) })
    }

    @Test("New items with the same cursor continue the list")
    func continues() throws {
        let recorder = LogRecorder()
        let fixture = Self.fixture(log: recorder.log)
        try Self.load(fixture, seq: 2, kind: "refresh", 0..<2, cursor: "a", at: 1000)
        for page in 1..<5 {
            try Self.load(
                fixture, seq: page + 2, kind: "loadMore", page * 2..<page * 2 + 2, cursor: "a",
                at: Double(page) * 5000)
        }
        #expect(fixture.conversation.views[0].engine.paging.hasMore)
        #expect(fixture.services.metrics.snapshot.stalledCursors == 0 && recorder.lines.isEmpty)
    }
}
