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
    private static func world(log: DaemonLog) -> ConversationWorld {
        let world = ConversationWorld(feeds: [feed])
        world.services.logStalledCursors(to: log)
        world.send(#"{"type":"hello","protocol":1}"#, at: .origin)
        world.send(
            """
            {"type":"attach","seq":1,"view":"list","profile":"default","feed":"mails"}
            """, at: Instant(milliseconds: 1))
        return world
    }

    private static func load(
        _ world: ConversationWorld, seq: Int, kind: String, _ ids: Range<Int>, cursor: String,
        at milliseconds: Double
    ) throws {
        let now = Instant(milliseconds: milliseconds)
        world.send(#"{"type":"\#(kind)","seq":\#(seq),"view":"list"}"#, at: now)
        let ticket = try #require(world.pending.last)
        world.loadEnded(
            ticket, ConversationWorld.page(ids, more: true, cursor: cursor), at: now)
    }

    @Test("Two pages of only known items end the list, are counted, and are logged once a minute")
    func ends() throws {
        let recorder = LogRecorder()
        let world = Self.world(log: recorder.log)
        for round in 0..<3 {
            let (seq, start) = (round * 10 + 2, Double(round) * 50_000 + 10_000)
            try Self.load(world, seq: seq, kind: "refresh", 0..<2, cursor: "a", at: start)
            try Self.load(
                world, seq: seq + 1, kind: "loadMore", 0..<2, cursor: "a", at: start + 3000)
            #expect(world.conversation.views[0].engine.paging.hasMore)
            try Self.load(
                world, seq: seq + 2, kind: "loadMore", 0..<2, cursor: "a", at: start + 6000)
            #expect(!world.conversation.views[0].engine.paging.hasMore)
        }
        #expect(world.services.metrics.snapshot.stalledCursors == 3)
        let line = "warning cursor does not advance feed=mails session=5f0c"
        #expect(recorder.lines == [line, line], "at 16 s and 116 s, and not at 66 s")
        #expect(world.channel.frames.contains { $0.contains(#""state":"noMore""#) })
    }

    @Test("New items with the same cursor continue the list")
    func goesOn() throws {
        let recorder = LogRecorder()
        let world = Self.world(log: recorder.log)
        try Self.load(world, seq: 2, kind: "refresh", 0..<2, cursor: "a", at: 1000)
        for page in 1..<5 {
            try Self.load(
                world, seq: page + 2, kind: "loadMore", page * 2..<page * 2 + 2, cursor: "a",
                at: Double(page) * 5000)
        }
        #expect(world.conversation.views[0].engine.paging.hasMore)
        #expect(world.services.metrics.snapshot.stalledCursors == 0 && recorder.lines.isEmpty)
    }
}
