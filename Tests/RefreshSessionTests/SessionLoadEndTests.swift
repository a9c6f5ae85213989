import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The messages at the end of loads from a feed. Each load ends once, with the result that the
/// engine decides.
@Suite("Ends of a session's loads")
struct SessionLoadEndTests {
    /// The kind of refresh that runs while a page is loaded: requested by the client, or silent.
    enum Refreshing: String, CaseIterable {
        case requested, silent
    }

    private static func page(_ ids: Range<Int>) throws -> LoadOutcome {
        let items = "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
        var page = Page(items: Array(items.utf8), count: ids.count, more: true)
        page.itemKeys = ItemKeys(
            of: page, at: try #require(JSONPointer("/id")), hashedBy: SipHash(key: 1, 2))
        return .page(page)
    }

    /// A tester whose list has ten items from a refresh, and the ticket of a page that was
    /// requested before this refresh ended.
    private static func superseded(
        _ refreshing: Refreshing
    ) throws -> (SessionTester, LoadTicket) {
        let tester = SessionTester()
        tester.open(
            feed: "songs",
            extra: #","top":{"changes":"silent"},"bottom":{"whileRefreshing":"concurrent"}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let (first, _) = try #require(tester.dispatcher.started.last)
        tester.session.handle(.load(first, .ended(try page(0..<10))), at: tester.now)
        switch refreshing {
        case .requested: tester.send(#"{"type":"refresh","view":"list","seq":3}"#)
        case .silent: tester.session.handle(.changed(feed: "songs"), at: tester.now)
        }
        let (refresh, _) = try #require(tester.dispatcher.started.last)
        tester.send(#"{"type":"loadMore","view":"list","seq":4}"#)
        let (more, request) = try #require(tester.dispatcher.started.last)
        try #require(tester.dispatcher.started.count == 3 && request.kind == .more)
        tester.session.handle(.load(refresh, .ended(try page(0..<10))), at: tester.now)
        return (tester, more)
    }

    @Test(
        "A page of a list that was replaced is not delivered, and its load ends as cancelled",
        arguments: Refreshing.allCases)
    func supersededPage(refreshing: Refreshing) throws {
        let (tester, more) = try Self.superseded(refreshing)
        let start = tester.channel.frames.count
        tester.session.handle(.load(more, .ended(try Self.page(10..<20))), at: tester.now)
        let messages = tester.messages(from: start)
        #expect(!messages.contains { $0["type"]?.string == "items" })
        let ends = messages.filter { $0["type"]?.string == "loading" }
        #expect(ends.map { $0["phase"]?.string } == ["cancelled"])
        #expect(ends.map { $0["load"]?.string } == [more.load.description])
        #expect(tester.metrics.snapshot.lateAnswers == 1)

        // The same page of the new list is delivered once, with all its items.
        tester.send(#"{"type":"loadMore","view":"list","seq":5}"#)
        let (again, request) = try #require(tester.dispatcher.started.last)
        #expect(again.load != more.load && request.page == 2)
        let next = tester.channel.frames.count
        tester.session.handle(.load(again, .ended(try Self.page(10..<20))), at: tester.now)
        let page = tester.messages(from: next)
        #expect(page.map { $0["list"]?["count"]?.number ?? 0 } == [20, 0])
        #expect(page[1]["count"]?.number == 10 && page[1]["removed"] == nil)
        #expect(tester.dispatcher.cancelled.isEmpty)
    }

    @Test("A failed page of a replaced list ends as cancelled", arguments: Refreshing.allCases)
    func supersededFailure(refreshing: Refreshing) throws {
        let (tester, more) = try Self.superseded(refreshing)
        let start = tester.channel.frames.count
        tester.session.handle(
            .load(more, .ended(.failed(LoadFailure(.backendFailed, "status 500")))), at: tester.now)
        let ends = tester.messages(from: start).filter { $0["type"]?.string == "loading" }
        #expect(ends.map { $0["phase"]?.string } == ["cancelled"])
        #expect(tester.metrics.snapshot.lateAnswers == 1)
    }

    // MARK: Deadlines

    @Test("A load has the deadline of its edge, but at most the deadline of the daemon")
    func deadlines() throws {
        var limits = Limits()
        limits.loadDeadlineMs = 5000
        let tester = SessionTester(limits: limits)
        tester.open(feed: "songs", extra: #","top":{"deadline":400},"bottom":{"deadline":60000}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let (first, _) = try #require(tester.dispatcher.started.last)
        tester.session.handle(.load(first, .ended(try Self.page(0..<10))), at: tester.now)
        tester.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        tester.send(
            #"{"type":"attach","seq":4,"view":"other","profile":"default","feed":"songs"}"#)
        tester.send(#"{"type":"refresh","view":"other","seq":5}"#)
        #expect(tester.dispatcher.deadlines == [400, 5000, 5000])
    }

    /// A tester whose view has a refresh with a deadline of 400 ms, and the ticket of this refresh.
    private static func hurried() throws -> (SessionTester, LoadTicket) {
        let tester = SessionTester()
        tester.open(feed: "songs", extra: #","top":{"deadline":400}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        return (tester, try #require(tester.dispatcher.started.last).0)
    }

    /// The phases of the `loading` messages in the frames from `start` on.
    private static func ends(_ tester: SessionTester, from start: Int) -> [String?] {
        tester.messages(from: start).filter { $0["type"]?.string == "loading" }
            .map { $0["phase"]?.string }
    }

    @Test("A time-out that the session detects is sent once, and cancels the load as timed out")
    func sessionFirst() throws {
        let (tester, ticket) = try Self.hurried()
        let start = tester.channel.frames.count
        tester.now = tester.now.advanced(byMilliseconds: 400.0)
        tester.session.handle(.wake, at: tester.now)
        #expect(tester.dispatcher.cancelled == [ticket])
        #expect(tester.dispatcher.reasons == [.outOfTime])
        // The broker's own time-out of the load is not a late answer, but a page is.
        tester.session.handle(.load(ticket, .ended(.timedOut)), at: tester.now)
        #expect(tester.metrics.snapshot.lateAnswers == 0)
        tester.session.handle(.load(ticket, .ended(try Self.page(0..<10))), at: tester.now)
        #expect(tester.metrics.snapshot.lateAnswers == 1)
        #expect(Self.ends(tester, from: start) == ["timedOut"])
    }

    @Test("A time-out that the broker detects is sent once, and does not cancel the load again")
    func brokerFirst() throws {
        let (tester, ticket) = try Self.hurried()
        let start = tester.channel.frames.count
        tester.now = tester.now.advanced(byMilliseconds: 400.0)
        tester.session.handle(.load(ticket, .ended(.timedOut)), at: tester.now)
        tester.session.handle(.wake, at: tester.now)
        #expect(tester.dispatcher.cancelled.isEmpty)
        #expect(Self.ends(tester, from: start) == ["timedOut"])
        #expect(tester.metrics.snapshot.lateAnswers == 0)
    }

    @Test("A load that the client cancels does not count as a time-out")
    func abandoned() throws {
        let (tester, ticket) = try Self.hurried()
        tester.send(#"{"type":"cancel","view":"list","seq":3}"#)
        #expect(tester.dispatcher.cancelled == [ticket])
        #expect(tester.dispatcher.reasons == [.unwanted])
    }
}
