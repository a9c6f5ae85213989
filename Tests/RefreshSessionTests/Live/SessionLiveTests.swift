import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The feature `live` in a session. Source: docs/protocol.md, "Live items".
@Suite("A client with the feature `live`")
struct SessionLiveTests {
    /// A client that keeps its list.
    private final class Client {
        let tester: SessionTester
        var list: [JSONValue] = []
        var newer: Bool?
        var newerCount: Double?
        private let cursors: Bool
        private var seq = 1
        private var seen = 0

        init(
            features: String? = #"["patch","live","unread","query"]"#, top: String = "",
            style: PagingStyle = .page
        ) {
            cursors = style == .cursor
            tester = SessionTester(
                limits: SessionTester.patient,
                feeds: [
                    FeedDescription(
                        name: "songs", parameters: ["q"], style: style, size: 10,
                        itemKey: JSONPointer("/id"))
                ])
            tester.open(
                feed: "songs", features: features, extra: top.isEmpty ? "" : #","top":{\#(top)}"#)
            seen = tester.channel.frames.count
        }

        func send(_ type: String, _ extra: String = "") throws {
            seq += 1
            tester.send(#"{"type":"\#(type)","view":"list","seq":\#(seq)\#(extra)}"#)
            try read()
        }

        /// Answers the latest request.
        func answer(_ ids: some Sequence<Int>, more: Bool = true) throws {
            try answer(ids.map { PatchedList.item($0, bytes: 1) }, more: more)
        }

        func answer(_ items: [String], more: Bool = true) throws {
            let (ticket, request) = try #require(tester.dispatcher.started.last)
            var page = try PatchedList.page(items, more: more)
            if request.cursor != nil || cursors {
                page.cursor = String(tester.dispatcher.started.count)
            }
            tester.session.handle(.load(ticket, .ended(.page(page))), at: tester.now)
            try read()
        }

        func load(_ ids: some Sequence<Int>, by type: String = "refresh", more: Bool = true)
            throws
        {
            try send(type)
            try answer(ids, more: more)
        }

        func report(
            _ operations: [ItemOperation], q: String? = nil, subject: String? = nil,
            count: NewerCount = .unknown
        ) throws {
            let parameters = q.map { [LoadParameter(name: "q", value: .text($0))] } ?? []
            tester.session.handle(
                .changed(
                    feed: "songs", count: count,
                    items: [
                        ItemChange(parameters: parameters, subject: subject, operations)
                    ]), at: tester.now)
            try read()
        }

        /// Applies the messages that have arrived.
        func read() throws {
            let messages = tester.messages(from: seen)
            seen = tester.channel.frames.count
            for message in messages {
                switch message["type"]?.string {
                case "items":
                    list = try #require(PatchedList.applying(message, to: list))
                    modes.append(
                        message["operations"] == nil ? message["mode"]?.string ?? "" : "operations")
                case "update":
                    newer = message["newer"]?.bool ?? newer
                    newerCount = message["newerCount"]?.number ?? newerCount
                default: break
                }
            }
        }

        /// How the lists were stated.
        var modes: [String] = []

        var ids: [Int] { list.compactMap { $0["id"]?.number.map { Int($0) } } }

        var lastRequest: LoadRequest? { tester.dispatcher.started.last?.1 }
    }

    private static func insert(_ id: Int, _ place: ItemOperation.Place = .start) -> ItemOperation {
        ListEditTests.operation(.insert, id, place)
    }

    private static func remove(_ id: Int) -> ItemOperation {
        ListEditTests.operation(.remove, id)
    }

    private static let insertsArrivals = #""arrivals":"insert""#

    @Test("Operations are shown without a load, and the number of items follows")
    func shown() throws {
        let client = Client(top: Self.insertsArrivals)
        try client.load(1...10)
        let loads = client.tester.dispatcher.started.count
        try client.report([Self.insert(11), Self.remove(3)])
        #expect(client.ids == [11, 1, 2] + Array(4...10))
        #expect(client.modes == ["replace", "operations"])
        #expect(client.tester.dispatcher.started.count == loads && client.newer == nil)
    }

    @Test("A refresh after operations is a patch of the list that they made")
    func base() throws {
        let client = Client(top: Self.insertsArrivals)
        try client.load(1...40)
        try client.report([Self.insert(41)])
        try client.load([41] + Array(1...40))
        #expect(client.modes == ["replace", "operations", "patch"])
        #expect(client.ids == [41] + Array(1...40))
    }

    @Test("`pill` holds arrivals back and counts them, and a reveal shows them without a load")
    func pill() throws {
        let client = Client()
        try client.load(1...10)
        let loads = client.tester.dispatcher.started.count
        try client.report([Self.insert(11), Self.insert(12), Self.remove(1)])
        #expect(client.ids == Array(2...10))
        #expect(client.newer == true && client.newerCount == 2)
        try client.send("reveal")
        #expect(client.ids == [12, 11] + Array(2...10))
        #expect(client.newer == false && client.newerCount == 0)
        #expect(client.tester.dispatcher.started.count == loads)
    }

    @Test("A refused `reset` keeps the arrivals, and an accepted one counts them as newer data")
    func reset() throws {
        let client = Client()
        try client.load(1...10)
        try client.report([Self.insert(11), Self.insert(12)])
        client.tester.send(#"{"type":"reset","view":"list","seq":1,"edge":"bottom"}"#)
        try client.send("reveal")
        #expect(client.ids == [12, 11] + Array(1...10))

        let other = Client()
        try other.load(1...10)
        try other.report([Self.insert(11), Self.insert(12)])
        try other.send("reset", #","edge":"bottom""#)
        #expect(other.newer == true && other.newerCount == 2)
        try other.load([12, 11] + Array(1...10))
        #expect(other.ids == [12, 11] + Array(1...10))
        #expect(other.newer == false && other.newerCount == 0)
    }

    @Test("A refresh delivers the arrivals that are held back")
    func refreshDelivers() throws {
        let client = Client()
        try client.load(1...10)
        try client.report([Self.insert(11)])
        try client.load([11] + Array(1...9))
        #expect(client.newer == false && client.newerCount == 0)
        try client.send("reveal")
        #expect(client.ids == [11] + Array(1...9))
    }

    @Test("Operations wait while a refresh runs, and those of before it are delivered by it")
    func duringRefresh() throws {
        let client = Client(top: Self.insertsArrivals)
        try client.load(1...10)
        try client.send("refresh")
        try client.report([Self.insert(11)])
        #expect(client.modes == ["replace"])
        try client.answer(1...10)
        #expect(client.ids == [11] + Array(1...10))
        #expect(client.modes.last == "operations")
    }

    @Test("Operations wait while a finger is down, and are sent together when the list rests")
    func finger() throws {
        let client = Client(top: Self.insertsArrivals)
        try client.load(1...10)
        try client.send("scroll", #","offset":0,"phase":"began","t":0"#)
        try client.report([Self.insert(11)])
        try client.report([Self.insert(12)])
        #expect(client.modes == ["replace"])
        try client.send("scroll", #","offset":0,"phase":"ended","t":20"#)
        try client.send("scroll", #","offset":0,"phase":"idle","t":40"#)
        #expect(client.ids == [12, 11] + Array(1...10))
        #expect(client.modes == ["replace", "operations"])
    }

    @Test("Operations wait while the client does not read")
    func slow() throws {
        let client = Client(top: Self.insertsArrivals)
        try client.load(1...10)
        client.tester.channel.isWritable = false
        try client.report([Self.insert(11)])
        try client.report([Self.remove(11)])
        try client.report([Self.remove(2)])
        #expect(client.tester.channel.wantsWritable)
        client.tester.channel.isWritable = true
        client.tester.session.handle(.writable, at: client.tester.now)
        try client.read()
        #expect(client.ids == [1] + Array(3...10) && client.modes == ["replace", "operations"])
    }

    @Test(
        "The next page is the one at which the rest of the feed begins now",
        arguments: [
            (PagingStyle.offset, 1, 11), (.offset, 0, 7), (.page, 0, 1), (.page, 3, 2),
            (.page, 12, 3),
        ])
    func nextPage(style: PagingStyle, inserted: Int, next: Int) throws {
        let client = Client(top: Self.insertsArrivals, style: style)
        try client.load(1...10)
        if inserted > 0 {
            try client.report((0..<inserted).map { Self.insert(100 + $0) })
        } else {
            try client.report([1, 2, 3].map { Self.remove($0) })
        }
        try client.send("loadMore")
        let request = try #require(client.lastRequest)
        #expect((style == .offset ? request.offset : request.page) == next)
        try client.answer(11...20)
        #expect(client.modes.last == "append")
    }

    @Test("A page is requested again if items were inserted while it was loaded")
    func again() throws {
        let client = Client(top: Self.insertsArrivals, style: .offset)
        try client.load(1...10)
        try client.send("loadMore")
        for round in 1...4 {
            #expect(client.lastRequest?.offset == 9 + round)
            try client.report([Self.insert(100 + round)])
            try client.answer(11...20)
        }
        #expect(client.modes.last == "append" && client.ids.count == 24)
        #expect(client.newer == true)
        try client.send("loadMore")
        #expect(client.lastRequest?.offset == 24)
    }

    @Test(
        "A refresh of all loaded pages requests the pages of inserted items too",
        arguments: [PagingStyle.page, .offset, .cursor])
    func depth(style: PagingStyle) throws {
        let client = Client(top: #""arrivals":"insert","depth":"keep""#, style: style)
        try client.load(1...10)
        try client.report((100..<115).map { Self.insert($0) })
        try client.send("refresh")
        #expect(client.tester.dispatcher.wishes.last?.series?.count == 3)
    }

    @Test("A page that is requested again needs a new answer")
    func newAnswer() throws {
        let client = Client(top: Self.insertsArrivals)
        try client.load(1...10)
        try client.send("loadMore")
        try client.report([Self.insert(101)])
        try client.answer(11...20)
        let wishes = client.tester.dispatcher.wishes
        #expect(wishes.map(\.request.page) == [1, 2, 2])
        #expect(Set(wishes.map(\.idempotencyKey)).count == 3)
        #expect(wishes.map(\.keptPages) == [.none, .fresh, .fresh])
    }

    @Test("With live items, a following page is not older than the changes that the list has taken")
    func followingPage() throws {
        let client = Client(top: Self.insertsArrivals)
        try client.load(1...10)
        try client.report([Self.remove(14)])
        try client.send("loadMore")
        #expect(client.tester.dispatcher.wishes.last?.keptPages == .fresh)
        // A client that does not take operations gets the page that followed its older list.
        let other = SessionTester()
        other.open(feed: "songs", features: #"["patch"]"#)
        other.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let (ticket, _) = try #require(other.dispatcher.started.last)
        let page = Page(items: Array("[1]".utf8), count: 1, more: true)
        other.session.handle(.load(ticket, .ended(.page(page))), at: other.now)
        other.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        #expect(other.dispatcher.wishes.map(\.keptPages) == [.none, .any])
    }

    @Test(
        "Operations on items of a page that is being loaded are applied to the page",
        arguments: [PagingStyle.page, .offset, .cursor], [false, true])
    func loading(style: PagingStyle, isRead: Bool) throws {
        let client = Client(top: Self.insertsArrivals, style: style)
        try client.load(1...10)
        try client.send("loadMore")
        try client.report([
            ListEditTests.operation(.update, 12, version: 5), Self.remove(14),
            Self.insert(99, .after(ListEditTests.key(15))),
            ListEditTests.operation(.move, 20, .before(ListEditTests.key(11))),
        ])
        #expect(client.modes == ["replace"])
        let after = [20, 11, 12, 13, 15, 99] + Array(16...19)
        if isRead {
            // The backend has read its items after the change.
            try client.answer(
                after.map { PatchedList.item($0, version: $0 == 12 ? 5 : 0, bytes: 1) })
        } else {
            try client.answer(11...20)
        }
        #expect(client.ids == Array(1...10) + after && client.newer == nil)
        #expect(client.list[12]["version"]?.number == 5)
        #expect(client.tester.dispatcher.started.count == 2)
    }

    @Test("A page that arrives while operations wait is put behind the list that they make")
    func pageBetween() throws {
        let client = Client(top: Self.insertsArrivals, style: .offset)
        try client.load(1...10)
        try client.send("scroll", #","offset":0,"phase":"began","t":0"#)
        try client.report([
            ListEditTests.operation(.move, 3, .end),
            ListEditTests.operation(.update, 5, version: 1),
        ])
        try client.send("loadMore")
        #expect(client.lastRequest?.offset == 9)
        try client.answer(11...20)
        try client.report([ListEditTests.operation(.move, 11, .before(ListEditTests.key(1)))])
        #expect(client.ids == Array(1...20))
        try client.send("scroll", #","offset":0,"phase":"ended","t":20"#)
        try client.send("scroll", #","offset":0,"phase":"idle","t":40"#)
        #expect(client.ids == [11, 1, 2] + Array(4...10) + Array(12...20))
        #expect(client.newer == nil)
        try client.send("loadMore")
        #expect(client.lastRequest?.offset == 19)
    }

    @Test("The number of newer items counts the arrivals that too many operations discard")
    func overflow() throws {
        let client = Client()
        try client.load(1...10)
        try client.report((100..<200).map { Self.insert($0) })
        #expect(client.newerCount == 100)
        try client.report([Self.insert(200)], count: NewerCount(1))
        #expect(client.newer == true && client.newerCount == 101)
    }

    @Test("A reveal of arrivals shows them as soon as the client reads")
    func revealOfSlowClient() throws {
        let client = Client()
        try client.load(1...10)
        try client.report([Self.insert(11)])
        client.tester.channel.isWritable = false
        try client.send("reveal")
        #expect(client.ids == Array(1...10))
        client.tester.now = client.tester.now.advanced(byMilliseconds: 5000.0)
        client.tester.session.handle(.wake, at: client.tester.now)
        client.tester.channel.isWritable = true
        client.tester.session.handle(.writable, at: client.tester.now)
        try client.read()
        #expect(client.ids == [11] + Array(1...10) && client.newer == false)
    }

    @Test("A report for another subject does not concern the view, in whatever way it reacts")
    func otherSubject() throws {
        let client = Client()
        try client.load(1...10)
        try client.report([Self.insert(11)], subject: "else")
        #expect(client.newer == nil && client.ids == Array(1...10))
    }

    @Test("Of a report for another query, updates and removals are applied, and the rest is newer")
    func otherQuery() throws {
        let client = Client(top: Self.insertsArrivals)
        try client.load(1...10)
        try client.report([Self.remove(1), Self.remove(99)], q: "a")
        #expect(client.ids == Array(2...10) && client.newer == nil)
        try client.report([Self.insert(11), Self.remove(2)], q: "a")
        #expect(client.ids == Array(3...10) && client.newer == true)
    }

    @Test("Too many operations, and one that cannot be resolved, are a change without operations")
    func unresolved() throws {
        let many = Client()
        try many.load(1...10)
        try many.report((0..<101).map { Self.insert(100 + $0) }, count: NewerCount(101))
        #expect(many.newer == true && many.newerCount == 101 && many.ids == Array(1...10))
        let unknown = Client(top: Self.insertsArrivals)
        try unknown.load(1...10)
        try unknown.report([ListEditTests.operation(.move, 50, .start)])
        #expect(unknown.newer == true && unknown.ids == Array(1...10))
    }

    @Test(
        "Without the features, the bytes are those of a change without operations",
        arguments: [nil, "[]", #"["live"]"#, #"["patch"]"#, #"["patch","unread"]"#])
    func withoutFeature(features: String?) throws {
        let (one, other) = (Client(features: features), Client(features: features))
        try one.load(1...10)
        try other.load(1...10)
        try one.report([Self.insert(11)], count: NewerCount(1))
        other.tester.session.handle(
            .changed(feed: "songs", count: NewerCount(1)), at: other.tester.now)
        try one.load([11] + Array(1...9))
        try other.load([11] + Array(1...9))
        #expect(one.tester.channel.frames == other.tester.channel.frames)
        #expect(!one.tester.channel.frames.joined().contains("arrivals"))
    }

    @Test("`stick` follows the newest item at the start, and away from it holds arrivals back")
    func stick() throws {
        let client = Client(features: #"["patch","live"]"#, top: #""arrivals":"stick""#)
        try client.send(
            "geometry",
            #","viewport":{"width":300,"height":500},"content":{"width":300,"height":3000}"#)
        try client.load(1...10)
        try client.report([Self.insert(11)])
        #expect(client.ids.first == 11)
        try client.send("scroll", #","offset":300,"phase":"idle","cause":"code","t":0"#)
        try client.report([Self.insert(12)])
        #expect(client.ids.first == 11 && client.newer == true)
        try client.send("scroll", #","offset":30,"phase":"idle","cause":"code","t":20"#)
        #expect(client.ids.first == 11)
        try client.send("scroll", #","offset":20,"phase":"idle","cause":"code","t":40"#)
        #expect(client.ids.first == 12 && client.newer == false)
    }

    @Test("If the order of operations is uncertain, a client that applies them gets the list anew")
    func verified() throws {
        let (client, plain) = (Client(), Client(features: #"["patch"]"#))
        for one in [client, plain] {
            try one.load(1...10)
            one.tester.session.handle(
                .changed(feed: "songs", count: .none, items: []), at: one.tester.now)
            try one.read()
        }
        #expect(plain.tester.dispatcher.started.count == 1)
        #expect(client.tester.dispatcher.started.count == 2 && client.newer != true)
        try client.answer([2, 1] + Array(3...10))
        #expect(client.ids == [2, 1] + Array(3...10))
        #expect(client.tester.channel.frames.last?.contains(#""mode":"patch""#) == true)
    }
}
