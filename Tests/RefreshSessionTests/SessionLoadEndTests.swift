import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// How the ends of a feed's loads are told: once each, as the engine took them.
@Suite("Ends of a session's loads")
struct SessionLoadEndTests {
    /// Who refreshes the list while a page of it is on the way.
    enum Refreshing: String, CaseIterable {
        case asked, silent
    }

    private static func page(_ ids: Range<Int>) throws -> LoadOutcome {
        let items = "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
        var page = Page(items: Array(items.utf8), count: ids.count, more: true)
        page.itemKeys = ItemKeys(
            of: page, at: try #require(JSONPointer("/id")), hashedBy: SipHash(key: 1, 2))
        return .page(page)
    }

    /// A list of ten items, and the ticket of a page that was asked for before a refresh brought
    /// them.
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
        case .asked: tester.send(#"{"type":"refresh","view":"list","seq":3}"#)
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
        "a page of a list that is no more is not delivered: its load was cancelled, and it is late",
        arguments: Refreshing.allCases)
    func supersededPage(refreshing: Refreshing) throws {
        let (tester, more) = try Self.superseded(refreshing)
        let start = tester.channel.frames.count
        tester.session.handle(.load(more, .ended(try Self.page(10..<20))), at: tester.now)
        let told = tester.messages(from: start)
        #expect(!told.contains { $0["type"]?.string == "items" })
        let ends = told.filter { $0["type"]?.string == "loading" }
        #expect(ends.map { $0["phase"]?.string } == ["cancelled"])
        #expect(ends.map { $0["load"]?.string } == [more.load.description])
        #expect(tester.metrics.snapshot.staleLoads == 1)

        // The same page of the new list is whole, and is shown once.
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

    @Test("so is a failure of it", arguments: Refreshing.allCases)
    func supersededFailure(refreshing: Refreshing) throws {
        let (tester, more) = try Self.superseded(refreshing)
        let start = tester.channel.frames.count
        tester.session.handle(
            .load(more, .ended(.failed(LoadFailure(.backendFailed, "status 500")))), at: tester.now)
        let ends = tester.messages(from: start).filter { $0["type"]?.string == "loading" }
        #expect(ends.map { $0["phase"]?.string } == ["cancelled"])
        #expect(tester.metrics.snapshot.staleLoads == 1)
    }

    // MARK: Deadlines

    @Test("the broker gets the deadline of the edge, and never more than the daemon's")
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

    /// A view whose refresh may take 400 ms, and the ticket of one.
    private static func hurried() throws -> (SessionTester, LoadTicket) {
        let tester = SessionTester()
        tester.open(feed: "songs", extra: #","top":{"deadline":400}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        return (tester, try #require(tester.dispatcher.started.last).0)
    }

    /// The phases of the load's ends in the frames from `start` on.
    private static func ends(_ tester: SessionTester, from start: Int) -> [String?] {
        tester.messages(from: start).filter { $0["type"]?.string == "loading" }
            .map { $0["phase"]?.string }
    }

    @Test("a deadline that the session finds over is told once, and to the broker as a time-out")
    func sessionFirst() throws {
        let (tester, ticket) = try Self.hurried()
        let start = tester.channel.frames.count
        tester.now = tester.now.advanced(byMilliseconds: 400.0)
        tester.session.handle(.wake, at: tester.now)
        #expect(tester.dispatcher.cancelled == [ticket])
        #expect(tester.dispatcher.reasons == [.outOfTime])
        // The broker's word that it has ended the load is no late answer; a page would be.
        tester.session.handle(.load(ticket, .ended(.timedOut)), at: tester.now)
        #expect(tester.metrics.snapshot.staleLoads == 0)
        tester.session.handle(.load(ticket, .ended(try Self.page(0..<10))), at: tester.now)
        #expect(tester.metrics.snapshot.staleLoads == 1)
        #expect(Self.ends(tester, from: start) == ["timedOut"])
    }

    @Test("a deadline that the broker finds over is told once, and not to it")
    func brokerFirst() throws {
        let (tester, ticket) = try Self.hurried()
        let start = tester.channel.frames.count
        tester.now = tester.now.advanced(byMilliseconds: 400.0)
        tester.session.handle(.load(ticket, .ended(.timedOut)), at: tester.now)
        tester.session.handle(.wake, at: tester.now)
        #expect(tester.dispatcher.cancelled.isEmpty)
        #expect(Self.ends(tester, from: start) == ["timedOut"])
        #expect(tester.metrics.snapshot.staleLoads == 0)
    }

    @Test("a load that the client gives up is no time-out")
    func givenUp() throws {
        let (tester, ticket) = try Self.hurried()
        tester.send(#"{"type":"cancel","view":"list","seq":3}"#)
        #expect(tester.dispatcher.cancelled == [ticket])
        #expect(tester.dispatcher.reasons == [.unwanted])
    }
}
