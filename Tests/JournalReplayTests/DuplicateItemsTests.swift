import RefreshBroker
import RefreshProtocol
import RefreshSession
import ScenarioBench
import Testing

@testable import JournalReplay
@testable import ScenarioKit

@Suite("Duplicate items")
struct DuplicateItemsTests {
    /// Pages of four items that overlap by one item, as if an item had been inserted at the top
    /// between two loads.
    private struct OverlappingBackend: Backend {
        func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
            let first = (call.request.page - 1) * 3
            let items = (first..<first + 4).map { "{\"id\":\($0)}" }.joined(separator: ",")
            return Page(items: Array("[\(items)]".utf8), count: 4, more: true)
        }
    }

    private static func feed(itemKey: JSONPointer?) -> SimulatedFeed {
        SimulatedFeed(
            description: FeedDescription(name: "songs", style: .page, size: 4),
            backend: OverlappingBackend(), itemKey: itemKey)
    }

    @Test("With an item key, a list receives each item once, and the session's journal replays")
    func leftOut() async throws {
        let steps = """
            hello
            attach list {profile: iqpulltorefresh, feed: songs}
            refresh list
            expect update list {list: {count: 4}}
              and items list {mode: replace, count: 4, items: [{id: 0}, {id: 1}, {id: 2}, {id: 3}]}
            loadMore list
            expect update list {list: {count: 7}}
              and items list {mode: append, count: 3, removed: 1, items: [{id: 4}, {id: 5}, {id: 6}]}
            loadMore list
            expect items list {page: 3, count: 3, removed: 1, items: [{id: 7}, {id: 8}, {id: 9}]}
            refresh list
            expect items list {mode: replace, count: 4, items: [{id: 0}, {id: 1}, {id: 2}, {id: 3}]}
            bye
            expect close 1000
            """
        let journal = MemoryJournal()
        let peer = SessionPeer(
            feeds: [Self.feed(itemKey: JSONPointer("/id"))], latencyMs: 20,
            journal: journal)
        let result = await ScenarioRunner.run(try scenario(steps), over: peer)
        #expect(result.failure == nil, "\(ScenarioReport.text(result))")
        let verdict = try InProcessReplay.run(journal.bytes)
        #expect(verdict.isIdentical && verdict.isClosed, "\(verdict.text)")
    }

    @Test("Without an item key, all items of a feed are delivered")
    func retained() async throws {
        let steps = """
            hello
            attach list {profile: iqpulltorefresh, feed: songs}
            refresh list
            expect items list {count: 4}
            loadMore list
            expect items list {count: 4, items: [{id: 3}, {id: 4}, {id: 5}, {id: 6}]}
            """
        let peer = SessionPeer(feeds: [Self.feed(itemKey: nil)], latencyMs: 20)
        let result = await ScenarioRunner.run(try scenario(steps), over: peer)
        #expect(result.failure == nil, "\(ScenarioReport.text(result))")
    }
}
