import RefreshProtocol
import SessionBench
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Hostile input", .ownThread, .limit)
struct HostileInputTests {
    static let opening = """
        [{"type":"hello","protocol":1,"views":[
          {"view":"list","profile":"iqpulltorefresh",
           "geometry":{"viewport":{"width":390,"height":800},
                       "content":{"width":390,"height":4000}}},
          {"view":"own","profile":"iqpulltorefresh",
           "geometry":{"viewport":{"width":390,"height":800},
                       "content":{"width":390,"height":4000}}}]}]
        """

    @Test("Damaged messages in many sessions cause answers or silence, but end no session")
    func session() throws {
        var limits = Limits()
        limits.faultBudgetMax = 1_000_000
        var hostile = HostileMessages(seed: 1)
        var faults = [Int](repeating: 0, count: FaultCode.allCases.count)
        let sessions = depth(50, whole: 100)
        for _ in 0..<sessions {
            let tester = SessionTester(limits: limits)
            tester.send(Self.opening)
            for number in 1...1000 {
                tester.now = Instant(microseconds: Int64(number) * 8_000)
                if let deadline = tester.session.nextDeadline, deadline <= tester.now {
                    tester.session.handle(.wake, at: tester.now)
                }
                let frame = hostile.next()
                tester.feed(frame)
                guard tester.channel.closed == nil else {
                    Issue.record("the connection was closed after \(frame)")
                    return
                }
            }
            let pong = tester.send(#"{"type":"ping","t":4711}"#)
            #expect(pong.last?["t"]?.number == 4711)
            for frame in tester.channel.frames where (try? JSONValue(parsing: frame)) == nil {
                Issue.record("the daemon sent a frame that is not JSON: \(frame)")
                return
            }
            faults = zip(faults, tester.metrics.snapshot.faults).map(+)
        }
        try Self.expectVariety(of: faults, messages: sessions * 1000)
    }

    @Test("Damaged messages over sockets do not stop the daemon, and each session is removed")
    func socket() async throws {
        let daemon = try TestDaemon(
            "limits: { faultBudgetMax: 1000000, resumeWindowMs: 0 }")
        var hostile = HostileMessages(seed: 2)
        let turns = depth(100, whole: 200)
        for turn in 1...turns {
            let client = try await daemon.connect()
            client.send(Self.opening)
            for _ in 0..<500 { client.send(hostile.next()) }
            client.send(#"{"type":"ping","t":77\#(turn)}"#)
            var isAnswered = false
            while !isAnswered {
                let event = await client.receive(within: .patient)
                guard let text = event.text else {
                    Issue.record("turn \(turn): \(event)")
                    return
                }
                isAnswered = text.hasPrefix(#"{"type":"pong","t":77\#(turn),"#)
            }
            client.close()
        }
        #expect(daemon.total.sessions.messagesReceived == turns * 502)
        try Self.expectVariety(of: daemon.total.sessions.faults, messages: turns * 500)
        #expect(
            try await daemon.until {
                $0.sessions.sessionsOpened == turns && $0.sessions.sessionsClosed == turns
                    && $0.sessions.viewsAttached == $0.sessions.viewsDetached
            })
    }

    /// Checks that 40 to 90 % of the messages are faults, of at least 15 kinds. Stale sequence
    /// numbers must be less than a quarter of the faults.
    private static func expectVariety(of faults: [Int], messages: Int) throws {
        let sum = faults.reduce(0, +)
        #expect(sum > messages * 4 / 10 && sum < messages * 9 / 10, "\(sum) faults")
        #expect(faults.count { $0 > 0 } >= 15)
        let stale = try #require(FaultCode.allCases.firstIndex(of: .staleSequence))
        #expect(faults[stale] < sum / 4, "\(faults[stale]) of \(sum) faults are staleSequence")
    }
}
