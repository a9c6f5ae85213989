import Testing

@testable import RefreshBroker

@Suite("Keys of items")
struct ItemKeysTests {
    private static func keys(_ items: String, _ pointer: String) throws -> ItemKeys? {
        let page = Page(items: Array(items.utf8), count: 0)
        return ItemKeys(of: page, at: try #require(JSONPointer(pointer)))
    }

    /// The text at each element.
    private static func texts(_ items: String, _ keys: ItemKeys) -> [String] {
        keys.elements.map { String(decoding: Array(items.utf8)[$0], as: UTF8.self) }
    }

    @Test("each item is where it stands, without the space around it")
    func elements() throws {
        let items = "[ {\"id\":1} ,\n2, \"é]\",[3,[4]] ]"
        let keys = try #require(try Self.keys(items, "/id"))
        #expect(Self.texts(items, keys) == ["{\"id\":1}", "2", "\"é]\"", "[3,[4]]"])
        #expect(keys.hashes.map { $0 != nil } == [true, false, false, false])
    }

    @Test(
        "keys are equal when their texts are",
        arguments: [
            (#"[{"id":1},{"id":1}]"#, "/id", true), (#"[{"id":1},{"id":"1"}]"#, "/id", false),
            (#"[{"id":1},{"id":1.0}]"#, "/id", false), (#"[{"id":1},{"id" : 1 }]"#, "/id", true),
            (#"[{"id":"12345678"},{"id":"12345678"}]"#, "/id", true),
            (#"[{"id":"12345678"},{"id":"123456780"}]"#, "/id", false),
            (#"[{"id":"a"},{"id":"\u0061"}]"#, "/id", false),
            (#"[{"\u0069d":7},{"id":7}]"#, "/id", true),
            (#"[{"a":{"b":[0,{"c":5}]}},{"a":{"b":[1,{"c":5}]}}]"#, "/a/b/1/c", true),
            (#"[{"id":1,"id":2},{"id":2}]"#, "/id", true),
            (#"[{"a/b":1},{"a/b":1}]"#, "/a~1b", true), ("[7,7]", "", true), ("[7,8]", "", false),
            (#"[[1,2],[3,2]]"#, "/1", true), (#"[{"id":[]},{"id":{}}]"#, "/id", false),
            (#"[{"":1},{"":1}]"#, "/", true),
        ])
    func equality(items: String, pointer: String, areEqual: Bool) throws {
        let keys = try #require(try Self.keys(items, pointer))
        try #require(keys.hashes.count == 2)
        #expect(keys.hashes[0] != nil && keys.hashes[1] != nil)
        #expect((keys.hashes[0] == keys.hashes[1]) == areEqual)
    }

    @Test(
        "an item without the value, or with null, has no key",
        arguments: [
            ("[{},1,null,\"id\",[]]", "/id"), (#"[{"id":null}]"#, "/id"), ("[[1]]", "/1"),
            ("[[1,2]]", "/01"), ("[[1,2]]", "/-"), ("[[1,2]]", "/1/0"), (#"[{"a":{}}]"#, "/a/b"),
            ("[null]", ""),
        ])
    func absent(items: String, pointer: String) throws {
        let keys = try #require(try Self.keys(items, pointer))
        #expect(!keys.elements.isEmpty)
        #expect(keys.hashes.allSatisfy { $0 == nil })
        #expect(keys.hashes.count == keys.elements.count)
    }

    @Test("an empty array has no items, and what is no array has no keys")
    func none() throws {
        #expect(try Self.keys("[ ]", "/id") == ItemKeys(elements: [], hashes: []))
        for text in ["", "{}", "[1", "[1 2]", "[1,]"] {
            #expect(try Self.keys(text, "/id") == nil)
        }
    }

    @Test("hashes are the same in every run, and apart for a hundred thousand keys")
    func hashes() throws {
        let known = try #require(try Self.keys(#"[{"id":"known"}]"#, "/id"))
        #expect(known.hashes == [Self.knownHash])
        let items = "[" + (0..<100_000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
        let keys = try #require(try Self.keys(items, "/id"))
        #expect(Set(keys.hashes).count == 100_000)
    }

    /// Of `"known"`, worked out once.
    private static let knownHash: UInt64 = 377_338_907_270_540_625
}
