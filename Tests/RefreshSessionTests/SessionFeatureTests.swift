import RefreshBroker
import RefreshEngine
import RefreshProtocol
import RefreshSession
import SessionBench
import Testing

/// Options and messages that only clients with features know. Source: docs/protocol.md, "Features".
@Suite("A client with features")
struct SessionFeatureTests {
    private static let view =
        #""view":"list","profile":"iqpulltorefresh","feed":"songs","top":{"repeat":"join","pollMs":10000}"#

    /// A session whose `hello` has these members.
    private static func tester(_ hello: String) -> SessionTester {
        let tester = SessionTester()
        tester.send(#"{"type":"hello","protocol":1\#(hello)}"#)
        return tester
    }

    @Test("`attached` has the options of features only for a client with features")
    func attached() {
        for (hello, repetition) in [(#","features":[]"#, "join"), ("", nil)] {
            let tester = Self.tester(hello)
            let attached = tester.send(#"{"type":"attach","seq":1,\#(Self.view)}"#).first
            #expect(attached?["top"]?["repeat"]?.string == repetition)
            #expect(attached?["top"]?["pollMs"]?.number == (repetition == nil ? nil : 10_000))
            #expect(attached?["top"]?["staleAfter"]?.number == 0)
        }
    }

    @Test("`attached` has the `sectionKey` of the feed only for a client with features")
    func sections() throws {
        for features in ["[]", nil] {
            let tester = SessionTester(
                feeds: [FeedDescription(name: "songs", sectionKey: JSONPointer("/a~1b/0"))])
            let attached = try #require(
                tester.open(feed: "songs", features: features).first {
                    $0["type"]?.string == "attached"
                })
            #expect(attached["sectionKey"]?.string == features.map { _ in "/a~1b/0" })
            #expect(attached["itemKey"] == nil)
        }
    }

    @Test("The messages in the frame of `hello` may be those of its features")
    func sameFrame() {
        let answer = SessionTester().send(
            #"[{"type":"hello","protocol":1,"features":[]},{"type":"attach","seq":1,\#(Self.view)},"#
                + #"{"type":"disappear","view":"list","seq":2}]"#)
        let attached = answer.first { $0["type"]?.string == "attached" }
        #expect(attached?["top"]?["repeat"]?.string == "join")
        #expect(!answer.contains { $0["type"]?.string == "error" })
    }

    @Test("The views of `hello` and `configure` may have options of features")
    func everywhere() {
        let tester = SessionTester()
        let answer = tester.send(
            #"{"type":"hello","protocol":1,"features":[],"views":[{\#(Self.view)}]}"#)
        #expect(answer.last?["top"]?["repeat"]?.string == "join")
        let refused = tester.send(
            #"{"type":"configure","view":"list","seq":2,"top":{"repeat":"never"}}"#)
        #expect(refused.first?["code"]?.string == "invalidField")
        #expect(refused.first?["field"]?.string == "repeat")
        tester.send(#"{"type":"configure","view":"list","seq":2,"top":{"repeat":"reject"}}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":3}"#)
        #expect(tester.send(#"{"type":"refresh","view":"list","seq":4}"#).isEmpty)
        tester.send(#"{"type":"configure","view":"list","seq":5,"top":{"repeat":"join"}}"#)
        let joined = tester.send(#"{"type":"refresh","view":"list","seq":6}"#)
        #expect(joined.first?["phase"]?.string == "joined")
        #expect(joined.first?["load"]?.string == "1.1" && joined.first?["seq"]?.number == 6)
    }

    @Test("Without features, the options of features are unknown, even with invalid values")
    func unknownOptions() {
        let tester = Self.tester(#","diagnostics":true"#)
        let answer = tester.send(
            #"{"type":"attach","seq":1,"view":"list","profile":"default","top":{"repeat":7,"repeat":8,"pollms":1}}"#
        )
        let diagnostics = answer.filter { $0["type"]?.string == "diagnostic" }
        #expect(
            diagnostics.map { $0["field"]?.string } == ["top.repeat", "top.repeat", "top.pollms"])
        #expect(diagnostics.allSatisfy { $0["code"]?.string == "unknownOption" })
        #expect(diagnostics.allSatisfy { $0["suggestion"] == nil })
        #expect(tester.metrics.snapshot.count(of: .unknownOption) == 3)
        let known = Self.tester(#","diagnostics":true,"features":[]"#).send(
            #"{"type":"attach","seq":1,"view":"list","profile":"default","top":{"repeat":"join","pollms":1}}"#
        ).filter { $0["type"]?.string == "diagnostic" }
        #expect(known.map { $0["field"]?.string } == ["top.pollms"])
        #expect(known.first?["suggestion"]?.string == "pollMs")
    }

    @Test("`disappear` is an unknown type for clients without features")
    func unknownType() {
        for text in [
            #"{"type":"disappear","view":"list","seq":2}"#, #"{"type":"disappear"}"#,
        ] {
            let tester = Self.tester("")
            tester.send(#"{"type":"attach","seq":1,\#(Self.view)}"#)
            let answer = tester.send(text)
            #expect(answer.map { $0["code"]?.string } == ["unknownType"])
            // The sequence number was not used.
            #expect(tester.send(#"{"type":"appear","view":"list","seq":2}"#).isEmpty)
        }
        let tester = Self.tester(#","features":[]"#)
        tester.send(#"{"type":"attach","seq":1,\#(Self.view)}"#)
        #expect(
            tester.send(#"{"type":"disappear"}"#).map { $0["code"]?.string } == ["missingField"])
        #expect(tester.send(#"{"type":"disappear","view":"list","seq":2}"#).isEmpty)
        #expect(
            tester.send(#"{"type":"disappear","view":"list","seq":2}"#).first?["code"]?.string
                == "staleSequence")
        #expect(
            SessionTester().send(#"{"type":"disappear","view":"list","seq":2}"#).first?["code"]?
                .string == "unknownType")
    }

    @Test("A view in sight polls, and its poll accepts fresh cached pages")
    func polls() throws {
        let tester = Self.tester(#","features":[]"#)
        tester.send(#"{"type":"attach","seq":1,\#(Self.view)}"#)
        tester.now = try #require(tester.session.nextDeadline)
        #expect((9000...11_000).contains(tester.now.milliseconds))
        let start = tester.channel.frames.count
        tester.session.handle(.wake, at: tester.now)
        let messages = tester.messages(from: start)
        #expect(messages.map { $0["type"]?.string } == ["loading"])
        #expect(messages.first?["cause"]?.string == "poll")
        #expect(tester.dispatcher.wishes.map(\.keptPages) == [.fresh])
    }

    @Test("With the policy `newest`, the old load is reported as ended and the new one as begun")
    func newest() {
        let tester = Self.tester(#","features":[]"#)
        tester.send(
            #"{"type":"attach","seq":1,"view":"list","profile":"iqpulltorefresh","feed":"songs","top":{"repeat":"newest"}}"#
        )
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let answer = tester.send(#"{"type":"refresh","view":"list","seq":3,"cause":"key"}"#)
        let loading = answer.filter { $0["type"]?.string == "loading" }
        #expect(loading.map { $0["phase"]?.string } == ["cancelled", "began"])
        #expect(loading.map { $0["load"]?.string } == ["1.1", "1.2"])
        let update = answer.first { $0["type"]?.string == "update" }
        #expect(update?["top"]?["cause"]?.string == "key" && update?["ack"]?.number == 3)
        #expect(update?["inset"] == nil && update?["top"]?["state"] == nil)
        #expect(tester.dispatcher.cancelled.map(\.load) == [LoadID(generation: 1, number: 1)])
        #expect(tester.dispatcher.started.count == 2)
    }
}

/// Source: docs/backends.md, "A crowd".
@Suite("A delayed refresh of a session")
struct DelayedRefreshTests {
    /// A session with two views of `songs`. After a change, one view refreshes, and the other view
    /// is notified.
    private static func tester() -> SessionTester {
        let tester = SessionTester(limits: SessionTester.patient)
        tester.send(#"{"type":"hello","protocol":1}"#)
        for (seq, (view, changes)) in [("a", "visible"), ("b", "cue")].enumerated() {
            tester.send(
                #"{"type":"attach","seq":\#(seq + 1),"view":"\#(view)","profile":"iqpulltorefresh","feed":"songs","top":{"changes":"\#(changes)"}}"#
            )
        }
        return tester
    }

    private static func at(_ milliseconds: Double) -> Instant {
        Instant(milliseconds: milliseconds)
    }

    /// Reports a change, and returns the messages.
    private static func change(
        _ tester: SessionTester, refreshAt start: Double?
    ) -> [JSONValue] {
        let before = tester.channel.frames.count
        tester.session.handle(
            .changed(feed: "songs", refreshAt: start.map(at)), at: tester.now)
        return tester.messages(from: before)
    }

    @Test("Views that refresh wait for their time, and others are notified at once")
    func waits() {
        let tester = Self.tester()
        let messages = Self.change(tester, refreshAt: 3000)
        #expect(messages.map { $0["view"]?.string } == ["b"])
        #expect(messages.first?["newer"]?.bool == true)
        #expect(tester.dispatcher.started.isEmpty)
        #expect(tester.session.nextDeadline == Self.at(3000))
        tester.now = Self.at(2999)
        tester.session.handle(.wake, at: tester.now)
        #expect(tester.dispatcher.started.isEmpty)
        tester.now = Self.at(3000)
        tester.session.handle(.wake, at: tester.now)
        #expect(tester.dispatcher.started.map { $0.0.view } == ["a"])
    }

    @Test("Further changes are merged, and do not delay or advance the refresh")
    func merged() {
        let tester = Self.tester()
        _ = Self.change(tester, refreshAt: 3000)
        #expect(!tester.session.hasUndelayedRefresh(of: "songs"))
        tester.now = Self.at(1000)
        #expect(Self.change(tester, refreshAt: 4500).isEmpty)
        #expect(tester.session.nextDeadline == Self.at(3000))
        tester.now = Self.at(3000)
        tester.session.handle(.wake, at: tester.now)
        #expect(tester.dispatcher.started.count == 1)
    }

    @Test("A refresh by the user takes over the change and is not delayed")
    func takenOver() throws {
        let tester = Self.tester()
        _ = Self.change(tester, refreshAt: 3000)
        tester.now = Self.at(500)
        tester.send(#"{"type":"refresh","view":"a","seq":9}"#)
        let (ticket, _) = try #require(tester.dispatcher.started.last)
        tester.session.handle(
            .load(ticket, .ended(.page(Page(items: Array("[1]".utf8), count: 1)))),
            at: tester.now)
        tester.now = Self.at(3000)
        tester.session.handle(.wake, at: tester.now)
        #expect(tester.dispatcher.started.count == 1)
        #expect(tester.session.hasUndelayedRefresh(of: "songs"))
        _ = Self.change(tester, refreshAt: 3100)
        tester.now = Self.at(3100)
        tester.session.handle(.wake, at: tester.now)
        #expect(tester.dispatcher.started.count == 2)
    }

    @Test("A change without a delay ends the delay of an earlier one")
    func atOnce() {
        let tester = Self.tester()
        _ = Self.change(tester, refreshAt: 3000)
        _ = Self.change(tester, refreshAt: nil)
        #expect(tester.dispatcher.started.count == 1)
    }

    @Test("A view that is detached has no delayed refresh")
    func detached() {
        let tester = Self.tester()
        _ = Self.change(tester, refreshAt: 3000)
        tester.send(#"{"type":"detach","view":"a","seq":9}"#)
        tester.session.handle(.wake, at: Self.at(3000))
        #expect(tester.dispatcher.started.isEmpty)
        #expect(tester.session.nextDeadline == nil)
    }
}
