import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// Queries and first items as a session serves them. Source: docs/protocol.md, "Queries" and "First
/// items".
@Suite("Queries and first items of a session")
struct SessionQueryTests {
    /// A tester whose list shows the ten items of load 1. The broker caches the pages of the feed
    /// if `keeps` is true.
    private static func tester(
        features: String? = #"["query"]"#, keeps: Bool = false, debounceMs: Int = 0
    ) throws -> SessionTester {
        let tester = SessionTester(
            limits: SessionTester.patient,
            feeds: [
                FeedDescription(
                    name: "songs", parameters: ["q", FeedParameter("n", .integer)], style: .page,
                    size: 10, keepsPages: keeps, debounceMs: debounceMs)
            ])
        tester.open(feed: "songs", features: features)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        try answer(tester, 0..<10)
        return tester
    }

    private static func page(_ ids: Range<Int>, more: Bool = true) throws -> Page {
        let items = "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
        var page = Page(items: Array(items.utf8), count: ids.count, more: more)
        page.itemKeys = ItemKeys(
            of: page, at: try #require(JSONPointer("/id")), hashedBy: SipHash(key: 1, 2))
        return page
    }

    /// Answers the latest request. Returns the messages that follow.
    @discardableResult
    private static func answer(_ tester: SessionTester, _ ids: Range<Int>) throws -> [JSONValue] {
        let ticket = try #require(tester.dispatcher.started.last?.0)
        let start = tester.channel.frames.count
        tester.session.handle(.load(ticket, .ended(.page(try page(ids)))), at: tester.now)
        return tester.messages(from: start)
    }

    /// Ends the latest look-up. Returns the messages that follow.
    @discardableResult
    private static func endLookUp(
        _ tester: SessionTester, _ ids: Range<Int>?, isFresh: Bool = true, ageMs: Int = 5
    ) throws -> [JSONValue] {
        let ticket = try #require(tester.dispatcher.started.last?.0)
        #expect(tester.dispatcher.wishes.last?.isLookUp == true)
        let found = try ids.map { FoundPage(page: try page($0), ageMs: ageMs, isFresh: isFresh) }
        let start = tester.channel.frames.count
        tester.session.handle(.load(ticket, .lookUpEnded(found)), at: tester.now)
        return tester.messages(from: start)
    }

    @discardableResult
    private static func query(
        _ tester: SessionTester, seq: Int, _ text: String, _ more: String = ""
    ) -> [JSONValue] {
        tester.send(
            """
            {"type":"configure","view":"list","seq":\(seq),"parameters":{"q":"\(text)"}\(more)}
            """)
    }

    private static func wake(_ tester: SessionTester, after milliseconds: Double) -> [JSONValue] {
        tester.now = tester.now.advanced(byMilliseconds: milliseconds)
        let start = tester.channel.frames.count
        tester.session.handle(.wake, at: tester.now)
        return tester.messages(from: start)
    }

    private static func types(_ messages: [JSONValue]) -> [String?] {
        messages.map { $0["type"]?.string }
    }

    @Test("Twelve keystrokes in 600 ms make one request, with the last parameters")
    func keystrokes() throws {
        let tester = try Self.tester()
        for (index, letter) in "refreshd-swi".enumerated() {
            tester.now = tester.now.advanced(byMilliseconds: 50.0)
            let answers = Self.query(tester, seq: 3 + index, "\(letter)", #","debounceMs":250"#)
            #expect(answers.isEmpty)
        }
        #expect(Self.wake(tester, after: 249).isEmpty)
        let messages = Self.wake(tester, after: 1)
        #expect(Self.types(messages) == ["loading"])
        #expect(messages.first?["cause"]?.string == "query")
        #expect(tester.dispatcher.started.count == 2)
        let request = try #require(tester.dispatcher.wishes.last)
        #expect(request.request.parameters == [LoadParameter(name: "q", value: .text("i"))])
        #expect(request.keptPages == .fresh && !request.isLookUp)
        let answers = try Self.answer(tester, 5..<8)
        #expect(Self.types(answers) == ["update", "items"])
        #expect(answers.last?["mode"]?.string == "replace")
        #expect(answers.last?["count"]?.number == 3)
        #expect(answers.last?["removed"] == nil)
    }

    @Test("The feed's debounce applies if the message has none")
    func configured() throws {
        let tester = try Self.tester(debounceMs: 100)
        #expect(Self.query(tester, seq: 3, "a").isEmpty)
        #expect(Self.wake(tester, after: 99).isEmpty)
        #expect(Self.types(Self.wake(tester, after: 1)) == ["loading"])
        #expect(
            Self.types(Self.query(tester, seq: 4, "b", #","debounceMs":0"#))
                == ["loading", "loading"])
    }

    @Test("Parameters equal to those of the current or the pending query change nothing")
    func equal() throws {
        let tester = try Self.tester()
        let wire =
            #"{"type":"configure","view":"list","seq":3,"parameters":{"q":"a","n":"1"},"debounceMs":9}"#
        tester.send(wire)
        let due = tester.session.nextDeadline
        tester.now = tester.now.advanced(byMilliseconds: 5.0)
        tester.send(
            #"{"type":"configure","view":"list","seq":4,"parameters":{"n":"1","q":"a"},"debounceMs":9}"#
        )
        #expect(tester.session.nextDeadline == due)
        #expect(Self.types(Self.wake(tester, after: 4)) == ["loading"])
        tester.send(#"{"type":"configure","view":"list","seq":5,"debounceMs":0,"shown":"clear"}"#)
        #expect(tester.dispatcher.started.count == 2)
    }

    @Test("With `clear`, the list is emptied at once; with `keep`, it stays until the page arrives")
    func shown() throws {
        let tester = try Self.tester()
        let cleared = Self.query(tester, seq: 3, "a", #","debounceMs":50,"shown":"clear""#)
        #expect(cleared.first?["list"]?["count"]?.number == 0)
        #expect(Self.query(tester, seq: 4, "b", #","debounceMs":50,"shown":"keep""#).isEmpty)
    }

    @Test("A query cancels the running load, and removes a page that was not sent yet")
    func cancels() throws {
        let tester = try Self.tester()
        tester.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        let (ticket, _) = try #require(tester.dispatcher.started.last)
        let answers = Self.query(tester, seq: 4, "a")
        #expect(
            answers.compactMap { $0["phase"]?.string } == ["cancelled", "began"])
        #expect(tester.dispatcher.cancelled == [ticket])
        // The page of this query is accepted, but the client does not read.
        tester.channel.isWritable = false
        try Self.answer(tester, 0..<3)
        Self.query(tester, seq: 5, "b")
        tester.channel.isWritable = true
        let start = tester.channel.frames.count
        tester.session.handle(.writable, at: tester.now)
        let messages = tester.messages(from: start)
        #expect(!Self.types(messages).contains("items"))
        #expect(messages.allSatisfy { $0["list"] == nil })
        #expect(messages.compactMap { $0["phase"]?.string } == ["cancelled", "began"])
    }

    @Test("A failed query is reported, and the next page is the first one of the query")
    func fails() throws {
        let tester = try Self.tester()
        Self.query(tester, seq: 3, "a")
        let (ticket, _) = try #require(tester.dispatcher.started.last)
        let start = tester.channel.frames.count
        tester.session.handle(
            .load(ticket, .ended(.failed(LoadFailure(.backendFailed, "no")))), at: tester.now)
        let messages = tester.messages(from: start)
        #expect(Self.types(messages) == ["loading"])
        #expect(messages.first?["phase"]?.string == "failed")
        tester.send(#"{"type":"loadMore","view":"list","seq":4}"#)
        let request = try #require(tester.dispatcher.started.last).1
        #expect(request.page == 1 && request.parameters.first?.value == .text("a"))
        // No item counts as shown, because the first page begins a new list.
        let answers = try Self.answer(tester, 0..<4)
        #expect(answers.last?["mode"]?.string == "replace")
        #expect(answers.last?["count"]?.number == 4)
    }

    @Test("Parameters of a query are checked as in `attach`, and a fault changes nothing")
    func faults() throws {
        let tester = try Self.tester()
        let wrong = [
            (#""parameters":{"x":"1"}"#, "unknownParameter", "parameters"),
            (#""parameters":{"n":"x"}"#, "invalidParameter", "parameters"),
            (#""parameters":[]"#, "invalidField", "parameters"),
            (#""parameters":{"q":"a"},"debounceMs":-1"#, "valueOutOfRange", "debounceMs"),
            (#""parameters":{"q":"a"},"debounceMs":60001"#, "valueOutOfRange", "debounceMs"),
            (#""parameters":{"q":"a"},"shown":"all""#, "invalidField", "shown"),
            (#""parameters":{"q":"a"},"shown":"keep","shown":"keep""#, "duplicateField", nil),
        ]
        for (index, (fields, code, field)) in wrong.enumerated() {
            let answers = tester.send(
                #"{"type":"configure","view":"list","seq":\#(3 + index),\#(fields),"top":null}"#)
            #expect(answers.map { $0["code"]?.string } == [code], "\(fields)")
            #expect(answers.first?["field"]?.string == field, "\(fields)")
            #expect(answers.first?["seq"]?.number == Double(3 + index))
        }
        #expect(tester.dispatcher.started.count == 1)
    }

    @Test(
        "Without the feature the parameters cannot be configured",
        arguments: [nil, "[]"] as [String?])
    func withoutFeature(features: String?) throws {
        let tester = try Self.tester(features: features)
        let before = tester.metrics.snapshot
        #expect(Self.query(tester, seq: 3, "a", #","debounceMs":-1,"shown":7"#).isEmpty)
        #expect(tester.dispatcher.started.count == 1)
        let after = tester.metrics.snapshot
        let fixed = after.count(of: .notConfigurable) - before.count(of: .notConfigurable)
        let unknown = after.count(of: .unknownField) - before.count(of: .unknownField)
        #expect(fixed == 1 && unknown == 2)
    }

    @Test("In a view without a feed, a query is ignored with a diagnostic")
    func clientBacked() {
        let tester = SessionTester()
        tester.send(#"{"type":"hello","protocol":1,"features":["query"],"diagnostics":true}"#)
        tester.send(#"{"type":"attach","seq":1,"view":"list","profile":"default"}"#)
        let answers = Self.query(tester, seq: 2, "a", #","debounceMs":0,"colour":1"#)
        #expect(answers.map { $0["code"]?.string } == ["notConfigurable", "unknownField"])
        #expect(answers.map { $0["field"]?.string } == ["parameters", "colour"])
    }

    // MARK: Look-ups

    @Test("A cached query is shown at once, during the debounce, and no request follows")
    func cached() throws {
        let tester = try Self.tester(keeps: true)
        #expect(Self.query(tester, seq: 3, "a", #","debounceMs":250"#).isEmpty)
        let messages = try Self.endLookUp(tester, 20..<25)
        #expect(Self.types(messages) == ["loading", "update", "items"])
        #expect(messages[0]["cause"]?.string == "query")
        #expect(messages[2]["load"]?.string == messages[0]["load"]?.string)
        #expect(messages[2]["mode"]?.string == "replace")
        #expect(Self.wake(tester, after: 1000).isEmpty)
        #expect(tester.dispatcher.started.count == 2)
    }

    @Test("After a cached stale page, the request follows")
    func cachedStale() throws {
        let tester = try Self.tester(keeps: true)
        Self.query(tester, seq: 3, "a", #","debounceMs":250"#)
        try Self.endLookUp(tester, 20..<25, isFresh: false)
        #expect(Self.types(Self.wake(tester, after: 250)) == ["loading"])
        #expect(tester.dispatcher.wishes.last?.keptPages == .fresh)
        #expect(tester.dispatcher.wishes.last?.isLookUp == false)
    }

    @Test("The answer to a look-up of an earlier query is counted and dropped")
    func lateLookUp() throws {
        let tester = try Self.tester(keeps: true)
        Self.query(tester, seq: 3, "a", #","debounceMs":250"#)
        let (ticket, _) = try #require(tester.dispatcher.started.last)
        Self.query(tester, seq: 4, "b", #","debounceMs":250"#)
        let start = tester.channel.frames.count
        let found = FoundPage(page: try Self.page(0..<2), ageMs: 0, isFresh: true)
        tester.session.handle(.load(ticket, .lookUpEnded(found)), at: tester.now)
        #expect(tester.channel.frames.count == start)
        #expect(tester.metrics.snapshot.lateAnswers == 1)
    }

    // MARK: First items

    private static func attached(
        _ initial: String, features: String? = "[]", feed: String? = "songs", extra: String = ""
    ) -> (SessionTester, [JSONValue]) {
        let tester = SessionTester(
            limits: SessionTester.patient,
            feeds: [FeedDescription(name: "songs", style: .page, size: 10, keepsPages: true)])
        tester.now = Instant(milliseconds: 100_000)
        let answers = tester.open(
            feed: feed, features: features, extra: #","initial":\#(initial)\#(extra)"#)
        return (tester, answers)
    }

    @Test("With `load`, a visible load begins when the view is attached")
    func load() throws {
        let (tester, answers) = Self.attached(#""load""#)
        #expect(Self.types(answers) == ["attached", "update", "loading"])
        #expect(answers[1]["top"]?["cause"]?.string == "initial")
        #expect(answers[2]["cause"]?.string == "initial")
        #expect(tester.dispatcher.wishes.map(\.keptPages) == [.any])
    }

    @Test("With `load` or `kept`, a view without a feed gets a load", arguments: ["load", "kept"])
    func clientLoads(initial: String) {
        let (_, answers) = Self.attached(#""\#(initial)""#, feed: nil)
        #expect(Self.types(answers) == ["attached", "update", "load"])
        #expect(answers[2]["cause"]?.string == "initial")
    }

    @Test("With `kept`, the daemon sends the cached page with its age, and makes no request")
    func kept() throws {
        let (tester, answers) = Self.attached(#""kept""#)
        #expect(answers.isEmpty)
        let start = tester.channel.frames.count
        let messages = try Self.endLookUp(tester, 0..<10, ageMs: 60_000)
        #expect(tester.channel.frames.count == start + 1, "one frame")
        #expect(Self.types(messages) == ["attached", "loading", "update", "items"])
        #expect(messages[1]["cause"]?.string == "initial")
        #expect(messages[2]["lastUpdated"]?.number == 40_000)
        #expect(tester.dispatcher.started.count == 1)
        // The session is not woken for the wait that has ended.
        #expect(tester.session.conversation.value.phase.timeoutCheckDue == .never)
    }

    @Test("With `kept`, one frame contains `welcome`, each `attached` and all first items")
    func keptInHello() throws {
        let tester = SessionTester(
            limits: SessionTester.patient,
            feeds: [FeedDescription(name: "songs", style: .page, size: 10, keepsPages: true)])
        let view = #""profile":"default","feed":"songs","initial":"kept""#
        let answers = tester.send(
            #"{"type":"hello","protocol":1,"features":[],"views":[{"view":"a",\#(view)},"#
                + #"{"view":"b",\#(view)}]}"#)
        #expect(answers.isEmpty)
        let tickets = tester.dispatcher.started.map(\.0)
        #expect(tickets.count == 2)
        let found = FoundPage(page: try Self.page(0..<2), ageMs: 0, isFresh: true)
        tester.session.handle(.load(tickets[1], .lookUpEnded(found)), at: tester.now)
        #expect(tester.channel.frames.isEmpty)
        tester.session.handle(.load(tickets[0], .lookUpEnded(nil)), at: tester.now)
        #expect(tester.channel.frames.count == 1)
        let messages = tester.messages(from: 0)
        #expect(
            Self.types(messages) == [
                "welcome", "attached", "attached", "loading", "update", "items", "update",
                "loading",
            ])
        #expect(messages[5]["view"]?.string == "b")
    }

    @Test("With `kept`, `attached` waits for the cache for at most 20 ms")
    func keptLate() throws {
        let (tester, answers) = Self.attached(#""kept""#)
        #expect(answers.isEmpty)
        #expect(Self.wake(tester, after: 19).isEmpty)
        #expect(Self.types(Self.wake(tester, after: 1)) == ["attached"])
        #expect(Self.types(tester.send(#"{"type":"ping","t":2}"#)) == ["pong"])
        let messages = try Self.endLookUp(tester, 0..<10)
        #expect(Self.types(messages) == ["loading", "update", "items"])
    }

    @Test("If another message must be sent, `attached` does not wait for the cache")
    func keptWithAnswer() throws {
        let (tester, answers) = Self.attached(#""kept""#)
        #expect(answers.isEmpty)
        #expect(Self.types(tester.send(#"{"type":"ping","t":1}"#)) == ["attached", "pong"])
        let messages = try Self.endLookUp(tester, 0..<10)
        #expect(Self.types(messages) == ["loading", "update", "items"])
    }

    @Test("A connection that is lost ends the wait for first items")
    func keptAndLost() throws {
        let tester = SessionTester(
            limits: SessionTester.patient,
            feeds: [FeedDescription(name: "songs", style: .page, size: 10, keepsPages: true)])
        tester.open(feed: "songs", features: "[]", extra: #","initial":"kept""#)
        #expect(tester.session.conversation.value.outbox.firstItemsDue != nil)
        tester.session.handle(.lost, at: tester.now)
        #expect(tester.session.conversation.value.outbox.firstItemsDue == nil)
    }

    @Test("A connection that is being closed does not wait for first items")
    func keptAtTheEnd() {
        let (tester, answers) = Self.attached(#""kept""#)
        #expect(answers.isEmpty)
        #expect(Self.types(tester.send(#"{"type":"bye"}"#)).contains("attached"))
        #expect(tester.channel.closed != nil)
    }

    @Test("With `kept`, an old page is refreshed, and a missing page is loaded")
    func keptOld() throws {
        let (old, _) = Self.attached(#""kept""#, extra: #","top":{"staleAfter":1000}"#)
        let messages = try Self.endLookUp(old, 0..<10, ageMs: 1000)
        #expect(messages.compactMap { $0["cause"]?.string } == ["initial", "stale"])
        // The refresh does not accept a cached page, because the client already shows it.
        #expect(old.dispatcher.wishes.map(\.keptPages) == [.any, .none])
        let (none, _) = Self.attached(#""kept""#)
        let loads = try Self.endLookUp(none, nil)
        #expect(Self.types(loads) == ["attached", "update", "loading"])
        #expect(loads[2]["cause"]?.string == "initial")
    }

    @Test("A client without features has no first items, whatever `initial` contains")
    func withoutFeatures() {
        for initial in [#""load""#, #""kept""#, "7"] {
            let (tester, answers) = Self.attached(initial, features: nil)
            #expect(Self.types(answers) == ["attached"])
            #expect(tester.dispatcher.started.isEmpty)
        }
    }

    @Test("An invalid `initial` causes a fault, in `attach` and in `hello`")
    func wrong() {
        let (_, answers) = Self.attached(#""all""#)
        #expect(answers.map { $0["code"]?.string } == ["invalidField"])
        #expect(answers.first?["field"]?.string == "initial")
        for (features, types) in [("null", ["welcome", "attached"]), ("[]", ["error"])] {
            let tester = SessionTester()
            let messages = tester.send(
                #"{"type":"hello","protocol":1,"features":\#(features),"views":[{"view":"list","#
                    + #""profile":"default","initial":"all"}]}"#)
            #expect(Self.types(messages) == types)
        }
    }
}
