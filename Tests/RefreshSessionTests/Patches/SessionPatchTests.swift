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
            tester = SessionTester(limits: limits, feeds: [Self.feed(itemKey: itemKey)])
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
            let start = tester.channel.frames.count
            try deliver(page)
            return try #require(try receive(from: start).last)
        }

        /// Answers the latest request.
        func deliver(_ page: Page) throws {
            let ticket = try #require(tester.dispatcher.started.last?.0)
            tester.session.handle(.load(ticket, .ended(.page(page))), at: tester.now)
        }

        /// Returns the `items` of the frames from `start` on, and applies them.
        func receive(from start: Int) throws -> [JSONValue] {
            let messages = tester.messages(from: start).filter { $0["type"]?.string == "items" }
            for message in messages {
                list = try #require(PatchedList.applying(message, to: list))
            }
            return messages
        }

        /// Refreshes with each of these pages. In a pause, the client accepts no frames before the
        /// last page has arrived. Returns the `items` that follow, and applies them.
        func refresh(_ pages: [Page], inPause isPause: Bool) throws -> [JSONValue] {
            let start = tester.channel.frames.count
            if isPause { tester.channel.isWritable = false }
            for page in pages {
                send("refresh")
                try deliver(page)
            }
            if isPause {
                tester.channel.isWritable = true
                tester.session.handle(.writable, at: tester.now)
            }
            return try receive(from: start)
        }

        /// Reloads the configuration, with another key of the feed.
        func configure(itemKey: String) {
            tester.services.apply(
                limits: tester.services.limits, feeds: [Self.feed(itemKey: itemKey)],
                indicators: tester.services.indicators)
        }

        private static func feed(itemKey: String?) -> FeedDescription {
            FeedDescription(
                name: "songs", parameters: ["q"], style: .page, size: 10,
                itemKey: itemKey.flatMap { JSONPointer($0) })
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

    @Test("A `reset` makes the next first page a whole list, whatever edge it names")
    func resets() throws {
        let page = try PatchedList.page(0..<10)
        let client = Client()
        try client.load(page)
        for edge in ["", #","edge":"top""#, #","edge":"bottom""#] {
            #expect(Self.mode(try client.load(page)) == "patch", "\(edge)")
            client.send("reset", edge)
            #expect(Self.mode(try client.load(page)) == "replace", "\(edge)")
        }
        #expect(try client.shows(page))
    }

    @Test("A further page after a reset of the refresh edge does not make the list known")
    func resetThenMore() throws {
        let client = Client()
        try client.load(try PatchedList.page(0..<10))
        client.send("reset", #","edge":"top""#)
        try client.load(try PatchedList.page(10..<20), by: "loadMore")
        let next = try PatchedList.page(0..<20)
        #expect(Self.mode(try client.load(next)) == "replace")
        #expect(try client.shows(next))
    }

    @Test(
        "If the view would refuse a request by code for the whole list, it receives no patch",
        arguments: [
            (#","top":{"intents":["finger"]}"#, "replace"),
            (#","top":{"intents":["finger","code"]}"#, "patch"),
            (#","top":{"intents":["finger","code"]},"bottom":{"intents":["finger"]}"#, "patch"),
        ])
    func intents(options: String, expected: String) throws {
        let client = Client(extra: options)
        let page = try PatchedList.page(0..<10)
        for mode in ["replace", expected] {
            // The user can refresh, also if code cannot.
            client.send("refresh", #","cause":"finger""#)
            #expect(Self.mode(try client.answer(page)) == mode)
            #expect(try client.shows(page))
        }
    }

    @Test("A page whose feed has another key since a reload is sent as a whole, and so is the next")
    func otherKey() throws {
        let client = Client()
        let page = try PatchedList.page(0..<10)
        try client.load(page)
        #expect(Self.mode(try client.load(page)) == "patch")
        // The two names are equal characters, but not equal bytes.
        for key in ["/number", "/e\u{301}", "/\u{e9}"] {
            client.configure(itemKey: key)
            #expect(Self.mode(try client.load(page)) == "replace", "\(key)")
            #expect(Self.mode(try client.load(page)) == "replace", "\(key)")
        }
        client.configure(itemKey: "/id")
        #expect(Self.mode(try client.load(page)) == "replace")
        #expect(Self.mode(try client.load(page)) == "patch")
        #expect(try client.shows(page))
    }

    @Test("Random loads, further pages, resets and pauses leave the client with the right list")
    func random() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = Draw(seed)
        // How often each thing has occurred.
        var counts: [String: Int] = [:]
        for round in 0..<80 {
            let isReversed = round % 2 == 1
            let client = Client(extra: isReversed ? #","reversed":true"# : "")
            var shown: [JSONValue] = []
            var last = 0
            for step in 0..<25 {
                let note: Comment = "seed \(seed), round \(round), step \(step)"
                var modes: [String?] = []
                let kind = random.next(7)
                switch kind {
                case 0 where !shown.isEmpty:
                    let page = try PatchedList.page(last..<last + 10)
                    last += 10
                    modes = [Self.mode(try client.load(page, by: "loadMore"))]
                    let items = try PatchedList.items(of: page)
                    shown = isReversed ? items + shown : shown + items
                case 1:
                    client.send("reset", ["", #","edge":"top""#][random.next(2)])
                    let page = try PatchedList.page(0..<10)
                    last = 10
                    modes = [Self.mode(try client.load(page))]
                    #expect(modes == ["replace"], note)
                    shown = try PatchedList.items(of: page)
                default:
                    // In a pause, three pages wait for the client.
                    let pages = try (0..<(kind == 2 ? 3 : 1)).map { _ in
                        let first = random.next(5)
                        last = first + 10 + random.next(10)
                        return try PatchedList.page(
                            (first..<last).map {
                                PatchedList.item($0, version: random.next(8) / 7)
                            })
                    }
                    modes = try client.refresh(pages, inPause: kind == 2).map(Self.mode)
                    shown = try PatchedList.items(of: pages[pages.count - 1])
                }
                for name in modes.compactMap({ $0 }) {
                    counts[name, default: 0] += 1
                    if isReversed { counts["reversed \(name)", default: 0] += 1 }
                    if kind == 2 { counts["\(name) after a pause", default: 0] += 1 }
                }
                #expect(client.list == shown, note)
            }
        }
        for name in [
            "patch", "replace", "append", "prepend", "reversed patch", "patch after a pause",
        ] {
            #expect(counts[name, default: 0] >= 20, "seed \(seed): \(name) in \(counts)")
        }
    }
}

/// A linear congruential generator.
private struct Draw {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// Returns a number in 0..<most.
    mutating func next(_ most: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % most
    }
}
