import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The feature `live` in a session. Source: docs/protocol.md, "Live items".
@Suite("A client with the feature `live`")
struct SessionLiveTests {
    /// A client that keeps its list.
    final class Client {
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

    static func insert(_ id: Int, _ place: ItemOperation.Place = .start) -> ItemOperation {
        ListEditTests.operation(.insert, id, place)
    }

    static func remove(_ id: Int) -> ItemOperation {
        ListEditTests.operation(.remove, id)
    }

    static let insertsArrivals = #""arrivals":"insert""#

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
        "More than 100 operations become one refresh if `changes` demands one, also under a finger",
        arguments: [[101], [60, 60], [100, 1, 100]], [false, true])
    func oneRefresh(reports: [Int], areInserts: Bool) throws {
        let client = Client(top: #""arrivals":"insert","changes":"silent""#)
        try client.load(1...10)
        let loads = client.tester.dispatcher.started.count
        try client.send("scroll", #","offset":0,"phase":"began""#)
        for (round, count) in reports.enumerated() {
            try client.report(
                (0..<count).map {
                    areInserts
                        ? Self.insert(1000 * (round + 1) + $0)
                        : ListEditTests.operation(.update, $0 % 10 + 1)
                })
        }
        #expect(client.ids == Array(1...10) && client.newer == nil)
        try client.send("scroll", #","offset":0,"phase":"ended""#)
        try client.send("scroll", #","offset":0,"phase":"idle""#)
        #expect(client.tester.dispatcher.started.count == loads + 1)
        try client.answer([99] + Array(1...9))
        #expect(client.ids == [99] + Array(1...9) && !client.modes.contains("operations"))
        #expect(client.tester.dispatcher.started.count == loads + 1)
    }

    @Test("100 operations under a finger are applied at rest, without a refresh")
    func noRefresh() throws {
        let client = Client(top: #""arrivals":"insert","changes":"silent""#)
        try client.load(1...10)
        let loads = client.tester.dispatcher.started.count
        try client.send("scroll", #","offset":0,"phase":"began""#)
        try client.report((100..<150).map { Self.insert($0) })
        try client.report((150..<200).map { Self.insert($0) })
        try client.send("scroll", #","offset":0,"phase":"ended""#)
        try client.send("scroll", #","offset":0,"phase":"idle""#)
        #expect(client.ids == (100..<200).reversed() + Array(1...10))
        #expect(client.tester.dispatcher.started.count == loads)
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
