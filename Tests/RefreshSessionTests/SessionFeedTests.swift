import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// Progress of loads, deduplication of items, and changes of feeds.
@Suite("Progress, duplicates and changes")
struct SessionFeedTests {
    /// A tester whose list of songs loads its first page, and the ticket of this load.
    private static func loading(
        limits: Limits = Limits(), extra: String = ""
    ) throws -> (SessionTester, LoadTicket) {
        let tester = SessionTester(limits: limits)
        tester.open(feed: "songs", extra: extra)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        return (tester, try #require(tester.dispatcher.started.first?.0))
    }

    private static func page(_ items: String, count: Int, more: Bool? = true) throws -> LoadOutcome
    {
        var page = Page(items: Array(items.utf8), count: count, more: more)
        page.itemKeys = ItemKeys(
            of: page, at: try #require(JSONPointer("/id")), hashedBy: SipHash(key: 1, 2))
        return .page(page)
    }

    /// The objects `{"id":N}`.
    private static func ids(_ ids: Range<Int>) -> String {
        "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
    }

    @Test("Integers are written as integers, even the largest")
    func integers() throws {
        let (tester, ticket) = try Self.loading()
        var page = Page(items: Array("[1]".utf8), count: 1)
        page.total = .max
        tester.session.handle(.load(ticket, .ended(.page(page))), at: tester.now)
        #expect(
            tester.channel.frames.contains { $0.contains(#""total":9223372036854775807,"#) })
        let (other, failing) = try Self.loading()
        let failure = LoadFailure(.backendBusy, "busy", retryAfterMs: .max)
        other.session.handle(.load(failing, .ended(.failed(failure))), at: other.now)
        #expect(
            other.channel.frames.contains { $0.contains(#""retryAfterMs":9223372036854775807}"#) })
    }

    // MARK: Progress

    @Test("The progress and the retries of a running load are sent")
    func progressAndRetries() throws {
        let (tester, ticket) = try Self.loading()
        let start = tester.channel.frames.count
        tester.session.handle(.load(ticket, .progressed(0.25)), at: tester.now)
        tester.session.handle(
            .load(
                ticket,
                .retrying(attempt: 2, afterMs: 80, LoadFailure(.backendFailed, "status 500"))),
            at: tester.now)
        #expect(
            Array(tester.channel.frames[start...]) == [
                #"{"type":"loading","view":"list","load":"1.1","kind":"refresh","phase":"progress","progress":0.25}"#,
                #"{"type":"loading","view":"list","load":"1.1","kind":"refresh","phase":"retrying","attempt":2,"afterMs":80,"code":"backendFailed","message":"status 500"}"#,
            ])
    }

    @Test("Of unsent progress messages only the newest is sent, and none after the load has ended")
    func replaced() throws {
        let (tester, ticket) = try Self.loading()
        tester.channel.isWritable = false
        for step in 1...100 {
            tester.session.handle(.load(ticket, .progressed(Double(step) / 100)), at: tester.now)
        }
        tester.channel.isWritable = true
        var start = tester.channel.frames.count
        tester.session.handle(.writable, at: tester.now)
        #expect(tester.messages(from: start).map { $0["progress"]?.number } == [1])

        tester.channel.isWritable = false
        tester.session.handle(.load(ticket, .progressed(0.5)), at: tester.now)
        tester.session.handle(.load(ticket, .ended(try Self.page("[1]", count: 1))), at: tester.now)
        tester.channel.isWritable = true
        start = tester.channel.frames.count
        tester.session.handle(.writable, at: tester.now)
        #expect(tester.messages(from: start).map { $0["type"]?.string } == ["update", "items"])
    }

    @Test("Progress of a load that does not run is dropped and counted")
    func stale() throws {
        let (tester, ticket) = try Self.loading()
        tester.send(#"{"type":"cancel","view":"list","seq":3}"#)
        var other = ticket
        other.load = LoadID(generation: 9, number: 1)
        let start = tester.channel.frames.count
        tester.session.handle(.load(ticket, .progressed(0.5)), at: tester.now)
        tester.session.handle(.load(other, .progressed(0.5)), at: tester.now)
        #expect(tester.channel.frames.count == start)
        #expect(tester.metrics.snapshot.lateAnswers == 2)
    }

    // MARK: Duplicates

    @Test("Items that the view has shown are removed from a page, and the rest is unchanged")
    func duplicates() throws {
        let (tester, first) = try Self.loading()
        tester.session.handle(
            .load(first, .ended(try Self.page(Self.ids(0..<10), count: 10))), at: tester.now)
        tester.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        let (more, _) = try #require(tester.dispatcher.started.last)
        let start = tester.channel.frames.count
        let items = #"[{"id":10}, {"x":1},{"id":3} ,{ "id" : 11 },{"id":12},{"id":10},{"id":9}]"#
        tester.session.handle(.load(more, .ended(try Self.page(items, count: 7))), at: tester.now)
        let messages = tester.messages(from: start)
        #expect(messages[0]["list"]?["count"]?.number == 14)
        #expect(messages[1]["count"]?.number == 4 && messages[1]["removed"]?.number == 3)
        let frame = tester.channel.frames[start]
        #expect(frame.contains(#""items":[{"id":10}, {"x":1},{ "id" : 11 },{"id":12}]}"#))
        // Paging continues by the number of items that the backend returned.
        tester.send(#"{"type":"loadMore","view":"list","seq":4}"#)
        let next = try #require(tester.dispatcher.started.last).1
        #expect(next.page == 3 && next.offset == 17)
    }

    @Test("A refresh begins a new list, and only the first of its items with the same key is kept")
    func refreshed() throws {
        let (tester, first) = try Self.loading()
        tester.session.handle(
            .load(first, .ended(try Self.page(Self.ids(0..<10), count: 10))), at: tester.now)
        tester.send(#"{"type":"refresh","view":"list","seq":3}"#)
        let (again, _) = try #require(tester.dispatcher.started.last)
        let start = tester.channel.frames.count
        let items = #"[{"id":1,"a":1},{"id":2},{"id":1,"a":2}]"#
        tester.session.handle(.load(again, .ended(try Self.page(items, count: 3))), at: tester.now)
        let frame = tester.channel.frames[start]
        #expect(frame.contains(#""removed":1,"items":[{"id":1,"a":1},{"id":2}]}"#))
        #expect(frame.contains(#""list":{"count":2,"more":true}"#))
    }

    @Test("A page without new items is sent as empty, and the list keeps its length")
    func nothingNew() throws {
        let (tester, first) = try Self.loading()
        tester.session.handle(
            .load(first, .ended(try Self.page(Self.ids(0..<10), count: 10))), at: tester.now)
        tester.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        let (more, _) = try #require(tester.dispatcher.started.last)
        let start = tester.channel.frames.count
        tester.session.handle(
            .load(more, .ended(try Self.page(Self.ids(0..<10), count: 10))), at: tester.now)
        let frame = tester.channel.frames[start]
        #expect(frame.contains(#""removed":10,"items":[]}"#))
        #expect(frame.contains(#""list":{"count":10,"more":true}"#))
    }

    @Test("Only the newest itemKeysPerViewMax keys are kept", arguments: [0, 5, 10, 15, 100])
    func forgotten(most: Int) throws {
        var limits = Limits()
        limits.itemKeysPerViewMax = most
        let (tester, first) = try Self.loading(limits: limits)
        tester.session.handle(
            .load(first, .ended(try Self.page(Self.ids(0..<10), count: 10))), at: tester.now)
        tester.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        let (more, _) = try #require(tester.dispatcher.started.last)
        let start = tester.channel.frames.count
        tester.session.handle(
            .load(more, .ended(try Self.page(Self.ids(0..<10), count: 10))), at: tester.now)
        let removed = tester.messages(from: start)[1]["removed"]?.number ?? 0
        #expect(removed == Double(min(most, 10)))
        #expect(tester.metrics.snapshot.itemKeysForgotten >= max(0, 10 - most))
    }

    @Test("A reset removes all keys of shown items, and a dropped page adds none")
    func forgetting() throws {
        let (tester, first) = try Self.loading()
        tester.session.handle(
            .load(first, .ended(try Self.page(Self.ids(0..<10), count: 10))), at: tester.now)
        tester.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        let (dropped, _) = try #require(tester.dispatcher.started.last)
        tester.send(#"{"type":"cancel","view":"list","seq":4}"#)
        tester.session.handle(
            .load(dropped, .ended(try Self.page(Self.ids(10..<20), count: 10))), at: tester.now)
        tester.send(#"{"type":"loadMore","view":"list","seq":5}"#)
        let (more, _) = try #require(tester.dispatcher.started.last)
        var start = tester.channel.frames.count
        tester.session.handle(
            .load(more, .ended(try Self.page(Self.ids(10..<20), count: 10))), at: tester.now)
        #expect(tester.messages(from: start)[1]["removed"] == nil)

        tester.send(#"{"type":"reset","view":"list","seq":6}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":7}"#)
        let (again, _) = try #require(tester.dispatcher.started.last)
        start = tester.channel.frames.count
        tester.session.handle(
            .load(again, .ended(try Self.page(Self.ids(0..<20), count: 20))), at: tester.now)
        #expect(tester.messages(from: start)[1]["removed"] == nil)
    }

    @Test("Item keys that refer to bytes outside their page are ignored")
    func wrongKeys() throws {
        let (tester, first) = try Self.loading()
        var page = Page(items: Array("[1]".utf8), count: 1)
        page.itemKeys = ItemKeys(elements: [1..<2, 5..<900], hashes: [7, 7])
        let start = tester.channel.frames.count
        tester.session.handle(.load(first, .ended(.page(page))), at: tester.now)
        #expect(tester.channel.frames[start].contains(#""items":[1]}"#))
    }

    // MARK: Requests to the broker

    @Test("A load contains those of the client's headers that its feed forwards")
    func headers() throws {
        let tester = SessionTester()
        tester.send(
            #"{"type":"hello","protocol":1,"headers":{"Accept-Language":"de","authorization":"x"},"views":[{"view":"list","profile":"default","feed":"songs"}]}"#
        )
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let request = try #require(tester.dispatcher.wishes.first)
        #expect(request.request.headers == [HeaderField(name: "accept-language", value: "de")])
        #expect(request.request.subject == nil)
        #expect(request.idempotencyKey.hasPrefix("test-1.1-"))
        #expect(request.keptPages == .none)
    }

    @Test("An automatic refresh accepts cached pages, but after a change only fresh ones")
    func implicit() throws {
        let tester = SessionTester()
        tester.open(feed: "songs", extra: #","top":{"staleAfter":1000,"changes":"visible"}"#)
        tester.send(#"{"type":"appear","view":"list","seq":2}"#)
        let (ticket, _) = try #require(tester.dispatcher.started.last)
        tester.session.handle(
            .load(ticket, .ended(try Self.page(Self.ids(0..<10), count: 10))), at: tester.now)
        tester.session.handle(.changed(feed: "songs"), at: tester.now)
        #expect(tester.dispatcher.wishes.map(\.keptPages) == [.any, .fresh])
    }

    // MARK: Changes

    @Test("A change of a feed is sent to the views of this feed, and to no others")
    func changed() throws {
        let (tester, first) = try Self.loading()
        tester.send(
            #"{"type":"attach","seq":3,"view":"own","profile":"default"}"#)
        tester.session.handle(
            .load(first, .ended(try Self.page(Self.ids(0..<10), count: 10))), at: tester.now)
        let start = tester.channel.frames.count
        tester.session.handle(.changed(feed: "news"), at: tester.now)
        #expect(tester.channel.frames.count == start)
        tester.session.handle(.changed(feed: "songs"), at: tester.now)
        tester.session.handle(.changed(feed: "songs"), at: tester.now)
        #expect(
            Array(tester.channel.frames[start...]).map { $0.contains(#""newer":true"#) } == [true])
        #expect(tester.messages(from: start).map { $0["view"]?.string } == ["list"])
    }

    @Test("A silent refresh sends `loading` and `items`, and a requested refresh joins it")
    func silent() throws {
        let (tester, first) = try Self.loading(extra: #","top":{"changes":"silent"}"#)
        tester.session.handle(
            .load(first, .ended(try Self.page(Self.ids(0..<10), count: 10))), at: tester.now)
        var start = tester.channel.frames.count
        tester.session.handle(.changed(feed: "songs"), at: tester.now)
        var messages = tester.messages(from: start)
        #expect(messages.map { $0["phase"]?.string } == ["began"])
        #expect(messages[0]["cause"]?.string == "changed" && messages[0]["load"]?.string == "1.2")
        let (ticket, _) = try #require(tester.dispatcher.started.last)
        start = tester.channel.frames.count
        tester.session.handle(.load(ticket, .progressed(0.5)), at: tester.now)
        #expect(tester.messages(from: start).map { $0["kind"]?.string } == ["refresh"])
        tester.send(#"{"type":"refresh","view":"list","seq":4}"#)
        #expect(tester.dispatcher.started.count == 2)
        start = tester.channel.frames.count
        tester.session.handle(
            .load(ticket, .ended(try Self.page(Self.ids(0..<3), count: 3))), at: tester.now)
        messages = tester.messages(from: start)
        #expect(messages[0]["top"]?["result"]?.string == "success")
        #expect(messages[1]["mode"]?.string == "replace" && messages[1]["count"]?.number == 3)
    }
}
