import Foundation
import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// Refreshes that request the pages of the list again, with the state machine of the broker.
/// Source: docs/protocol.md, "Refresh at depth".
@Suite("Sessions that refresh at depth")
struct DepthSessionTests {
    /// A client with features, whose view has `pages` pages of ten items, and the broker.
    struct List {
        let tester: SessionTester
        var seq = 100
        private var machine: LoadBroker<LoadTicket>
        /// The numbers of requests and cancellations that the broker has received.
        private var handled = (started: 0, cancelled: 0)
        /// The calls of the backend, including those that have ended.
        private(set) var calls: [CallOrder] = []
        private(set) var aborted: [CallID] = []

        init(
            _ feed: String = "songs", pages: Int = 3, limits: Limits = Limits(),
            features: String = #","features":[]"#, top: String = #"{"depth":"keep"}"#,
            gate: Int = 64
        ) throws {
            var backend = BackendPolicy()
            backend.calls = gate
            let names = ["songs", "rows", "log"]
            machine = LoadBroker(
                BrokerRules(
                    feeds: Dictionary(uniqueKeysWithValues: names.map { ($0, .init(group: $0)) }),
                    backends: Dictionary(uniqueKeysWithValues: names.map { ($0, backend) })),
                seed: 1)
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
                passOn()
                try answer(try #require(calls.last), from: page * 10)
            }
        }

        /// Sends a message to the view. Returns the answers.
        @discardableResult
        mutating func send(_ type: String, _ fields: String = "") -> [JSONValue] {
            seq += 1
            let sent = tester.send(#"{"type":"\#(type)","view":"list","seq":\#(seq)\#(fields)}"#)
            passOn()
            return sent
        }

        /// Passes an input to the session.
        mutating func handle(_ input: SessionInput) {
            tester.session.handle(input, at: tester.now)
            passOn()
        }

        /// Passes the new requests and cancellations of the session to the broker.
        mutating func passOn() {
            let dispatcher = tester.dispatcher
            while handled.started < dispatcher.started.count {
                let index = handled.started
                handled.started += 1
                let deadline = tester.now.advanced(
                    byMilliseconds: Double(dispatcher.deadlines[index]))
                handle(
                    .started(
                        dispatcher.wishes[index], dispatcher.started[index].0, deadline: deadline))
            }
            while handled.cancelled < dispatcher.cancelled.count {
                let index = handled.cancelled
                handled.cancelled += 1
                handle(
                    .waiterCancelled(
                        dispatcher.cancelled[index], because: dispatcher.reasons[index]))
            }
        }

        /// Passes an event to the broker. Returns what the session sends.
        @discardableResult
        mutating func handle(_ event: LoadBroker<LoadTicket>.Event) -> [JSONValue] {
            let start = tester.channel.frames.count
            var effects: [LoadBroker<LoadTicket>.Effect] = []
            machine.handle(event, at: tester.now, into: &effects)
            for effect in effects {
                switch effect {
                case .call(let order): calls.append(order)
                case .abort(let id): aborted.append(id)
                case .deliver(let tickets, let event):
                    for ticket in tickets { handle(.load(ticket, event)) }
                // No other node is live, and there are no edits.
                case .ask, .withdraw, .edit, .edited, .editUnknown: break
                }
            }
            return tester.messages(from: start)
        }

        /// Answers with `count` items whose numbers begin with `first`. Returns what is sent.
        @discardableResult
        mutating func answer(
            _ call: CallOrder, from first: Int, count: Int = 10, more: Bool? = true
        ) throws -> [JSONValue] {
            let text = (first..<first + count).map { #"{"id":\#($0)}"# }.joined(separator: ", ")
            var page = Page(items: Array("[ \(text)]".utf8), count: count, more: more)
            page.cursor = more == false ? nil : "after \(first + count)"
            page.itemKeys = ItemKeys(
                of: page, at: try #require(JSONPointer("/id")), hashedBy: SipHash(key: 1, 2))
            return handle(.answered(call.id, .success(page)))
        }

        /// Refreshes the list. Returns the calls that begin.
        mutating func refresh() -> [CallOrder] {
            let before = calls.count
            send("refresh")
            return Array(calls[before...])
        }

        /// The number of answers that no load awaited.
        var lateAnswers: Int { machine.counters.lateAnswers }

        var isIdle: Bool { machine.isEmpty }
    }

    static func ids(_ messages: [JSONValue]) -> [Int] {
        let items = messages.first { $0["type"]?.string == "items" }
        return (items?["items"]?.array ?? []).compactMap { $0["id"]?.number.map { Int($0) } }
    }

    static func types(_ messages: [JSONValue]) -> [String] {
        messages.compactMap { $0["type"]?.string }
    }

    @Test("All pages are requested together, and sent together in order when the last has arrived")
    func keep() throws {
        var list = try List()
        let before = list.tester.channel.frames.count
        let requests = list.refresh()
        #expect(requests.map(\.request.page) == [1, 2, 3])
        #expect(requests.map(\.request.offset) == [0, 10, 20])
        // Only the first page of the feed begins a new list.
        #expect(requests.map(\.request.kind) == [.refresh, .more, .more])
        #expect(requests.allSatisfy { $0.request.size == 10 })
        #expect(Set(requests.map(\.idempotencyKey)).count == 3)
        let began = list.tester.messages(from: before).filter { $0["phase"]?.string == "began" }
        #expect(began.count == 1 && began.first?["pages"]?.number == 3)
        #expect(began.first?["load"]?.string == "1.4")
        #expect(list.tester.dispatcher.wishes.last?.keptPages == KeptPages.none)

        #expect(try list.answer(requests[2], from: 120).isEmpty)
        #expect(try list.answer(requests[0], from: 100).isEmpty)
        // The last item of the first page is also the first item of the second one.
        let sent = try list.answer(requests[1], from: 109)
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
        let next = try #require(list.calls.last)
        #expect(next.request.page == 4 && next.request.offset == 30)
        #expect(next.request.kind == .more)
        // The list remembers the items of all pages.
        let more = try list.answer(next, from: 128)
        #expect(Self.ids(more) == Array(130..<138))
        #expect(list.tester.metrics.snapshot.loadsStarted.reduce(0, +) == 5)
        #expect(list.lateAnswers == 0 && list.isIdle)
    }

    @Test(
        "If one page fails or is late, the load fails as a whole, and the old list stays",
        arguments: ["failed", "timedOut"])
    func failure(phase: String) throws {
        var list = try List()
        let requests = list.refresh()
        try list.answer(requests[0], from: 100)
        let sent: [JSONValue]
        if phase == "failed" {
            sent = list.handle(
                .answered(requests[1].id, .failure(LoadFailure(.backendFailed, "no"))))
            #expect(list.aborted == [requests[2].id])
        } else {
            list.tester.now = list.tester.now.advanced(byMilliseconds: 30_000.0)
            sent = list.handle(.clockAdvanced)
            #expect(list.aborted == [requests[1].id, requests[2].id])
        }
        #expect(Self.types(sent) == ["update", "loading"])
        #expect(sent.last?["phase"]?.string == phase && sent.last?["load"]?.string == "1.4")
        #expect(sent.first?["list"] == nil)
        // A late page changes nothing.
        #expect(try list.answer(requests[2], from: 120).isEmpty)
        #expect(list.lateAnswers == 1)
        list.send("loadMore")
        let next = try #require(list.calls.last)
        #expect(next.request.page == 4 && next.request.offset == 30)
        #expect(Self.ids(try list.answer(next, from: 29)) == Array(30..<39))
    }

    @Test("A shorter list ends the load early, and later pages are not awaited")
    func shorter() throws {
        var list = try List(pages: 5)
        let requests = list.refresh()
        try list.answer(requests[4], from: 140)
        #expect(try list.answer(requests[1], from: 110, count: 4, more: nil).isEmpty)
        #expect(list.aborted == [requests[2].id, requests[3].id])
        let sent = try list.answer(requests[0], from: 100)
        #expect(Self.ids(sent) == Array(100..<114))
        #expect(sent.last?["pages"]?.number == 2 && sent.last?["more"]?.bool == false)
        let again = list.refresh()
        #expect(again.map(\.request.page) == [1, 2])
    }

    @Test("A list that has become empty is sent as empty")
    func empty() throws {
        var list = try List()
        let requests = list.refresh()
        let sent = try list.answer(requests[0], from: 0, count: 0, more: false)
        #expect(sent.last?["count"]?.number == 0 && sent.last?["pages"]?.number == 1)
        #expect(sent.last?["items"]?.array == [])
        #expect(Set(list.aborted) == [requests[1].id, requests[2].id])
        #expect(list.refresh().count == 1)
    }

    @Test("A cursor leads from the first page to the next, one request after another")
    func cursor() throws {
        var list = try List("log")
        let first = list.refresh()
        #expect(
            first.count == 1 && first[0].request.cursor == nil && first[0].request.kind == .refresh)
        #expect(try list.answer(first[0], from: 100).isEmpty)
        let second = try #require(list.calls.last)
        #expect(second.request.cursor == "after 110")
        #expect(second.request.kind == .more && second.request.offset == 10)
        #expect(try list.answer(second, from: 110).isEmpty)
        let third = try #require(list.calls.last)
        #expect(third.request.cursor == "after 120" && third.request.page == 3)
        let sent = try list.answer(third, from: 120)
        #expect(Self.ids(sent) == Array(100..<130))
        #expect(sent.last?["cursor"]?.string == "after 130")
        list.send("loadMore")
        #expect(list.calls.last?.request.cursor == "after 130")
    }

    @Test("Requests along the cursors stop when the list ends")
    func cursorEnds() throws {
        var list = try List("log")
        let first = list.refresh()
        let sent = try list.answer(first[0], from: 100, more: false)
        #expect(Self.ids(sent) == Array(100..<110))
        #expect(sent.last?["pages"]?.number == 1 && sent.last?["more"]?.bool == false)
    }

    @Test("After a page of another length, the pages are requested one after another by offset")
    func offsets() throws {
        var list = try List("rows", pages: 4)
        let requests = list.refresh()
        #expect(requests.map(\.request.offset) == [0, 10, 20, 30])
        try list.answer(requests[2], from: 120)
        try list.answer(requests[0], from: 100)
        let count = list.calls.count
        #expect(try list.answer(requests[1], from: 110, count: 8).isEmpty)
        #expect(list.aborted == [requests[3].id])
        let again = list.calls[count...]
        #expect(again.map(\.request.offset) == [18])
        try list.answer(try #require(again.last), from: 118)
        let last = try #require(list.calls.last)
        #expect(last.request.offset == 28)
        let sent = try list.answer(last, from: 128)
        #expect(Self.ids(sent) == Array(100..<138))
        #expect(sent.last?["pages"]?.number == 4)
        list.send("loadMore")
        #expect(list.calls.last?.request.offset == 38)
    }

    @Test("pagesKeptMax: at most this number of pages is requested, around the pages in sight")
    func window() throws {
        var limits = Limits()
        limits.pagesKeptMax = 2
        var list = try List(pages: 6, limits: limits)
        list.send("geometry", #","content":{"width":390,"height":6000},"offset":4100"#)
        let requests = list.refresh()
        #expect(requests.map(\.request.page) == [5, 6])
        #expect(requests.map(\.request.offset) == [40, 50])
        try list.answer(requests[0], from: 140)
        let sent = try list.answer(requests[1], from: 150)
        #expect(sent.last?["page"]?.number == 5 && sent.last?["offset"]?.number == 40)
        #expect(sent.last?["pages"]?.number == 2 && Self.ids(sent) == Array(140..<160))
        list.send("loadMore")
        #expect(list.calls.last?.request.page == 7)
    }

    @Test("If the requested pages have no items any more, the first pages are requested instead")
    func fallBack() throws {
        var limits = Limits()
        limits.pagesKeptMax = 2
        var list = try List(pages: 6, limits: limits)
        list.send("geometry", #","content":{"width":390,"height":6000},"offset":4100"#)
        let requests = list.refresh()
        let count = list.calls.count
        #expect(try list.answer(requests[0], from: 0, count: 0, more: false).isEmpty)
        #expect(list.aborted == [requests[1].id])
        let first = Array(list.calls[count...])
        #expect(first.map(\.request.page) == [1, 2])
        let sent = try list.answer(first[0], from: 100, count: 7, more: nil)
        #expect(Self.ids(sent) == Array(100..<107))
        #expect(sent.last?["page"]?.number == 1 && sent.last?["pages"]?.number == 1)
    }

    @Test(
        "If the client ends the load, all its requests are cancelled",
        arguments: [
            ("cancel", ""), ("reset", ""), ("end", ""), ("detach", ""),
            ("enable", #","edge":"top","enabled":false"#),
        ])
    func cancel(type: String, fields: String) throws {
        var list = try List()
        let requests = list.refresh()
        try list.answer(requests[1], from: 110)
        list.send(type, fields)
        #expect(Set(list.aborted) == [requests[0].id, requests[2].id])
        for call in [requests[0], requests[2]] {
            #expect(try list.answer(call, from: 120).isEmpty)
        }
        #expect(list.isIdle)
    }

    @Test("All pages have one common deadline, which ends all their requests")
    func deadline() throws {
        var list = try List("log", top: #"{"depth":"keep","deadline":1000}"#)
        let first = list.refresh()
        let deadline = try #require(first.first).deadline
        #expect(deadline.milliseconds(since: list.tester.now) == 1000)
        list.tester.now = list.tester.now.advanced(byMilliseconds: 400.0)
        try list.answer(first[0], from: 100)
        let second = try #require(list.calls.last)
        #expect(second.id != first[0].id && second.deadline == deadline)
        list.tester.now = list.tester.now.advanced(byMilliseconds: 600.0)
        let start = list.tester.channel.frames.count
        list.handle(SessionInput.wake)
        #expect(list.tester.messages(from: start).last?["phase"]?.string == "timedOut")
        #expect(list.aborted == [second.id])
        #expect(list.tester.dispatcher.reasons == [.outOfTime])
    }

    @Test("The progress of the load is that of all its pages together")
    func progress() throws {
        var list = try List()
        let requests = list.refresh()
        var progress: [Double?] = []
        for (index, value) in [(0, 0.5), (2, 1), (0, 0.75)] {
            // The broker reports the progress of one page at most every 100 ms.
            list.tester.now = list.tester.now.advanced(byMilliseconds: 100.0)
            let sent = list.handle(.progressed(requests[index].id, value))
            progress.append(sent.last?["progress"]?.number)
        }
        let expected: [Double?] = [0.5 / 3.0, 0.5, 1.75 / 3.0]
        #expect(progress == expected)
    }

    @Test(
        "A silent refresh requests all pages, and a refresh requested meanwhile joins its load")
    func silent() throws {
        var list = try List(top: #"{"depth":"keep","changes":"silent"}"#)
        let before = list.calls.count
        list.handle(SessionInput.changed(feed: "songs"))
        let requests = Array(list.calls[before...])
        #expect(requests.count == 3)
        #expect(list.tester.dispatcher.wishes.last?.keptPages == .fresh)
        #expect(list.refresh().isEmpty)
        for (index, request) in requests.enumerated() {
            try list.answer(request, from: index * 10)
        }
        #expect(list.tester.channel.frames.last?.contains(#""pages":3"#) == true)
    }

    @Test("Ten pages of 10 ms each, with four calls at a time, arrive within 30 ms")
    func gate() throws {
        var list = try List(pages: 10, gate: 4)
        let start = list.tester.now
        let frames = list.tester.channel.frames.count
        let before = list.calls.count
        #expect(list.refresh().count == 4)
        for answered in stride(from: 0, to: 10, by: 4) {
            list.tester.now = list.tester.now.advanced(byMilliseconds: 10.0)
            let running = Array(list.calls[(before + answered)...])
            #expect(running.count <= 4)
            for call in running { try list.answer(call, from: call.request.offset) }
        }
        #expect(list.tester.now.milliseconds(since: start) == 30)
        let items = list.tester.messages(from: frames).filter { $0["type"]?.string == "items" }
        #expect(items.count == 1 && items[0]["pages"]?.number == 10)
        #expect(Self.ids(items) == Array(0..<100))
    }
}
