import RefreshProtocol
import Testing

@testable import RefreshBroker

@Suite("Reading reports of changes")
struct ChangeReaderTests {
    static let hash = SipHash(key: 1, 2)
    static let reader = ChangeReader(
        feeds: [
            "chat": .init(
                itemKey: JSONPointer("/id"),
                parameters: [
                    "room", FeedParameter("level", .integer), FeedParameter("on", .boolean),
                ]
            ),
            "plain": .init(),
        ], hashedBy: hash)

    static func read(
        _ text: String, of feed: String = "chat"
    ) throws(ChangeReportFault) -> FeedChange {
        try reader.change(of: feed, in: Array(text.utf8).span)
    }

    static func key(_ text: String) -> ItemOperation.Key {
        ItemOperation.Key(Array(text.utf8), hashedBy: hash)
    }

    static func operation(
        _ kind: ItemOperation.Kind, _ name: String, at place: ItemOperation.Place? = nil,
        item: String = ""
    ) -> ItemOperation {
        ItemOperation(kind, key(name), at: place, item: Array(item.utf8), hashedBy: hash)
    }

    private static func text(_ operation: ItemOperation) -> String {
        var out = ByteBuffer(capacity: 64)
        operation.append(to: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test("A report has each kind of operation, and the items keep their bytes")
    func operations() throws {
        let change = try Self.read(
            #"""
            {"operations": [
              {"insert": {"text": "hel\u006co ", "n": 1.50, "id" : 18}, "at": "start"},
              {"at":"end","insert":{"id":"b"}}, {"insert":{"id":3},"before":"b"},
              {"insert":{"id":4},"after":-7}, {"update":{"id":3,"x":[1]}}, {"remove":12},
              {"move":"b","at":"start"}, {"move":"b","after":3, "why": null}], "other": [1]}
            """#)
        let item = #"{"text": "hel\u006co ", "n": 1.50, "id" : 18}"#
        let operations = [
            Self.operation(.insert, "18", at: .start, item: item),
            Self.operation(.insert, #""b""#, at: .end, item: #"{"id":"b"}"#),
            Self.operation(.insert, "3", at: .before(Self.key(#""b""#)), item: #"{"id":3}"#),
            Self.operation(.insert, "4", at: .after(Self.key("-7")), item: #"{"id":4}"#),
            Self.operation(.update, "3", item: #"{"id":3,"x":[1]}"#),
            Self.operation(.remove, "12"), Self.operation(.move, #""b""#, at: .start),
            Self.operation(.move, #""b""#, at: .after(Self.key("3"))),
        ]
        #expect(
            change == FeedChange("chat", count: NewerCount(4), items: [ItemChange(operations)]))
    }

    @Test("The hashes of an operation are those of a page with the same item")
    func hashes() throws {
        let item = #"{"id":18,"a":[2,  3]}"#
        let change = try Self.read(#"{"operations":[{"insert":\#(item),"at":"end"}]}"#)
        let operation = try #require(change.items?.first?.operations.first)
        let page = Page(items: Array("[\(item)]".utf8), count: 1)
        let pointer = try #require(JSONPointer("/id"))
        let keys = try #require(ItemKeys(of: page, at: pointer, hashedBy: Self.hash))
        #expect(keys.hashes == [operation.key.hash])
        #expect(
            keys.list == HashedItems(keys: [operation.key.hash], contents: [operation.contentHash]))
    }

    @Test(
        "An operation is written as the protocol describes it",
        arguments: [
            #"{"insert":{"id":"m9","text":"hello"},"at":"start"}"#,
            #"{"insert":{"id":1},"at":"end"}"#, #"{"insert":{"id":1},"before":"x"}"#,
            #"{"insert":{"id":1},"after":2}"#, #"{"update":{"id":1}}"#, #"{"remove":"m2"}"#,
            #"{"move":5,"at":"end"}"#, #"{"move":5,"before":6}"#,
        ])
    func written(text: String) throws {
        let change = try Self.read("{\"operations\":[\(text)]}")
        let operation = try #require(change.items?.first?.operations.first)
        #expect(Self.text(operation) == text)
        #expect(operation.jsonBytes == text.utf8.count)
    }

    @Test("Without operations, a report states a number of items or nothing")
    func plain() throws {
        #expect(try Self.read("") == FeedChange("chat"))
        #expect(try Self.read(" {} ") == FeedChange("chat"))
        #expect(
            try Self.read(#"{"count":3,"subject":7}"#) == FeedChange("chat", count: NewerCount(3)))
        #expect(try Self.read(#"{"operations":null}"#, of: "plain") == FeedChange("plain"))
    }

    @Test("A stated number takes precedence over the number of inserted items")
    func count() throws {
        let change = try Self.read(#"{"operations":[{"remove":1}],"count":7}"#)
        #expect(change.count == NewerCount(7))
        #expect(try Self.read(#"{"operations":[{"remove":1}]}"#).count == NewerCount(0))
    }

    @Test("Parameters have the declared types and the order of their names")
    func parameters() throws {
        let change = try Self.read(
            #"{"operations":[{"remove":1}],"parameters":{"room":"a\u0062","on":true,"level":-2}}"#)
        #expect(
            change.items?.first?.parameters == [
                LoadParameter(name: "level", value: .integer(-2)),
                LoadParameter(name: "on", value: .boolean(true)),
                LoadParameter(name: "room", value: .text("ab")),
            ])
        let texts = try Self.read(
            #"{"operations":[{"remove":1}],"parameters":{"level":"-2","room":5},"subject":"é"}"#)
        #expect(
            texts.items?.first?.parameters == [
                LoadParameter(name: "level", value: .integer(-2)),
                LoadParameter(name: "room", value: .text("5")),
            ])
        #expect(texts.items?.first?.subject == "é")
    }

    @Test(
        "A fault names the operation and the member",
        arguments: [
            (#"{"operations":7}"#, "`operations` is not an array"),
            (#"{"operations":[]}"#, "`operations` is not an array"),
            (#"{"operations":[{"remove":1},5]}"#, "`operations[1]` is not an object"),
            (#"{"operations":[{"at":"end"}]}"#, "`operations[0]` must have one of insert"),
            (#"{"operations":[{"refresh":1}]}"#, "`operations[0]` must have one of insert"),
            (#"{"operations":[{"remove":1,"move":2}]}"#, "`operations[0]` must have one of insert"),
            (#"{"operations":[{"remove":1,"remove":1}]}"#, "`operations[0]` must have one"),
            (#"{"operations":[{"insert":{"id":1}}]}"#, "`operations[0]` must have one of at"),
            (
                #"{"operations":[{"move":1,"at":"end","after":2}]}"#,
                "`operations[0]` must have one of at"
            ),
            (#"{"operations":[{"remove":1,"at":"end"}]}"#, "`operations[0]` must not have a place"),
            (#"{"operations":[{"move":1,"at":"top"}]}"#, "`operations[0].at` is neither"),
            (#"{"operations":[{"move":1,"after":[]}]}"#, "`operations[0].after` has a key"),
            (#"{"operations":[{"move":1,"before":1}]}"#, "`operations[0]` names the item as its"),
            (#"{"operations":[{"insert":{},"at":"end"}]}"#, "`operations[0].insert` has no key at"),
            (#"{"operations":[{"update":{"id":null}}]}"#, "`operations[0].update` has no key at"),
            (#"{"operations":[{"update":{"id":"\n"}}]}"#, "`operations[0].update` has a key"),
            (#"{"operations":[{"remove":1.5}]}"#, "`operations[0].remove` has a key"),
            (#"{"operations":[{"remove":1234567890123456}]}"#, "`operations[0].remove` has a key"),
            (#"{"operations":[{"remove":1}],"operations":[]}"#, "`operations` occurs twice"),
            (#"{"operations":[{"remove":1}],"subject":7}"#, "`subject` is not a string"),
            (#"{"operations":[{"remove":1}],"parameters":[]}"#, "`parameters` is not an object"),
            (
                #"{"operations":[{"remove":1}],"parameters":{"x":"1"}}"#,
                "`parameters.x` is not a parameter of the feed"
            ),
            (
                #"{"operations":[{"remove":1}],"parameters":{"level":1.5}}"#,
                "`parameters.level` is not of the type integer"
            ),
            (
                #"{"operations":[{"remove":1}],"parameters":{"room":{}}}"#,
                "`parameters.room` is not of the type text"
            ),
            (
                #"{"operations":[{"remove":1}],"parameters":{"room":"","room":""}}"#,
                "`parameters.room` occurs twice"
            ),
            (#"{"count":-1}"#, "`count` is not a whole number"),
            (#"{"operations":[{"remove":1}]"#, "The body is not a JSON object"), ("[]", "The body"),
            (#"{"operations":[{"remove":1}]} x"#, "The body is not a JSON object"),
        ])
    func faults(text: String, message: String) {
        let fault = #expect(throws: ChangeReportFault.self) { try Self.read(text) }
        #expect(fault?.code == .bodyMalformed)
        #expect(fault?.message.hasPrefix(message) == true, "\(fault?.message ?? "")")
    }

    @Test("A feed without an itemKey accepts no operations")
    func noItemKey() {
        let fault = #expect(throws: ChangeReportFault.self) {
            try Self.read(#"{"operations":[{"remove":1}]}"#, of: "plain")
        }
        #expect(fault?.code == .noItemKey)
    }

    @Test("A report has at most 256 operations and 262,144 bytes")
    func bounds() throws {
        func report(_ count: Int) -> String {
            "{\"operations\":[\(Array(repeating: #"{"remove":1}"#, count: count).joined(separator: ","))]}"
        }
        #expect(try Self.read(report(256)).items?.first?.operations.count == 256)
        #expect(throws: ChangeReportFault.self) { try Self.read(report(257)) }
        let whole = report(1) + String(repeating: " ", count: 262_144 - report(1).utf8.count)
        #expect(try Self.read(whole).items != nil)
        let fault = #expect(throws: ChangeReportFault.self) { try Self.read(whole + " ") }
        #expect(fault?.code == .tooLarge)
    }

    @Test("An item may be nested as deeply as an item of a page", arguments: [63, 64])
    func depth(levels: Int) throws {
        let nested =
            String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1)
        let item = #"{"id":1,"x":\#(nested)}"#
        let page = Page(items: Array("[\(item)]".utf8), count: 1)
        let fits =
            ItemKeys(of: page, at: try #require(JSONPointer("/id")), hashedBy: Self.hash) != nil
        let change = try? Self.read(#"{"operations":[{"update":\#(item)}]}"#)
        #expect((change != nil) == fits)
    }
}
