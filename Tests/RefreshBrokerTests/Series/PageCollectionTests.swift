import RefreshProtocol
import Testing

@testable import RefreshBroker

/// Compares the joined pages of a series with a model: a plain list, whose pages arrive in any
/// order.
@Suite("The pages of a series")
struct PageCollectionTests {
    /// A list of `total` numbers from 0, and a request for a part of this list.
    private struct Model {
        let seed: UInt64
        let style: PagingStyle
        let size: Int
        let pages: Int
        let skipped: Int
        let total: Int
        /// Whether pages may have other lengths than `size`.
        let isOdd: Bool
        let saysMore: Bool

        init(seed: UInt64, _ random: inout SeededRandom) {
            self.seed = seed
            style = [.page, .offset, .cursor].randomElement(using: &random) ?? .page
            size = Int.random(in: 1...5, using: &random)
            pages = Int.random(in: 1...6, using: &random)
            skipped = style == .cursor ? 0 : Int.random(in: 0...4, using: &random)
            total = Int.random(in: 0...60, using: &random)
            isOdd = style == .offset && Bool.random(using: &random)
            saysMore = isOdd || Bool.random(using: &random)
        }

        var collection: PageCollection {
            PageCollection(
                LoadRequest(
                    feed: "list", kind: .refresh, page: 1 + skipped, offset: skipped * size,
                    size: size),
                PageSeries(count: pages, skipped: skipped, style: style))
        }

        func answer(_ call: PageCollection.Call) -> Page {
            let start =
                switch style {
                case .page: (call.page - 1) * size
                case .cursor: call.cursor.flatMap { Int($0) } ?? 0
                case .offset, .none: call.offset
                }
            var random = SeededRandom(seed: seed &+ UInt64(start) &* 77)
            let length = isOdd ? Int.random(in: 1...size + 2, using: &random) : size
            let end = min(start + length, total)
            let items = (min(start, total)..<end).map(String.init).joined(separator: ", ")
            var page = Page(items: Array("[ \(items)]".utf8), count: end - min(start, total))
            if saysMore { page.more = end < total }
            if style == .cursor, end < total { page.cursor = String(end) }
            return page
        }
    }

    @Test("The joined pages have no gaps, and are as long as requested if the list is long enough")
    func model() {
        for seed in UInt64(1)...5_000 {
            var random = SeededRandom(seed: seed)
            let model = Model(seed: seed, &random)
            var collection = model.collection
            var running = collection.begin()
            var used: Set<Int> = []
            var isComplete = false
            while !isComplete, !running.isEmpty {
                let call = running.remove(at: Int.random(in: running.indices, using: &random))
                #expect(used.insert(call.id).inserted, "\(seed)")
                guard let step = collection.accept(model.answer(call), for: call.id) else {
                    Issue.record("seed \(seed): the request does not run")
                    return
                }
                running.removeAll { call in step.cancelled.contains { $0.id == call.id } }
                running += step.started
                isComplete = step.isComplete
            }
            #expect(isComplete && running.isEmpty && collection.calls.isEmpty, "\(seed)")
            check(collection, model)
        }
    }

    private func check(_ collection: PageCollection, _ model: Model) {
        let joined = collection.joined()
        let items = String(decoding: joined.items, as: UTF8.self)
            .split(whereSeparator: { "[], ".contains($0) }).compactMap { Int($0) }
        let start = min(collection.skipped * model.size, model.total)
        #expect(items == Array(start..<start + items.count), "\(model)")
        #expect(joined.count == items.count, "\(model)")
        let isEnd = start + items.count == model.total
        #expect(isEnd || joined.parts?.pages == model.pages, "\(model)")
        if !model.isOdd {
            #expect(isEnd || items.count == model.pages * model.size, "\(model)")
        }
        #expect(!items.isEmpty || model.total == 0, "\(model)")
    }

    @Test("The keys of the joined pages are at the places of their items")
    func keys() throws {
        var collection = PageCollection(
            LoadRequest(feed: "list", kind: .refresh, page: 1, offset: 0, size: 2),
            PageSeries(count: 2, skipped: 0, style: .page))
        let hash = SipHash(key: 1, 2)
        let key = try #require(JSONPointer("/id"))
        for (call, text) in zip(
            collection.begin(), [#"[ {"id":1} , {"id":2}]"#, #"[{"id":3},{"x":1} ]"#])
        {
            var page = Page(items: Array(text.utf8), count: 2)
            page.itemKeys = ItemKeys(of: page, at: key, hashedBy: hash)
            _ = collection.accept(page, for: call.id)
        }
        let joined = collection.joined()
        #expect(
            String(decoding: joined.items, as: UTF8.self)
                == #"[ {"id":1} , {"id":2},{"id":3},{"x":1} ]"#)
        #expect(joined.parts == Page.Parts(pages: 2, lastCount: 2, skipped: 0))
        #expect(joined.itemKeys == ItemKeys(of: joined, at: key, hashedBy: hash))
        #expect(joined.itemKeys?.list == nil)
    }

    @Test(
        "The joined pages have a list for patches if each item has a key of its own",
        arguments: [
            ([#"[ {"id":1} , {"id":"a"}]"#, "[]", #"[{"id":3}]"#], true),
            (["[]", #"[{"id":1},{"id":2}]"#], true), (["[]", "[]"], true),
            ([#"[{"id":1}]"#, #"[{"id":2},{"id":1}]"#], false),
            ([#"[{"id":1}]"#, #"[{"id":2.5}]"#], false),
        ])
    func lists(texts: [String], haveList: Bool) throws {
        var collection = PageCollection(
            LoadRequest(feed: "list", kind: .refresh, page: 1, offset: 0, size: 2),
            PageSeries(count: texts.count, skipped: 0, style: .page))
        let hash = SipHash(key: 1, 2)
        let key = try #require(JSONPointer("/id"))
        for (call, text) in zip(collection.begin(), texts) {
            let count = try #require(JSONValue(parsing: text).array).count
            var page = Page(items: Array(text.utf8), count: count, more: true)
            page.itemKeys = ItemKeys(of: page, at: key, hashedBy: hash)
            _ = collection.accept(page, for: call.id)
        }
        let joined = collection.joined()
        let expected = try #require(ItemKeys(of: joined, at: key, hashedBy: hash))
        #expect(joined.itemKeys == expected)
        #expect((expected.list != nil) == haveList)
    }
}
