import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The feature `visibleRange` in a session. Source: docs/protocol.md, "What is in sight".
@Suite("A client with the feature `visibleRange`")
struct InSightSessionTests {
    private final class Client {
        let tester: SessionTester
        let attached: JSONValue
        var seq = 1

        init(
            features: String? = #"["visibleRange"]"#, feed: String? = "rows",
            paging: String = #"{"style":"offset","size":50,"access":"random"}"#
        ) {
            tester = SessionTester(
                limits: SessionTester.patient,
                feeds: [
                    FeedDescription(
                        name: "rows", parameters: ["q"], itemKey: JSONPointer("/id"))
                ])
            attached =
                tester.open(feed: feed, features: features, extra: #","paging":\#(paging)"#).last
                ?? .null
        }

        @discardableResult
        func send(_ type: String, _ extra: String = "") -> [JSONValue] {
            seq += 1
            return tester.send(#"{"type":"\#(type)","view":"list","seq":\#(seq)\#(extra)}"#)
        }

        @discardableResult
        func rest(at row: Int, count: Int = 20) -> [JSONValue] {
            send(
                "scroll",
                #","offset":\#(row * 44),"phase":"idle","visible":{"first":\#(row),"last":\#(row + count - 1)}"#
            )
        }

        /// Answers the request with this number, counted from 0. Returns the messages that follow.
        @discardableResult
        func answer(_ request: Int? = nil, total: Int? = 10_000) throws -> [JSONValue] {
            let started = tester.dispatcher.started
            let (ticket, load) = started[request ?? started.count - 1]
            let items = (0..<load.size).map { #"{"id":\#(load.offset + $0)}"# }
            var page = Page(
                items: Array("[\(items.joined(separator: ","))]".utf8), count: load.size,
                more: true, total: total)
            page.itemKeys = ItemKeys(
                of: page, at: try #require(JSONPointer("/id")), hashedBy: SipHash(key: 1, 2))
            let start = tester.channel.frames.count
            tester.session.handle(.load(ticket, .ended(.page(page))), at: tester.now)
            return tester.messages(from: start)
        }

        var offsets: [Int] { tester.dispatcher.started.map(\.1.offset) }
    }

    private static func items(_ messages: [JSONValue]) throws -> JSONValue {
        try #require(messages.first { $0["type"]?.string == "items" })
    }

    @Test("A refresh replaces the list, and the pages in sight fill it")
    func fill() throws {
        let client = Client()
        #expect(client.attached["paging"]?["access"]?.string == "random")
        #expect(client.attached["bottom"]?["state"]?.string == "disabled")
        #expect(client.attached["itemKey"] == nil)
        client.send("refresh")
        let first = try client.answer()
        #expect(try Self.items(first)["mode"]?.string == "replace")
        #expect(try Self.items(first)["total"]?.number == 10_000)
        let list = first.compactMap { $0["list"] }.first
        #expect(list?["count"]?.number == 10_000 && list?["more"]?.bool == false)
        let began = client.rest(at: 6010)
        #expect(began.first?["phase"]?.string == "began")
        #expect(began.first?["kind"]?.string == "more" && began.first?["cause"]?.string == "fill")
        let page = try Self.items(try client.answer())
        #expect(page["mode"]?.string == "fill" && page["offset"]?.number == 6000)
        #expect(page["count"]?.number == 50 && page["items"]?.array?.count == 50)
        #expect(page["more"]?.bool == false && page["removed"] == nil)
        #expect(client.offsets == [0, 6000])
        #expect(client.rest(at: 6020).isEmpty)
    }

    @Test("An item that is in two pages is sent twice, because each row has its item")
    func duplicates() throws {
        let client = Client()
        client.send("refresh")
        try client.answer()
        client.rest(at: 60)
        let (ticket, _) = try #require(client.tester.dispatcher.started.last)
        var page = Page(items: Array(#"[{"id":1},{"id":2}]"#.utf8), count: 2, total: 10_000)
        page.itemKeys = ItemKeys(
            of: page, at: try #require(JSONPointer("/id")), hashedBy: SipHash(key: 1, 2))
        let start = client.tester.channel.frames.count
        client.tester.session.handle(.load(ticket, .ended(.page(page))), at: client.tester.now)
        #expect(try Self.items(client.tester.messages(from: start))["count"]?.number == 2)
    }

    @Test("A load whose rows have left sight is cancelled, also at the broker")
    func cancel() throws {
        let client = Client()
        client.send("refresh")
        try client.answer()
        client.rest(at: 6010)
        let messages = client.rest(at: 9000)
        let cancelled = messages.first { $0["phase"]?.string == "cancelled" }
        #expect(cancelled?["load"]?.string == "1.2" && cancelled?["kind"]?.string == "more")
        #expect(client.tester.dispatcher.cancelled.map(\.load.number) == [2])
        #expect(try client.answer(1).isEmpty)
        #expect(try Self.items(try client.answer(2))["offset"]?.number == 9000)
    }

    @Test("A refresh that replaces the list cancels the loads of its pages at the broker")
    func replaced() throws {
        let client = Client()
        client.send("refresh")
        try client.answer()
        client.rest(at: 6010)
        client.send("refresh")
        #expect(client.offsets == [0, 6000, 6000])
        try client.answer(2)
        #expect(client.tester.dispatcher.cancelled.map(\.load.number) == [2])
        #expect(client.tester.metrics.snapshot.lateAnswers == 0)
        #expect(try client.answer(1).isEmpty)
    }

    @Test("`geometry` reports rows too, and a refresh loads the page in sight first")
    func refresh() throws {
        let client = Client()
        client.send("refresh")
        try client.answer()
        client.send(
            "geometry",
            #","content":{"width":390,"height":440000},"visible":{"first":6040,"last":6059}"#)
        #expect(client.offsets == [0, 6000, 6050])
        try client.answer(1)
        try client.answer(2)
        client.send("refresh")
        let messages = try client.answer()
        #expect(try Self.items(messages)["mode"]?.string == "replace")
        #expect(try Self.items(messages)["offset"]?.number == 6000)
        #expect(client.offsets == [0, 6000, 6050, 6000, 6050])
    }

    @Test(
        "Invalid rows cause a fault, and the sample changes nothing",
        arguments: [
            (#"{"first":5,"last":4}"#, "valueOutOfRange", "last"),
            (#"{"first":-1,"last":4}"#, "valueOutOfRange", "first"),
            (#"{"first":0,"last":2147483648}"#, "valueOutOfRange", "last"),
            (#"{"first":0.5,"last":4}"#, "invalidField", "first"),
            (#"{"first":0}"#, "missingField", "last"), (#"[0,4]"#, "invalidField", "visible"),
        ])
    func invalid(visible: String, code: String, field: String) {
        let client = Client()
        let answer = client.send("scroll", #","offset":0,"phase":"idle","visible":\#(visible)"#)
        #expect(answer.map { $0["code"]?.string } == [code])
        #expect(answer.first?["field"]?.string == field)
        #expect(answer.first?["seq"]?.number == Double(client.seq))
    }

    @Test(
        "Random access needs a feed and pages that are numbered",
        arguments: [
            ("rows", #"{"style":"cursor","access":"random"}"#),
            ("rows", #"{"style":"none","access":"random"}"#),
            (nil, #"{"style":"offset","access":"random"}"#),
        ])
    func needs(feed: String?, paging: String) {
        let client = Client(feed: feed, paging: paging)
        #expect(client.attached["code"]?.string == "invalidOption")
        #expect(client.attached["field"]?.string == "access")
    }

    @Test("Without the feature, the fields are unknown", arguments: [nil, "[]", #"["query"]"#])
    func withoutFeature(features: String?) throws {
        let client = Client(features: features)
        #expect(client.attached["paging"]?["access"] == nil)
        #expect(client.attached["bottom"]?["state"]?.string == "idle")
        client.send("refresh")
        try client.answer()
        #expect(client.rest(at: 6000).allSatisfy { $0["type"]?.string != "error" })
        #expect(
            client.send("scroll", #","offset":0,"phase":"idle","visible":7"#)
                .allSatisfy { $0["type"]?.string != "error" })
        #expect(client.offsets.filter { $0 > 50 } == [])
    }

    @Test("A rejected sample reports no rows")
    func rejected() throws {
        let client = Client()
        client.send("refresh")
        try client.answer()
        client.seq = 0
        #expect(client.rest(at: 6010).first?["code"]?.string == "staleSequence")
        #expect(client.offsets == [0])
    }

    @Test("`configure` changes the access, and a new query begins a new list")
    func configure() throws {
        let client = Client(
            features: #"["visibleRange","query"]"#, paging: #"{"style":"offset","size":50}"#)
        #expect(client.attached["paging"]?["access"] == nil)
        client.send("configure", #","paging":{"access":"random"}"#)
        client.send("refresh")
        try client.answer()
        client.rest(at: 6010)
        #expect(client.offsets == [0, 6000])
        client.send("configure", #","parameters":{"q":"a"}"#)
        #expect(client.tester.dispatcher.cancelled.count == 1)
        #expect(client.offsets == [0, 6000, 0])
        let faults = client.send("configure", #","paging":{"style":"cursor"}"#)
        #expect(faults.first?["code"]?.string == "invalidOption")
    }

    @Test("If the answer has no `total`, the load-more edge becomes `idle`")
    func sequential() throws {
        let client = Client()
        client.send("refresh")
        let messages = try client.answer(total: nil)
        #expect(messages.compactMap { $0["bottom"]?["state"]?.string } == ["idle"])
        #expect(try Self.items(messages)["more"]?.bool == true)
        client.send("loadMore")
        #expect(try Self.items(try client.answer(total: nil))["mode"]?.string == "append")
    }
}
