import Foundation
import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// Refreshes that request the pages of the list again, from the request to the items. Source:
/// docs/protocol.md, "Refresh at depth".
@Suite("Sessions that refresh at depth")
struct DepthSessionTests {
    /// A view of a client with features that has `pages` pages of ten items.
    struct List {
        let tester: SessionTester
        var seq = 100

        init(
            _ feed: String = "songs", pages: Int = 3, limits: Limits = Limits(),
            features: String = #","features":[]"#, top: String = #"{"depth":"keep"}"#
        ) throws {
            tester = SessionTester(
                limits: limits,
                feeds: [
                    SessionTester.songs,
                    FeedDescription(
                        name: "rows", parameters: [], style: .offset, first: 0, size: 10),
                    FeedDescription(name: "log", parameters: [], style: .cursor, size: 10),
                ])
            tester.send(#"{"type":"hello","protocol":1,"frames":"plain"\#(features)}"#)
            tester.send(
                """
                {"type":"attach","seq":1,"view":"list","profile":"iqpulltorefresh","feed":"\(feed)",
                 "geometry":{"viewport":{"width":390,"height":800},
                 "content":{"width":390,"height":3000}},"top":\(top)}
                """)
            for page in 0..<pages {
                tester.send(
                    #"{"type":"\#(page == 0 ? "refresh" : "loadMore")","view":"list","seq":\#(page + 2)}"#
                )
                try answer(try #require(tester.dispatcher.started.last).0, from: page * 10)
            }
        }

        /// Sends a message to the view. Returns the answers.
        @discardableResult
        mutating func send(_ type: String, _ fields: String = "") -> [JSONValue] {
            seq += 1
            return tester.send(#"{"type":"\#(type)","view":"list","seq":\#(seq)\#(fields)}"#)
        }

        /// Answers with `count` items whose numbers begin with `first`. Returns what is sent.
        @discardableResult
        func answer(
            _ ticket: LoadTicket, from first: Int, count: Int = 10, more: Bool? = true
        ) throws -> [JSONValue] {
            let text = (first..<first + count).map { #"{"id":\#($0)}"# }.joined(separator: ", ")
            var page = Page(items: Array("[ \(text)]".utf8), count: count, more: more)
            page.cursor = more == false ? nil : "after \(first + count)"
            page.itemKeys = ItemKeys(
                of: page, at: try #require(JSONPointer("/id")), hashedBy: SipHash(key: 1, 2))
            return end(ticket, .page(page))
        }

        @discardableResult
        func end(_ ticket: LoadTicket, _ outcome: LoadOutcome) -> [JSONValue] {
            let start = tester.channel.frames.count
            tester.session.handle(.load(ticket, .ended(outcome)), at: tester.now)
            return tester.messages(from: start)
        }

        /// Refreshes the list. Returns the requests to the broker.
        mutating func refresh() -> [(LoadTicket, LoadRequest)] {
            let before = tester.dispatcher.started.count
            send("refresh")
            return Array(tester.dispatcher.started[before...])
        }
    }

    static func ids(_ messages: [JSONValue]) -> [Int] {
        let items = messages.first { $0["type"]?.string == "items" }
        return (items?["items"]?.array ?? []).compactMap { $0["id"]?.number.map { Int($0) } }
    }

    static func types(_ messages: [JSONValue]) -> [String] {
        messages.compactMap { $0["type"]?.string }
    }

    @Test("All pages are requested at once, and sent once, in order, when the last one is there")
    func keep() throws {
        var list = try List()
        let before = list.tester.channel.frames.count
        let requests = list.refresh()
        #expect(requests.map(\.1.page) == [1, 2, 3])
        #expect(requests.map(\.1.offset) == [0, 10, 20])
        // Only the first page of the feed begins a new list.
        #expect(requests.map(\.1.kind) == [.refresh, .more, .more])
        #expect(requests.allSatisfy { $0.1.size == 10 })
        #expect(Set(requests.map(\.0)).count == 3)
        let began = list.tester.messages(from: before).filter { $0["phase"]?.string == "began" }
        #expect(began.count == 1 && began.first?["pages"]?.number == 3)
        #expect(began.first?["load"]?.string == "1.4")
        #expect(list.tester.dispatcher.wishes.suffix(3).allSatisfy { $0.keptPages == .none })

        #expect(try list.answer(requests[2].0, from: 120).isEmpty)
        #expect(try list.answer(requests[0].0, from: 100).isEmpty)
        // The last item of the first page is also the first item of the second one.
        let sent = try list.answer(requests[1].0, from: 109)
        #expect(Self.types(sent) == ["update", "items"])
        let items = try #require(sent.last)
        #expect(items["mode"]?.string == "replace" && items["load"]?.string == "1.4")
        #expect(items["pages"]?.number == 3 && items["count"]?.number == 29)
        #expect(items["page"]?.number == 1 && items["offset"]?.number == 0)
        #expect(items["removed"]?.number == 1 && items["more"]?.bool == true)
        #expect(items["cursor"]?.string == "after 130")
        let unique = Array(100..<119) + Array(120..<130)
        #expect(Self.ids(sent) == unique)
        #expect(sent.first?["list"]?["count"]?.number == 29)

        list.send("loadMore")
        let (next, request) = try #require(list.tester.dispatcher.started.last)
        #expect(request.page == 4 && request.offset == 30 && request.kind == .more)
        // The list remembers the items of all pages.
        let more = try list.answer(next, from: 128)
        #expect(Self.ids(more) == Array(130..<138))
        #expect(list.tester.metrics.snapshot.loadsStarted.reduce(0, +) == 5)
        #expect(list.tester.metrics.snapshot.lateAnswers == 0)
    }

    @Test(
        "If one page fails or is late, the load fails as a whole, and the old list stays",
        arguments: [
            (LoadOutcome.failed(LoadFailure(.backendFailed, "no")), "failed"),
            (.timedOut, "timedOut"),
        ])
    func failure(outcome: LoadOutcome, phase: String) throws {
        var list = try List()
        let requests = list.refresh()
        try list.answer(requests[0].0, from: 100)
        let sent = list.end(requests[1].0, outcome)
        #expect(Self.types(sent) == ["update", "loading"])
        #expect(sent.last?["phase"]?.string == phase && sent.last?["load"]?.string == "1.4")
        #expect(sent.first?["list"] == nil)
        #expect(list.tester.dispatcher.cancelled == [requests[2].0])
        // A late page changes nothing.
        #expect(try list.answer(requests[2].0, from: 120).isEmpty)
        #expect(list.tester.metrics.snapshot.lateAnswers == 1)
        list.send("loadMore")
        let (next, request) = try #require(list.tester.dispatcher.started.last)
        #expect(request.page == 4 && request.offset == 30)
        #expect(Self.ids(try list.answer(next, from: 29)) == Array(30..<39))
    }

    @Test("A shorter list ends the load early, and later pages are not awaited")
    func shorter() throws {
        var list = try List(pages: 5)
        let requests = list.refresh()
        try list.answer(requests[4].0, from: 140)
        #expect(try list.answer(requests[1].0, from: 110, count: 4, more: nil).isEmpty)
        #expect(list.tester.dispatcher.cancelled == [requests[2].0, requests[3].0])
        let sent = try list.answer(requests[0].0, from: 100)
        #expect(Self.ids(sent) == Array(100..<114))
        #expect(sent.last?["pages"]?.number == 2 && sent.last?["more"]?.bool == false)
        let again = list.refresh()
        #expect(again.map(\.1.page) == [1, 2])
    }

    @Test("A list that has become empty is sent as empty")
    func empty() throws {
        var list = try List()
        let requests = list.refresh()
        let sent = try list.answer(requests[0].0, from: 0, count: 0, more: false)
        #expect(sent.last?["count"]?.number == 0 && sent.last?["pages"]?.number == 1)
        #expect(sent.last?["items"]?.array == [])
        #expect(Set(list.tester.dispatcher.cancelled) == [requests[1].0, requests[2].0])
        #expect(list.refresh().count == 1)
    }

    @Test("A cursor leads from the first page to the next, one request after another")
    func cursor() throws {
        var list = try List("log")
        let first = list.refresh()
        #expect(first.count == 1 && first[0].1.cursor == nil && first[0].1.kind == .refresh)
        #expect(try list.answer(first[0].0, from: 100).isEmpty)
        let (second, request) = try #require(list.tester.dispatcher.started.last)
        #expect(request.cursor == "after 110" && request.kind == .more && request.offset == 10)
        #expect(try list.answer(second, from: 110).isEmpty)
        let (third, last) = try #require(list.tester.dispatcher.started.last)
        #expect(last.cursor == "after 120" && last.page == 3)
        let sent = try list.answer(third, from: 120)
        #expect(Self.ids(sent) == Array(100..<130))
        #expect(sent.last?["cursor"]?.string == "after 130")
        list.send("loadMore")
        #expect(list.tester.dispatcher.started.last?.1.cursor == "after 130")
    }

    @Test("The walk along cursors ends where the list ends")
    func cursorEnds() throws {
        var list = try List("log")
        let first = list.refresh()
        let sent = try list.answer(first[0].0, from: 100, more: false)
        #expect(Self.ids(sent) == Array(100..<110))
        #expect(sent.last?["pages"]?.number == 1 && sent.last?["more"]?.bool == false)
    }

    @Test("After a page of another length, the pages are requested one after another by offset")
    func offsets() throws {
        var list = try List("rows", pages: 4)
        let requests = list.refresh()
        #expect(requests.map(\.1.offset) == [0, 10, 20, 30])
        try list.answer(requests[2].0, from: 120)
        try list.answer(requests[0].0, from: 100)
        let count = list.tester.dispatcher.started.count
        #expect(try list.answer(requests[1].0, from: 110, count: 8).isEmpty)
        #expect(list.tester.dispatcher.cancelled == [requests[3].0])
        let again = list.tester.dispatcher.started[count...]
        #expect(again.map(\.1.offset) == [18])
        try list.answer(try #require(again.last).0, from: 118)
        let (last, request) = try #require(list.tester.dispatcher.started.last)
        #expect(request.offset == 28)
        let sent = try list.answer(last, from: 128)
        #expect(Self.ids(sent) == Array(100..<138))
        #expect(sent.last?["pages"]?.number == 4)
        list.send("loadMore")
        #expect(list.tester.dispatcher.started.last?.1.offset == 38)
    }

    @Test("pagesKeptMax: At most so many pages are requested, around those in sight")
    func window() throws {
        var limits = Limits()
        limits.pagesKeptMax = 2
        var list = try List(pages: 6, limits: limits)
        list.send("geometry", #","content":{"width":390,"height":6000},"offset":4100"#)
        let requests = list.refresh()
        #expect(requests.map(\.1.page) == [5, 6])
        #expect(requests.map(\.1.offset) == [40, 50])
        try list.answer(requests[0].0, from: 140)
        let sent = try list.answer(requests[1].0, from: 150)
        #expect(sent.last?["page"]?.number == 5 && sent.last?["offset"]?.number == 40)
        #expect(sent.last?["pages"]?.number == 2 && Self.ids(sent) == Array(140..<160))
        list.send("loadMore")
        #expect(list.tester.dispatcher.started.last?.1.page == 7)
    }

    @Test("If the requested pages have no items any more, the first pages are requested instead")
    func fallBack() throws {
        var limits = Limits()
        limits.pagesKeptMax = 2
        var list = try List(pages: 6, limits: limits)
        list.send("geometry", #","content":{"width":390,"height":6000},"offset":4100"#)
        let requests = list.refresh()
        let count = list.tester.dispatcher.started.count
        #expect(try list.answer(requests[0].0, from: 0, count: 0, more: false).isEmpty)
        #expect(list.tester.dispatcher.cancelled == [requests[1].0])
        let first = Array(list.tester.dispatcher.started[count...])
        #expect(first.map(\.1.page) == [1, 2])
        let sent = try list.answer(first[0].0, from: 100, count: 7, more: nil)
        #expect(Self.ids(sent) == Array(100..<107))
        #expect(sent.last?["page"]?.number == 1 && sent.last?["pages"]?.number == 1)
    }

    @Test(
        "The end of the load by the client cancels all requests",
        arguments: [
            ("cancel", ""), ("reset", ""), ("end", ""), ("detach", ""),
            ("enable", #","edge":"top","enabled":false"#),
        ])
    func cancel(type: String, fields: String) throws {
        var list = try List()
        let requests = list.refresh()
        try list.answer(requests[1].0, from: 110)
        list.send(type, fields)
        #expect(Set(list.tester.dispatcher.cancelled) == [requests[0].0, requests[2].0])
        #expect(list.end(requests[0].0, .cancelled).isEmpty)
        #expect(try list.answer(requests[2].0, from: 120).isEmpty)
    }

    @Test("The deadline is one for all pages, and ends all requests")
    func deadline() throws {
        var list = try List("log", top: #"{"depth":"keep","deadline":1000}"#)
        let first = list.refresh()
        #expect(list.tester.dispatcher.deadlines.last == 1000)
        list.tester.now = list.tester.now.advanced(byMilliseconds: 400.0)
        try list.answer(first[0].0, from: 100)
        #expect(list.tester.dispatcher.deadlines.last == 600)
        let (second, _) = try #require(list.tester.dispatcher.started.last)
        list.tester.now = list.tester.now.advanced(byMilliseconds: 600.0)
        let start = list.tester.channel.frames.count
        list.tester.session.handle(.wake, at: list.tester.now)
        let sent = list.tester.messages(from: start)
        #expect(sent.last?["phase"]?.string == "timedOut")
        #expect(list.tester.dispatcher.cancelled == [second])
        #expect(list.tester.dispatcher.reasons == [.outOfTime])
    }

    @Test("The progress is that of all pages together")
    func progress() throws {
        var list = try List()
        let requests = list.refresh()
        var progress: [Double?] = []
        for (index, value) in [(0, 0.5), (2, 1), (0, 0.75)] {
            let start = list.tester.channel.frames.count
            list.tester.session.handle(
                .load(requests[index].0, .progressed(value)), at: list.tester.now)
            progress.append(list.tester.messages(from: start).last?["progress"]?.number)
        }
        let expected: [Double?] = [0.5 / 3.0, 0.5, 1.75 / 3.0]
        #expect(progress == expected)
    }

    @Test(
        "A silent refresh keeps the pages, and a refresh that is requested meanwhile takes it over")
    func silent() throws {
        var list = try List(top: #"{"depth":"keep","changes":"silent"}"#)
        let before = list.tester.dispatcher.started.count
        list.tester.session.handle(.changed(feed: "songs"), at: list.tester.now)
        let requests = Array(list.tester.dispatcher.started[before...])
        #expect(requests.count == 3)
        #expect(list.tester.dispatcher.wishes.suffix(3).allSatisfy { $0.keptPages == .fresh })
        #expect(list.refresh().isEmpty)
        for (index, request) in requests.enumerated() {
            try list.answer(request.0, from: index * 10)
        }
        #expect(list.tester.channel.frames.last?.contains(#""pages":3"#) == true)
    }

    // MARK: The broker

    @Test("Ten pages of 10 ms each, with four calls at a time, are there after 30 ms")
    func gate() throws {
        var backend = BackendPolicy()
        backend.calls = 4
        let rules = BrokerRules(
            feeds: ["songs": .init(group: "songs")], backends: ["songs": backend])
        var machine = LoadBroker<LoadTicket>(rules, seed: 1)
        var list = try List(pages: 10)
        let (start, count) = (list.tester.now, list.tester.dispatcher.started.count)
        #expect(list.refresh().count == 10)
        let frames = list.tester.channel.frames.count
        var effects: [LoadBroker<LoadTicket>.Effect] = []
        for (ticket, wish) in zip(
            list.tester.dispatcher.started[count...].map(\.0),
            list.tester.dispatcher.wishes[count...])
        {
            machine.handle(
                .started(wish, ticket, deadline: start.advanced(byMilliseconds: 30_000.0)),
                at: start, into: &effects)
        }
        var running: [(CallOrder, due: Instant)] = []
        var most = 0
        while true {
            for effect in effects {
                switch effect {
                case .call(let order):
                    running.append((order, list.tester.now.advanced(byMilliseconds: 10.0)))
                case .deliver(let tickets, .ended(let outcome)):
                    for ticket in tickets { list.end(ticket, outcome) }
                case .deliver, .abort: break
                }
            }
            effects = []
            most = max(most, running.count)
            guard !running.isEmpty else { break }
            let (order, due) = running.removeFirst()
            list.tester.now = due
            let items = Array("[\(order.request.page)]".utf8)
            machine.handle(
                .answered(order.id, .success(Page(items: items, count: 10, more: true))),
                at: due, into: &effects)
        }
        #expect(most == 4)
        #expect(list.tester.now.milliseconds(since: start) == 30)
        let sent = list.tester.messages(from: frames)
        let items = sent.filter { $0["type"]?.string == "items" }
        #expect(items.count == 1 && items[0]["pages"]?.number == 10)
        #expect(items[0]["items"]?.array == (1...10).map { .number(Double($0)) })
    }
}
