import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshServer
@testable import RefreshSession

/// Source: docs/backends.md, "A crowd".
@Suite("The spread of the refreshes after a change")
struct ChangeSpreadTests {
    private static func policy(
        spreadMs: Int = 0, perSecondMax: Int = 0
    ) -> FeedPolicy.Changes {
        var policy = FeedPolicy.Changes()
        policy.spreadMs = spreadMs
        policy.perSecondMax = perSecondMax
        return policy
    }

    private static func key(_ number: Int) -> SessionKey {
        SessionKey(loop: UInt16(number % 4), slot: UInt32(number / 4), generation: 1)
    }

    @Test("The delays of 10,000 sessions fill each window of 250 ms with at most 1.5 x the mean")
    func even() {
        for (number, seed) in [(1, 0), (2, 0), (1, 7), (900, .max)] as [(UInt64, UInt64)] {
            let spread = ChangeSpread(Self.policy(spreadMs: 5000), number: number, seed: seed)
            var windows = [Int](repeating: 0, count: 20)
            for session in 0..<10_000 {
                windows[Int(spread.delayMs(of: Self.key(session)) / 250)] += 1
            }
            let peak = Double(windows.max() ?? 0)
            print("10,000 delays, change \(number), seed \(seed): peak \(peak / 500) x the mean")
            #expect(peak <= 1.5 * 500)
            #expect(windows.allSatisfy { $0 >= 250 })
        }
    }

    @Test("The delay of a session is the same each time, and differs from change to change")
    func deterministic() {
        let spread = ChangeSpread(Self.policy(spreadMs: 5000), number: 1, seed: 3)
        let again = ChangeSpread(Self.policy(spreadMs: 5000), number: 1, seed: 3)
        let next = ChangeSpread(Self.policy(spreadMs: 5000), number: 2, seed: 3)
        var equal = 0
        for session in 0..<1000 {
            let delay = spread.delayMs(of: Self.key(session))
            #expect(delay == again.delayMs(of: Self.key(session)))
            if abs(delay - next.delayMs(of: Self.key(session))) < 1 { equal += 1 }
        }
        #expect(equal < 10)
    }

    @Test("In each second, at most as many sessions begin a refresh as the budget allows")
    func budget() {
        var budget = RefreshBudget()
        let spread = ChangeSpread(Self.policy(spreadMs: 2000), number: 1, seed: 3)
        var seconds: [Int64: Int] = [:]
        for session in 0..<1000 {
            let due = Instant(milliseconds: 500 + spread.delayMs(of: Self.key(session)))
            let start = budget.takePlace(at: due, perSecondMax: 100)
            #expect(start >= due)
            seconds[start.microseconds / 1_000_000, default: 0] += 1
        }
        #expect(seconds.values.allSatisfy { $0 <= 100 }, "\(seconds)")
        // 1,000 sessions need up to eleven seconds, because the first second is not a full one.
        #expect(seconds.count <= 11, "\(seconds)")
        budget.forgetPast(at: Instant(milliseconds: 60_000))
        let due = Instant(milliseconds: 60_000)
        #expect(budget.takePlace(at: due, perSecondMax: 100) == due)
    }

    @Test(
        "Nodes that take shares of a budget let at most as many sessions refresh as one node",
        arguments: [1, 5, 100])
    func shares(perSecondMax: Int) {
        let shares: [Double] = [0.5, 0.3, 0.2]
        let (seconds, start) = (120, Instant(milliseconds: 1_000_000))
        var begun = 0
        for share in shares {
            var budget = RefreshBudget()
            var last = start
            var bySecond: [Int64: Int] = [:]
            while last < start.advanced(byMilliseconds: Double(seconds) * 1000) {
                last = budget.takePlace(at: start, perSecondMax: perSecondMax, share: share)
                bySecond[last.microseconds / 1_000_000, default: 0] += 1
                begun += 1
            }
            let most = max(1, Double(perSecondMax) * share)
            #expect(bySecond.values.allSatisfy { Double($0) <= most })
        }
        // The place after the last second, and the one at the first, may be too many for each node.
        let most = perSecondMax * seconds + 2 * shares.count
        #expect((most * 7 / 10...most).contains(begun), "\(begun)")
    }

    @Test("However small its share is, a node lets a session refresh in each minute")
    func smallShare() {
        var budget = RefreshBudget()
        let due = Instant(milliseconds: 30_500)
        let starts = (0..<3).map { _ in
            budget.takePlace(at: due, perSecondMax: 1, share: .leastNonzeroMagnitude).milliseconds
        }
        #expect(starts == [60_000, 120_000, 180_000])
    }

    // MARK: Sessions of a daemon

    private static let refreshes = #","top":{"changes":"visible"}"#

    /// Connects a client whose view refreshes after changes.
    private static func client(of fixture: HostFixture, on loop: Int) -> (HostClient, JSONValue) {
        let client = fixture.connect(to: loop)
        let view = HostClient.view().dropLast() + refreshes + "}"
        let welcome = client.send(#"{"type":"hello","protocol":1,"views":[\#(view)]}"#).first
        return (client, welcome ?? .null)
    }

    private static func fixture(_ policy: FeedPolicy.Changes, sessions: Int) -> HostFixture {
        let fixture = HostFixture(loops: 2)
        fixture.directory.applyChangePolicies(["songs": policy])
        for number in 0..<sessions { _ = client(of: fixture, on: number % 2) }
        return fixture
    }

    @Test("Sessions begin their refreshes during the whole spread time. No refresh begins later")
    func sessions() {
        let fixture = Self.fixture(Self.policy(spreadMs: 4000), sessions: 200)
        fixture.directory.feedChanged(FeedChange("songs"))
        fixture.settle()
        #expect(fixture.dispatcher.started.count < 5)
        var counts: [Int] = []
        for _ in 0..<4 {
            let before = fixture.dispatcher.started.count
            fixture.pass(milliseconds: 1000)
            counts.append(fixture.dispatcher.started.count - before)
        }
        #expect(fixture.dispatcher.started.count == 200)
        #expect(counts.allSatisfy { (25...80).contains($0) }, "\(counts)")
    }

    @Test("A budget applies to the sessions of all loops together")
    func budgetOfLoops() {
        let fixture = Self.fixture(Self.policy(perSecondMax: 10), sessions: 50)
        fixture.directory.feedChanged(FeedChange("songs"))
        fixture.settle()
        var counts: [Int] = []
        for _ in 0..<6 {
            let before = fixture.dispatcher.started.count
            fixture.pass(milliseconds: 1000)
            counts.append(fixture.dispatcher.started.count - before)
        }
        #expect(fixture.dispatcher.started.count == 50)
        #expect(counts.allSatisfy { $0 <= 11 }, "\(counts)")
    }

    @Test("The share of a node applies to the feeds that the nodes share, and to no others")
    func shareOfFeeds() {
        for (feeds, most) in [(["songs"], 3), (["mail"], 11)] as [(Set<String>, Int)] {
            let fixture = Self.fixture(Self.policy(perSecondMax: 10), sessions: 12)
            fixture.directory.applyRefreshShare(0.2, of: feeds)
            fixture.directory.feedChanged(FeedChange("songs"))
            fixture.settle()
            var counts: [Int] = []
            for _ in 0..<7 {
                let before = fixture.dispatcher.started.count
                fixture.pass(milliseconds: 1000)
                counts.append(fixture.dispatcher.started.count - before)
            }
            #expect(fixture.dispatcher.started.count == 12, "\(feeds)")
            #expect(counts.allSatisfy { $0 <= most }, "\(counts)")
        }
    }

    @Test("New policies apply to the next change, and the sessions that wait keep their time")
    func reloaded() {
        let fixture = Self.fixture(Self.policy(spreadMs: 4000), sessions: 20)
        fixture.directory.feedChanged(FeedChange("songs"))
        fixture.settle()
        fixture.directory.applyChangePolicies([:])
        fixture.pass(milliseconds: 4000)
        #expect(fixture.dispatcher.started.count == 20)
        let late = Self.client(of: fixture, on: 0)
        fixture.directory.feedChanged(FeedChange("songs"))
        fixture.settle()
        #expect(fixture.dispatcher.started.count == 21)
        late.0.hangUp()
    }

    @Test("A delayed refresh also begins after a lost connection or a move to another loop")
    func moved() {
        for resumes in [false, true] {
            let fixture = HostFixture(loops: 2)
            fixture.directory.applyChangePolicies(["songs": Self.policy(spreadMs: 4000)])
            let (client, welcome) = Self.client(of: fixture, on: 0)
            fixture.directory.feedChanged(FeedChange("songs"))
            fixture.settle()
            #expect(fixture.dispatcher.started.isEmpty)
            client.hangUp()
            if resumes {
                let received = fixture.connect(to: 1).resume(welcome)
                #expect(received.first?["resumed"]?.bool == true)
                #expect(fixture.dispatcher.started.isEmpty)
            }
            fixture.pass(milliseconds: 4000)
            #expect(fixture.dispatcher.started.count == 1, "\(resumes)")
        }
    }

    @Test("A change that arrives while a session moves is delayed too, and not lost")
    func missed() {
        let fixture = HostFixture(loops: 2)
        fixture.directory.applyChangePolicies(["songs": Self.policy(spreadMs: 4000)])
        let (client, welcome) = Self.client(of: fixture, on: 0)
        client.hangUp()
        let second = fixture.connect(to: 1)
        second.feed(
            #"{"type":"hello","protocol":1,\#(HostClient.resumeMember(welcome))}"#)
        // These jobs search for the session and hand it over.
        fixture.loops[1].runOne(at: fixture.now)
        fixture.loops[0].runOne(at: fixture.now)
        fixture.directory.feedChanged(FeedChange("songs"))
        fixture.settle()
        #expect(fixture.dispatcher.started.isEmpty)
        fixture.pass(milliseconds: 4000)
        #expect(fixture.dispatcher.started.count == 1)
    }
}
