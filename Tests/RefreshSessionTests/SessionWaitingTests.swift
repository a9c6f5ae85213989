import RefreshBroker
import RefreshProtocol
import RefreshSession
import SessionBench
import Testing

/// Messages that cannot be sent at once.
@Suite("Waiting messages")
struct SessionWaitingTests {
    @Test("A client that only sends pings and never reads is closed as slow")
    func silent() {
        var limits = Limits()
        limits.queueBytesMax = 65_536
        let tester = SessionTester(limits: limits)
        tester.channel.isWritable = false
        for _ in 0..<10_000 where tester.channel.closed == nil {
            tester.send(#"[{"type":"ping","t":1},{"type":"ping","t":2}]"#)
        }
        #expect(tester.channel.closed == .slow)
    }

    @Test("A session that must end closes even if its client does not read", arguments: [1, 2, 3])
    func sentenced(_ reason: Int) {
        var limits = Limits()
        limits.faultBudgetMax = 2
        let tester = SessionTester(limits: limits)
        tester.channel.isWritable = false
        switch reason {
        case 1:
            tester.session.handle(.wake, at: Instant(milliseconds: 10_000))
            #expect(tester.channel.closed == .helloTimeout)
        case 2:
            for _ in 0..<3 { tester.send("{") }
            #expect(tester.channel.closed == .tooManyFaults)
        default:
            tester.session.handle(.end(.draining), at: tester.now)
            #expect(tester.channel.closed == .draining)
        }
        #expect(tester.channel.frames.isEmpty)
    }

    @Test("Unsent commands wait while a finger touches the list, and are sent when it lifts")
    func underAFinger() {
        let tester = SessionTester()
        tester.open()
        let touched = tester.send(
            """
            [{"type":"refresh","view":"list","seq":2},
             {"type":"loadBegan","view":"list","seq":3,"load":"1.1"},
             {"type":"scroll","view":"list","seq":4,"offset":0,"phase":"began"}]
            """)
        let update = touched.first { $0["type"]?.string == "update" }
        #expect(update?["top"]?["state"]?.string == "refreshing")
        #expect(update != nil && update?["inset"] == nil && update?["offset"] == nil)
        let released = tester.send(
            #"{"type":"scroll","view":"list","seq":5,"offset":0,"phase":"ended"}"#)
        #expect(released.first?["inset"]?["top"]?.number == 60)
    }

    @Test("Commands that wait for a slow client are withdrawn when its finger touches the list")
    func underASlowFinger() {
        let tester = SessionTester()
        tester.open()
        tester.channel.isWritable = false
        let before = tester.channel.frames.count
        tester.send(#"{"type":"begin","view":"list","seq":2}"#)
        tester.send(#"{"type":"scroll","view":"list","seq":3,"offset":0,"phase":"began"}"#)
        tester.channel.isWritable = true
        tester.session.handle(.writable, at: tester.now)
        let messages = tester.messages(from: before)
        #expect(messages.count == 1 && messages[0]["inset"] == nil && messages[0]["offset"] == nil)
    }

    @Test(
        "An unsent offset is withdrawn if the list is moved without a finger, but insets are sent",
        arguments: [
            #""phase":"decelerating","cause":"wheel""#, #""phase":"decelerating","cause":"key""#,
            #""phase":"idle","cause":"code""#,
        ])
    func underAWheel(movement: String) {
        for features in ["[]", nil] {
            let tester = SessionTester()
            tester.open(features: features)
            tester.channel.isWritable = false
            let before = tester.channel.frames.count
            tester.send(#"{"type":"begin","view":"list","seq":2}"#)
            tester.send(#"{"type":"scroll","view":"list","seq":3,"offset":40,\#(movement)}"#)
            tester.channel.isWritable = true
            tester.session.handle(.writable, at: tester.now)
            let update = tester.messages(from: before).first { $0["type"]?.string == "update" }
            #expect(update?["ack"]?.number == 3)
            #expect(update?["inset"]?["top"]?.number == 60)
            // The bytes for a client without features do not change.
            #expect((update?["offset"] == nil) == (features != nil), "\(update as Any)")
        }
    }

    @Test(
        "An unsent offset is withdrawn if a geometry has an offset and no anchor",
        arguments: ["", #","anchor":{"id":"a","position":510}"#])
    func underANewLayout(anchor: String) {
        for features in ["[]", nil] {
            let tester = SessionTester()
            tester.open(features: features)
            tester.send(#"{"type":"scroll","view":"list","seq":2,"offset":500,"phase":"idle"}"#)
            tester.channel.isWritable = false
            let before = tester.channel.frames.count
            tester.send(
                #"{"type":"geometry","view":"list","seq":3,"anchor":{"id":"a","position":400}}"#)
            // The item has moved by 100 points, and so would the list.
            tester.send(
                #"{"type":"geometry","view":"list","seq":4,"anchor":{"id":"a","position":500}}"#)
            tester.send(#"{"type":"geometry","view":"list","seq":5,"offset":520\#(anchor)}"#)
            tester.channel.isWritable = true
            tester.session.handle(.writable, at: tester.now)
            let update = tester.messages(from: before).first { $0["type"]?.string == "update" }
            // The bytes for a client without features do not change.
            let isWithdrawn = features != nil && anchor.isEmpty
            #expect((update?["offset"] == nil) == isWithdrawn, "\(update as Any)")
        }
    }

    @Test("The broker's confirmation of a cancelled load does not count as a late answer")
    func cancelled() throws {
        let tester = SessionTester()
        tester.open(feed: "songs")
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let (ticket, _) = try #require(tester.dispatcher.started.first)
        tester.send(#"{"type":"cancel","view":"list","seq":3}"#)
        tester.session.handle(.load(ticket, .ended(.cancelled)), at: tester.now)
        #expect(tester.metrics.snapshot.lateAnswers == 0)
    }
}
