import Foundation
import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The runs of a patch. Source: docs/protocol.md, "Patches".
@Suite("The runs of a patch")
struct PatchTextTests {
    private static func runs(_ old: Page, _ new: Page) throws -> [UInt8]? {
        PatchText.runs(
            from: try #require(old.itemKeys?.list), to: new,
            keyAt: try #require(JSONPointer("/id")))
    }

    /// Applies the runs to the items of the old page.
    private static func apply(_ runs: [UInt8], _ old: Page, count: Int) throws -> [JSONValue]? {
        let text = String(decoding: runs, as: UTF8.self)
        let message = try JSONValue(
            parsing: #"{"mode":"patch","count":\#(count),"runs":\#(text)}"#)
        return PatchedList.applying(message, to: try items(old))
    }

    private static func items(_ page: Page) throws -> [JSONValue] {
        try #require(JSONValue(parsing: String(decoding: page.items, as: UTF8.self)).array)
    }

    @Test("The runs of random edits make the new list from the old list")
    func randomEdits() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(state: seed)
        var patches = 0
        for round in 0..<400 {
            let bytes = [0, 10, 60, 300][round % 4]
            var items = (0..<Int.random(in: 0...60, using: &random)).map { (id: $0, version: 0) }
            let old = try PatchedList.page(
                items.map { PatchedList.item($0.id, version: $0.version, bytes: bytes) })
            for edit in 0..<Int.random(in: 0...12, using: &random) {
                let place = Int.random(in: 0...items.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: items.insert((100 + edit, 0), at: place)
                case 1 where place < items.count: items.remove(at: place)
                case 2 where place < items.count: items[place].version += 1
                case 3 where place < items.count:
                    let item = items.remove(at: place)
                    items.insert(item, at: Int.random(in: 0...items.count, using: &random))
                default: break
                }
            }
            let new = try PatchedList.page(
                items.map { PatchedList.item($0.id, version: $0.version, bytes: bytes) })
            guard let runs = try Self.runs(old, new) else { continue }
            patches += 1
            #expect(runs.count * 4 <= new.items.count * 3, "seed \(seed), round \(round)")
            let result = try Self.apply(runs, old, count: items.count)
            #expect(result == (try Self.items(new)), "seed \(seed), round \(round)")
        }
        #expect(patches > 100, "seed \(seed): \(patches) patches")
    }

    @Test("One changed item of 1,000 needs its own bytes and two runs of the other items")
    func oneChange() throws {
        let old = try PatchedList.page(0..<1000)
        let changed = PatchedList.item(500, version: 7)
        let items = (0..<1000).map { $0 == 500 ? changed : PatchedList.item($0) }
        let runs = try Self.runs(old, try PatchedList.page(items))
        #expect(
            runs.map { String(decoding: $0, as: UTF8.self) }
                == #"[{"from":0,"count":500},{"items":[\#(changed)]},{"from":501,"count":499}]"#)
    }

    @Test(
        "A patch states inserted, removed and moved items without the bytes of the others",
        arguments: [
            ([9, 0, 1, 2, 3], #"[{"items":[9]},{"from":0,"count":4}]"#),
            ([0, 1, 3], #"[{"from":0,"count":2},{"from":3,"count":1}]"#),
            ([3, 0, 1, 2], #"[{"from":3,"count":1},{"from":0,"count":3}]"#),
            ([0, 1, 2, 3], #"[{"from":0,"count":4}]"#),
        ])
    func kinds(ids: [Int], expected: String) throws {
        let runs = try #require(
            try Self.runs(try PatchedList.page(0..<4), try PatchedList.page(ids)))
        let text = String(decoding: runs, as: UTF8.self)
        #expect(text.replacing(PatchedList.item(9), with: "9") == expected)
    }

    @Test("Equal lists have equal patches, whatever white space is between their items")
    func whiteSpace() throws {
        let old = try PatchedList.page(0..<8)
        let items = [0, 1, 90, 91, 2, 3].map { PatchedList.item($0) }
        let dense = try PatchedList.page(items)
        // The elements of a page are its items without the white space around them.
        let wide = try PatchedList.page(items.enumerated().map { $0 == 0 ? $1 : " \n\($1)" })
        #expect(dense.itemKeys?.list == wide.itemKeys?.list && dense.items != wide.items)
        #expect(try Self.runs(old, dense) != nil)
        #expect(try Self.runs(old, dense) == Self.runs(old, wide))
    }

    @Test("If the texts of the runs are longer than the items, there is no patch")
    func shortItems() throws {
        let old = try PatchedList.page((0..<20).map { #"{"id":\#($0)}"# })
        let ids = (0..<20).reversed()
        #expect(try Self.runs(old, try PatchedList.page(ids.map { #"{"id":\#($0)}"# })) == nil)
    }

    @Test("A list without items, and a list whose items have all changed, are no patch")
    func nothingKept() throws {
        let old = try PatchedList.page(0..<10)
        #expect(try Self.runs(old, try PatchedList.page([String]())) == nil)
        #expect(try Self.runs(old, try PatchedList.page(0..<10, version: 1)) == nil)
        #expect(try Self.runs(try PatchedList.page([String]()), old) == nil)
    }

    @Test(
        "Items whose keys may be equal values with different texts are not compared",
        arguments: [
            (#"[{"id":"a"},{"id":-1},{"id":0},{"id":"é"}]"#, true), (#"[{"id":"\u0061"}]"#, false),
            (#"[{"id":1.0}]"#, false), (#"[{"id":1e3}]"#, false), (#"[{"id":-0}]"#, false),
            (#"[{"id":1234567890123456}]"#, false), (#"[{"id":true}]"#, false),
            (#"[{"id":{}}]"#, false), (#"[{"id":1},{}]"#, false), (#"[{"id":1},{"id":1}]"#, false),
            (#"[{"id":null}]"#, false), ("[]", true),
        ])
    func plainKeys(items: String, areCompared: Bool) throws {
        let keys = ItemKeys(
            of: Page(items: Array(items.utf8), count: 0), at: try #require(JSONPointer("/id")),
            hashedBy: SipHash(key: 1, 2))
        #expect((keys?.list != nil) == areCompared)
    }

    @Test("Sessions with equal lists share one patch, and the cache keeps its bounds")
    func cache() throws {
        let cache = PatchCache()
        let pointer = try #require(JSONPointer("/id"))
        let old = try PatchedList.page(0..<50)
        let base = try #require(old.itemKeys?.list)
        for _ in 0..<1000 {
            let new = try PatchedList.page(1..<51)
            let list = try #require(new.itemKeys?.list)
            let runs = cache.runs(from: base, to: new, list, keyAt: pointer)
            #expect(runs != nil)
        }
        #expect(cache.madeCount == 1 && cache.count == 1)
        for first in 2..<200 {
            let new = try PatchedList.page(first..<first + 50)
            let list = try #require(new.itemKeys?.list)
            _ = cache.runs(from: base, to: new, list, keyAt: pointer)
        }
        #expect(cache.count == PatchCache.entriesMax && cache.madeCount == 199)
        #expect(cache.bytes <= PatchCache.bytesMax)
    }

    @Test("Large patches displace older ones when the bytes of the cache are used up")
    func cacheBytes() throws {
        let cache = PatchCache()
        let pointer = try #require(JSONPointer("/id"))
        let base = try #require(
            try PatchedList.page((0..<4).map { PatchedList.item($0, bytes: 1_500_000) }).itemKeys?
                .list)
        for version in 1...5 {
            let items = (0..<4).map { id in
                PatchedList.item(id, version: id == 0 ? version : 0, bytes: 1_500_000)
            }
            let new = try PatchedList.page(items)
            let list = try #require(new.itemKeys?.list)
            #expect(cache.runs(from: base, to: new, list, keyAt: pointer) != nil)
            #expect(cache.bytes <= PatchCache.bytesMax)
        }
        #expect(cache.count == 2)
    }

    @Test("A patch that is larger than the cache is made once, and stays alone until the next one")
    func largePatch() throws {
        let cache = PatchCache()
        let pointer = try #require(JSONPointer("/id"))
        let text = String(repeating: "y", count: PatchCache.bytesMax + 1)
        let old = try PatchedList.page((0..<2).map { PatchedList.item($0, bytes: 10_000_000) })
        let base = try #require(old.itemKeys?.list)
        let items = (0..<2).map { PatchedList.item($0, bytes: 10_000_000) }
        let large = try PatchedList.page(items + [#"{"id":2,"text":"\#(text)"}"#])
        let small = try PatchedList.page(Array(items.reversed()))
        let largeList = try #require(large.itemKeys?.list)
        let smallList = try #require(small.itemKeys?.list)
        for _ in 0..<3 {
            #expect(cache.runs(from: base, to: large, largeList, keyAt: pointer) != nil)
        }
        #expect(cache.madeCount == 1 && cache.count == 1)
        #expect(cache.runs(from: base, to: small, smallList, keyAt: pointer) != nil)
        #expect(cache.count == 1 && cache.bytes <= PatchCache.bytesMax)
    }

    @Test("The cache drops the patch that has not been used for the longest time")
    func leastRecent() throws {
        let cache = PatchCache()
        let pointer = try #require(JSONPointer("/id"))
        let base = try #require(try PatchedList.page(0..<50).itemKeys?.list)
        func use(_ first: Int) throws {
            let new = try PatchedList.page(first..<first + 50)
            let list = try #require(new.itemKeys?.list)
            _ = cache.runs(from: base, to: new, list, keyAt: pointer)
        }
        for first in 0..<PatchCache.entriesMax {
            try use(first + 1)
            try use(1)
        }
        try use(1000)
        let made = cache.madeCount
        try use(1)
        #expect(cache.madeCount == made)
        try use(2)
        #expect(cache.madeCount == made + 1)
    }

    @Test("Items that were hashed with another hash key make the list unknown")
    func foreignHashes() throws {
        let pointer = try #require(JSONPointer("/id"))
        let foreign = SipHash(key: 3, 4)
        let deduplicator = ItemDeduplicator([7], foreignHash: foreign)
        let page = try PatchedList.page(0..<4)
        let list = try #require(page.itemKeys?.list)
        let kept = try #require(deduplicator.deduplicated(page, of: .more) { pointer })
        #expect(kept.hashes.count == 4 && kept.hashes != list.keys)
        for change in [SentList.Change.append, .prepend] {
            var sent = SentList(itemKey: "/id")
            let first = try #require(try PatchedList.page(10..<14).itemKeys?.list)
            _ = sent.record(first, kept: first.keys, .replace, most: 100)
            #expect(sent.list?.count == 4)
            _ = sent.record(list, kept: kept.hashes, change, most: 100)
            #expect(sent.list == nil)
        }
        let keys = ItemKeys(of: page, at: pointer, hashedBy: foreign, hasList: false)
        #expect(keys?.list == nil && keys?.hashes.compactMap { $0 } == kept.hashes)
    }

    @Test("A saved list with two equal keys, or with too few hashes, is refused")
    func savedLists() throws {
        let list = try #require(HashedItems(keys: [1, .max], contents: [2, 3]))
        let data = try JSONEncoder().encode(list)
        #expect(try JSONDecoder().decode(HashedItems.self, from: data) == list)
        for text in [
            #"{"keys":[1,1],"contents":[2,3]}"#, #"{"keys":[1,2],"contents":[2]}"#, "{}",
        ] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(HashedItems.self, from: Data(text.utf8))
            }
        }
    }
}

/// A small generator of random numbers (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
