import RefreshBroker
import RefreshProtocol
import ScenarioBench
import Synchronization
import Testing

@testable import JournalReplay
@testable import RefreshSession
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

    /// Pages of twenty items. Each page has one other item than the page before.
    private final class ChangingBackend: Backend {
        private let calls = Mutex(0)

        func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            let items = (0..<20).map { id in
                #"{"id":\#(id),"text":"\#(id == number ? "changed" : "as before")"}"#
            }
            return Page(items: Array("[\(items.joined(separator: ","))]".utf8), count: 20)
        }
    }

    @Test("The journal of a session with patches has the hashes of items, and replays")
    func patches() async throws {
        let steps = """
            hello {features: [patch]}
            attach list {profile: iqpulltorefresh, feed: songs}
            expect attached list {itemKey: "/id"}
            refresh list
            expect items list {mode: replace}
            refresh list
            expect items list {mode: patch, count: 20, runs:
              [{items: [{id: 0}, {id: 1}, {id: 2, text: changed}]}, {from: 3, count: 17}]}
            bye
            expect close 1000
            """
        let recorded = MemoryJournal()
        let feed = SimulatedFeed(
            description: FeedDescription(name: "songs", style: .page, size: 20),
            backend: ChangingBackend(), itemKey: JSONPointer("/id"))
        let peer = SessionPeer(feeds: [feed], latencyMs: 20, journal: recorded)
        let result = await ScenarioRunner.run(try scenario(steps), over: peer)
        #expect(result.failure == nil, "\(ScenarioReport.text(result))")
        let verdict = try InProcessReplay.run(recorded.bytes)
        #expect(verdict.isIdentical && verdict.isClosed, "\(verdict.text)")
        // Without the hashes of the items, the replayed session sends the whole list.
        let lines = try recorded.bytes.split(separator: 0x0A).map { line in
            var line = try JournalLine(parsing: Array(line))
            if case .input(let at, .load(let load, let view, .ended(.page(var page)))) = line {
                try #require(page.itemKeys?.list?.contents.count == 20)
                page.itemKeys?.list = nil
                line = .input(at: at, .load(load, view: view, .ended(.page(page))))
            }
            return line
        }
        #expect(try !InProcessReplay.run(journal(lines)).isIdentical)
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
