import RefreshProtocol
import Testing

@testable import RefreshBroker

@Suite("Item keys")
struct ItemKeysTests {
    private static func keys(
        _ items: String, _ pointer: String, hashedBy hash: SipHash = SipHash(key: 1, 2)
    ) throws -> ItemKeys? {
        let page = Page(items: Array(items.utf8), count: 0)
        return ItemKeys(of: page, at: try #require(JSONPointer(pointer)), hashedBy: hash)
    }

    /// Returns the text at each element's range.
    private static func texts(_ items: String, _ keys: ItemKeys) -> [String] {
        keys.elements.map { String(decoding: Array(items.utf8)[$0], as: UTF8.self) }
    }

    @Test(
        "The text of a pointer is the text from which it was made",
        arguments: ["", "/", "/a/b", "/a~1b~0", "/~0\u{301}/~1\u{301}", "/e\u{301}", "/\u{e9}"])
    func pointerText(text: String) throws {
        let again = try #require(JSONPointer(text)).text
        #expect(Array(again.utf8) == Array(text.utf8))
    }

    @Test("The range of an item does not include the whitespace around it")
    func elements() throws {
        let items = "[ {\"id\":1} ,\n2, \"é]\",[3,[4]] ]"
        let keys = try #require(try Self.keys(items, "/id"))
        #expect(Self.texts(items, keys) == ["{\"id\":1}", "2", "\"é]\"", "[3,[4]]"])
        #expect(keys.hashes.map { $0 != nil } == [true, false, false, false])
    }

    @Test(
        "Two keys have the same hash if their JSON texts are equal, and otherwise different hashes",
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
        "An item without a value at the pointer, or with null there, has no key",
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

    @Test("An empty array has no items, and a text that is not a JSON array has no keys")
    func none() throws {
        #expect(try Self.keys("[ ]", "/id") == ItemKeys(elements: [], hashes: [], list: .empty))
        for text in ["", "{}", "[1", "[1 2]", "[1,]"] {
            #expect(try Self.keys(text, "/id") == nil)
        }
    }

    @Test("The hash of an item is the SipHash of its item key, computed with the secret key")
    func hashes() throws {
        let items = #"[{"id":"known"},{"id":[1, 2]},{"id":7}]"#
        for hash in [SipHash(key: 1, 2), SipHash(key: 1, 3), SipHash(key: 0, 2)] {
            let keys = try #require(try Self.keys(items, "/id", hashedBy: hash))
            let texts = [#""known""#, "[1, 2]", "7"].map { Array($0.utf8) }
            #expect(keys.hashes == texts.map { hash.hash($0.span, in: $0.indices) })
        }
    }

    @Test("If an unkeyed hash is equal for two item keys, their SipHash is different")
    func madeToCollide() throws {
        let items = #"[{"id":"victims-order-00000042"},{"id":"2b6j1ic7ba4JGhDfCUdU?&"}]"#
        let keys = try #require(try Self.keys(items, "/id"))
        #expect(keys.hashes[0] != keys.hashes[1])
    }

    @Test("The hashes of a hundred thousand keys are distinct")
    func apart() throws {
        let items = "[" + (0..<100_000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
        let keys = try #require(try Self.keys(items, "/id"))
        #expect(Set(keys.hashes).count == 100_000)
    }
}
