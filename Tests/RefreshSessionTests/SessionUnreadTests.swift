import RefreshBroker
import RefreshEngine
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The feature `unread` in a session. Source: docs/protocol.md, "Unread items".
@Suite("A client with the feature `unread`")
struct SessionUnreadTests {
    private static func tester(features: String? = #"["unread"]"#) -> SessionTester {
        let tester = SessionTester(limits: SessionTester.patient)
        tester.open(feed: "songs", features: features)
        return tester
    }

    private static func change(_ tester: SessionTester, _ count: Int?) -> [JSONValue] {
        let before = tester.channel.frames.count
        tester.session.handle(
            .changed(feed: "songs", count: NewerCount(count)), at: tester.now)
        return tester.messages(from: before)
    }

    private static func scroll(
        _ tester: SessionTester, _ seq: Int, _ phase: String, _ offset: Int
    ) -> [JSONValue] {
        tester.send(
            #"{"type":"scroll","view":"list","seq":\#(seq),"phase":"\#(phase)","offset":\#(offset)}"#
        )
    }

    @Test("The number of newer items is sent with `newer`, and is `null` if it is not known")
    func count() {
        let tester = Self.tester()
        let first = Self.change(tester, 3).first
        #expect(first?["newer"]?.bool == true && first?["newerCount"]?.number == 3)
        let second = Self.change(tester, 2).first
        #expect(second?["newer"] == nil && second?["newerCount"]?.number == 5)
        #expect(Self.change(tester, nil).first?["newerCount"] == .null)
    }

    @Test("If operations for other subjects are reported too, only the own insertions are counted")
    func otherSubjects() {
        let tester = Self.tester()
        func report(_ count: Int, _ items: [ItemChange]) -> JSONValue? {
            let before = tester.channel.frames.count
            tester.session.handle(
                .changed(feed: "songs", count: NewerCount(count), items: items), at: tester.now)
            return tester.messages(from: before).first?["newerCount"]
        }
        let own = ItemChange([ListEditTests.operation(.insert, 1, .start)])
        let other = ItemChange(
            subject: "bob",
            [
                ListEditTests.operation(.insert, 2, .start),
                ListEditTests.operation(.insert, 3, .start),
            ])
        #expect(report(3, [own, other])?.number == 1)
        #expect(report(2, [other]) == nil)
        #expect(report(5, [own])?.number == 6)
    }

    @Test(
        "Without the feature, updates have no new members", arguments: [nil, "[]", #"["query"]"#])
    func withoutFeature(_ features: String?) {
        let tester = Self.tester(features: features)
        let before = tester.channel.frames.count
        tester.session.handle(.changed(feed: "songs", count: NewerCount(3)), at: tester.now)
        tester.session.handle(.changed(feed: "songs", count: NewerCount(3)), at: tester.now)
        #expect(
            Array(tester.channel.frames[before...])
                == [#"{"type":"update","view":"list","ack":1,"newer":true,"announce":["newer"]}"#]
                || Array(tester.channel.frames[before...])
                    == [#"{"type":"update","view":"list","ack":1,"newer":true}"#]
        )
        #expect(Self.scroll(tester, 2, "began", 0).allSatisfy { $0["away"] == nil })
        #expect(Self.scroll(tester, 3, "dragging", 900).allSatisfy { $0["away"] == nil })
        for (type, seq) in [("reveal", 4), ("read", 4)] {
            let answer = tester.send(
                #"{"type":"\#(type)","view":"list","seq":\#(seq),"id":"m1"}"#)
            #expect(answer.first?["code"]?.string == "unknownType")
        }
    }

    @Test("`away` is sent when the newest end goes out of sight and when it comes back")
    func away() {
        let tester = Self.tester()
        _ = Self.scroll(tester, 2, "began", 0)
        #expect(Self.scroll(tester, 3, "dragging", 100).first?["away"]?.bool == true)
        #expect(Self.scroll(tester, 4, "dragging", 200).allSatisfy { $0["away"] == nil })
        #expect(Self.scroll(tester, 5, "dragging", 0).first?["away"]?.bool == false)
    }

    @Test("A view that is attached away from its newest end reports `away`")
    func attachedAway() {
        let tester = SessionTester(limits: SessionTester.patient)
        let messages = tester.open(features: #"["unread"]"#, extra: #","offset":400"#)
        #expect(messages.last?["away"]?.bool == true)
    }

    @Test("If a finger touches the list before the offset was sent, the reveal is cancelled")
    func withdrawn() {
        let tester = Self.tester()
        let messages = tester.send(
            #"[{"type":"reveal","view":"list","seq":2,"id":"m","position":900},"#
                + #"{"type":"scroll","view":"list","seq":3,"phase":"began","offset":0}]"#)
        #expect(messages.last?["offset"] == nil)
        #expect(messages.last?["revealed"]?.string == "cancelled")
    }

    @Test("A `reveal` is answered by an offset")
    func reveal() {
        let tester = Self.tester()
        let update = tester.send(
            #"{"type":"reveal","view":"list","seq":2,"id":"m42","position":1500}"#
        ).first
        #expect(update?["offset"]?["to"]?.number == 1500)
        #expect(update?["revealed"]?.string == "reached")
        #expect(update?["away"]?.bool == true)
    }

    @Test("The number, the newest end and the read mark survive the loss of the connection")
    func resumed() throws {
        let tester = Self.tester()
        _ = Self.change(tester, 3)
        tester.send(#"{"type":"read","view":"list","seq":2,"id":"m\"42"}"#)
        tester.send(#"{"type":"reveal","view":"list","seq":3,"id":"m42","position":1500}"#)
        let snapshot = tester.session.conversation.value.snapshot(tokenHash: [])
        let view = try #require(snapshot.session.views.first)
        #expect(view.engine.readMark == #"m"42"#)
        #expect(view.engine.newerCount == NewerCount(3))
        #expect(view.engine.isAway == true)
    }

    @Test("A read mark of more than 128 bytes is refused, and the previous one stays")
    func longReadMark() throws {
        let tester = Self.tester()
        tester.send(#"{"type":"read","view":"list","seq":2,"id":"m1"}"#)
        let long = String(repeating: "é", count: 65)
        let fault = tester.send(
            #"{"type":"read","view":"list","seq":3,"id":"\#(long)"}"#
        ).first
        #expect(fault?["code"]?.string == "valueOutOfRange" && fault?["field"]?.string == "id")
        let snapshot = tester.session.conversation.value.snapshot(tokenHash: [])
        #expect(snapshot.session.views.first?.engine.readMark == "m1")
    }
}
