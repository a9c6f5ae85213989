import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The feature `patch` in a session. Source: docs/protocol.md, "Patches".
@Suite("A client with the feature `patch`")
struct SessionPatchTests {
    /// A client that keeps its list.
    private final class Client {
        let tester: SessionTester
        var list: [JSONValue] = []
        var seq = 1

        init(
            limits: Limits = SessionTester.patient, features: String? = #"["patch","query"]"#,
            itemKey: String? = "/id", extra: String = ""
        ) {
            tester = SessionTester(
                limits: limits,
                feeds: [
                    FeedDescription(
                        name: "songs", parameters: ["q"], style: .page, size: 10,
                        itemKey: itemKey.flatMap { JSONPointer($0) })
                ])
            attached = tester.open(feed: "songs", features: features, extra: extra).last ?? .null
        }

        let attached: JSONValue

        @discardableResult
        func send(_ type: String, _ extra: String = "") -> [JSONValue] {
            seq += 1
            return tester.send(#"{"type":"\#(type)","view":"list","seq":\#(seq)\#(extra)}"#)
        }

        /// Answers the latest request. Returns the `items` that follow, and applies it.
        func answer(_ page: Page) throws -> JSONValue {
            let ticket = try #require(tester.dispatcher.started.last?.0)
            let start = tester.channel.frames.count
            tester.session.handle(.load(ticket, .ended(.page(page))), at: tester.now)
            let items = try #require(
                tester.messages(from: start).last { $0["type"]?.string == "items" })
            list = try #require(PatchedList.applying(items, to: list))
            return items
        }

        @discardableResult
        func load(_ page: Page, by type: String = "refresh") throws -> JSONValue {
            send(type)
            return try answer(page)
        }

        /// Whether the list has these items.
        func shows(_ pages: Page...) throws -> Bool {
            let all = try pages.flatMap { page in
                try #require(
                    JSONValue(parsing: String(decoding: page.items, as: UTF8.self)).array)
            }
            return all == list
        }
    }

    /// The features of clients, and the keys of their feed, with which there are no patches.
    private static let clientsWithoutPatches: [(features: String?, itemKey: String?)] = [
        (nil, "/id"), ("[]", "/id"), (#"["query"]"#, "/id"), (#"["patch"]"#, nil),
    ]

    private static func mode(_ message: JSONValue) -> String? { message["mode"]?.string }

    @Test("The first page replaces the list, and a refresh sends only what differs")
    func second() throws {
        let client = Client()
        #expect(client.attached["itemKey"]?.string == "/id")
        #expect(Self.mode(try client.load(try PatchedList.page(0..<100))) == "replace")
        let next = try PatchedList.page([200] + Array(0..<50) + Array(51..<100))
        let patch = try client.load(next)
        #expect(Self.mode(patch) == "patch" && patch["items"] == nil)
        #expect(patch["count"]?.number == 100 && patch["page"]?.number == 1)
        #expect(patch["more"]?.bool == true && patch["offset"]?.number == 0)
        #expect(try client.shows(next))
        #expect(try #require(client.tester.channel.frames.last).utf8.count < 1000)
    }

    @Test("If 10 of 1,000 items have changed, a patch has at most 3 % of the bytes of a `replace`")
    func size() throws {
        let client = Client()
        let replace = try client.load(try PatchedList.page(0..<1000))
        let bytes = try #require(client.tester.channel.frames.last).utf8.count
        let next = try PatchedList.page(
            (0..<1000).map { PatchedList.item($0, version: $0 % 100 == 37 ? 1 : 0) })
        let patch = try client.load(next)
        let patchBytes = try #require(client.tester.channel.frames.last).utf8.count
        #expect(Self.mode(replace) == "replace" && Self.mode(patch) == "patch")
        #expect(patchBytes * 100 <= bytes * 3, "\(patchBytes) of \(bytes) bytes")
        #expect(try client.shows(next))
    }

    @Test(
        "Without the feature, or without a key, the bytes are those of a `replace`",
        arguments: clientsWithoutPatches)
    func withoutFeature(features: String?, itemKey: String?) throws {
        let client = Client(features: features, itemKey: itemKey)
        #expect(client.attached["itemKey"] == nil)
        var page = try PatchedList.page([1, 2], bytes: 1)
        if itemKey == nil { page.itemKeys = nil }
        try client.load(page)
        try client.load(page)
        let frame = try #require(client.tester.channel.frames.last)
        let items =
            #"{"type":"items","view":"list","load":"1.2","mode":"replace","count":2,"#
            + #""page":1,"offset":0,"more":true,"items":[{"id":1,"version":0,"text":"x"},"#
            + #"{"id":2,"version":0,"text":"x"}]}"#
        #expect(frame.contains(items))
    }

    @Test("Further pages belong to the list, at its end or, if it is reversed, at its start")
    func pages() throws {
        for isReversed in [false, true] {
            let client = Client(extra: isReversed ? #","reversed":true"# : "")
            let (one, two) = (try PatchedList.page(0..<10), try PatchedList.page(10..<20))
            try client.load(one)
            let more = try client.load(two, by: "loadMore")
            #expect(Self.mode(more) == (isReversed ? "prepend" : "append"))
            let next = try PatchedList.page(isReversed ? 3..<20 : 0..<17)
            #expect(Self.mode(try client.load(next)) == "patch")
            #expect(try client.shows(next))
        }
    }

    @Test("Items that a further page repeats are in the list once")
    func overlap() throws {
        let client = Client()
        try client.load(try PatchedList.page(0..<10))
        let more = try client.load(try PatchedList.page(5..<15), by: "loadMore")
        #expect(more["removed"]?.number == 5)
        let next = try PatchedList.page(1..<15)
        #expect(Self.mode(try client.load(next)) == "patch")
        #expect(try client.shows(next))
    }

    @Test(
        "After an item without a key or a duplicate, the next list is sent as a whole",
        arguments: [#"{"title":"no key"}"#, PatchedList.item(3), #"{"id":1.5}"#])
    func unknownItems(odd: String) throws {
        let client = Client()
        let usual = (0..<10).map { PatchedList.item($0) }
        try client.load(try PatchedList.page(usual))
        #expect(Self.mode(try client.load(try PatchedList.page(usual + [odd]))) == "replace")
        #expect(Self.mode(try client.load(try PatchedList.page(usual))) == "replace")
        #expect(Self.mode(try client.load(try PatchedList.page(usual))) == "patch")
    }

    @Test("An empty page is sent as a whole, and so is the page after it")
    func empty() throws {
        let client = Client()
        let page = try PatchedList.page(0..<10)
        try client.load(page)
        #expect(Self.mode(try client.load(try PatchedList.page([String]()))) == "replace")
        #expect(Self.mode(try client.load(page)) == "replace")
        #expect(Self.mode(try client.load(page)) == "patch")
        #expect(try client.shows(page))
    }

    @Test("A new query, and a reset with a refresh in one frame, are answered by a whole list")
    func newLists() throws {
        let page = try PatchedList.page(0..<10)
        let client = Client()
        try client.load(page)
        client.send("configure", #","parameters":{"q":"a"}"#)
        #expect(Self.mode(try client.answer(page)) == "replace")
        #expect(Self.mode(try client.load(page)) == "patch")
        client.tester.send(
            #"[{"type":"reset","view":"list","seq":20},{"type":"refresh","view":"list","seq":21}]"#)
        client.seq = 21
        #expect(Self.mode(try client.answer(page)) == "replace")
        #expect(Self.mode(try client.load(page)) == "patch")
    }

    @Test("A list that a view cannot remember is sent as a whole", arguments: [100, 5000, 10_000])
    func forgotten(most: Int) throws {
        var limits = SessionTester.patient
        limits.itemKeysPerViewMax = most
        limits.queueBytesMax = 100_000_000
        let client = Client(limits: limits)
        for (count, mode) in [(most, "patch"), (most + 1, "replace")] {
            let page = try PatchedList.page(0..<count, bytes: 60)
            try client.load(page)
            #expect(Self.mode(try client.load(page)) == mode, "\(count) items")
            #expect(try client.shows(page))
        }
    }

    @Test("Pages that wait for a slow client are compared when they are sent, in their order")
    func slow() throws {
        let client = Client()
        let pages = try [0, 1, 2, 3].map { try PatchedList.page($0..<$0 + 20) }
        try client.load(pages[0])
        let start = client.tester.channel.frames.count
        client.tester.channel.isWritable = false
        for page in pages[1...] {
            client.send("refresh")
            let ticket = try #require(client.tester.dispatcher.started.last?.0)
            client.tester.session.handle(.load(ticket, .ended(.page(page))), at: client.tester.now)
        }
        client.tester.channel.isWritable = true
        client.tester.session.handle(.writable, at: client.tester.now)
        let items = client.tester.messages(from: start).filter { $0["type"]?.string == "items" }
        #expect(items.map(Self.mode) == ["patch", "patch", "patch"])
        for message in items {
            client.list = try #require(PatchedList.applying(message, to: client.list))
        }
        #expect(try client.shows(pages[3]))
    }

    @Test("A page that a reset cancels in the queue is not part of the list")
    func cancelled() throws {
        let client = Client()
        let page = try PatchedList.page(0..<20)
        try client.load(page)
        client.tester.channel.isWritable = false
        client.send("refresh")
        let ticket = try #require(client.tester.dispatcher.started.last?.0)
        client.tester.session.handle(
            .load(ticket, .ended(.page(try PatchedList.page(5..<25)))), at: client.tester.now)
        client.send("reset")
        client.tester.channel.isWritable = true
        client.tester.session.handle(.writable, at: client.tester.now)
        #expect(Self.mode(try client.load(page)) == "replace")
        #expect(Self.mode(try client.load(page)) == "patch")
        #expect(try client.shows(page))
    }

    @Test("Random loads, further pages, resets and pauses leave the client with the right list")
    func random() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var state = seed
        func draw(_ most: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % most
        }
        for round in 0..<60 {
            let client = Client()
            var shown: [Page] = []
            var last = 0
            for step in 0..<25 {
                let note: Comment = "seed \(seed), round \(round), step \(step)"
                switch draw(6) {
                case 0 where !shown.isEmpty:
                    let page = try PatchedList.page(last..<last + 10)
                    last += 10
                    try client.load(page, by: "loadMore")
                    shown.append(page)
                case 1:
                    client.send("reset")
                    let page = try PatchedList.page(0..<10)
                    last = 10
                    #expect(Self.mode(try client.load(page)) == "replace", note)
                    shown = [page]
                default:
                    let first = draw(5)
                    last = first + 10 + draw(10)
                    let page = try PatchedList.page(
                        (first..<last).map { PatchedList.item($0, version: draw(8) / 7) })
                    try client.load(page)
                    shown = [page]
                }
                let texts = try shown.flatMap {
                    try #require(
                        JSONValue(parsing: String(decoding: $0.items, as: UTF8.self)).array)
                }
                #expect(client.list == texts, note)
            }
        }
    }
}
