import RefreshEngine
import RefreshProtocol
import Testing

/// Silent refreshes at an interval. Source: docs/protocol.md, "Polling".
@Suite("Polling")
struct PollTests {
    private static let interval = 9000.0...11_000.0

    /// A view that polls every ten seconds and whose first page is loaded.
    private static func tester(
        _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(
            .iq {
                $0.refresh?.pollMs = 10_000
                change(&$0)
            })
        tester.send(.connectionChanged(isConnected: true))
        tester.expectNothing()
        tester.loadFirstPage()
        return tester
    }

    private static func poll(_ number: Int) -> String {
        "load 1.\(number) refresh manual by poll, page 1 offset 0 size 10"
    }

    private static func wait(_ tester: borrowing EngineTester) -> Double {
        (tester.engine.nextDeadline ?? .never).milliseconds(since: tester.now)
    }

    @Test("A view polls silently, one interval after the end of its last refresh")
    func polls() {
        var tester = Self.tester()
        #expect(Self.interval.contains(Self.wait(tester)))
        tester.passDeadline()
        tester.expect(Self.poll(2))
        tester.expect(top: .idle)
        #expect(tester.engine.silentLoad == LoadID(2))
        tester.finish(2, .success, count: 10)
        tester.expect("list 10 and more", "end 1.2 refresh success")
        #expect(Self.interval.contains(Self.wait(tester)))
        tester.passDeadline()
        tester.expect(Self.poll(3))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    /// A view of two pages that shows the second one.
    private static func onSecondPage(
        _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = Self.tester(change)
        tester.keepPlace()
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.skip()
        var geometry = GeometryChange.sizes(content: 2000)
        geometry.offset = 1100
        tester.send(.geometryChanged(geometry))
        tester.skip()
        return tester
    }

    @Test("A poll that would remove visible pages waits until the list is at its start again")
    func awayFromStart() {
        var tester = Self.onSecondPage()
        tester.send(.timePassed, after: 12_000)
        tester.expectNothing()
        tester.scroll(.idle, 0)
        #expect(tester.take().contains(Self.poll(3)))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("After a change that is announced and causes no refresh, the view polls again")
    func cue() {
        var tester = Self.onSecondPage { $0.refresh?.changes = .silent }
        tester.send(.disappeared)
        tester.send(.timePassed, after: 12_000)
        tester.send(.feedChanged())
        tester.expect("newer")
        tester.send(.appeared)
        tester.expectNothing()
        #expect(Self.interval.contains(Self.wait(tester) + 16))
    }

    @Test("Without pollMs nothing is scheduled")
    func off() {
        var tester = Self.tester { $0.refresh?.pollMs = 0 }
        #expect(tester.engine.nextDeadline == nil)
        tester.send(.disappeared)
        tester.send(.appeared)
        tester.expectNothing()
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("A view that is never refreshed polls one interval after it is attached")
    func first() {
        var tester = EngineTester(.iq { $0.refresh?.pollMs = 10_000 })
        tester.send(.connectionChanged(isConnected: true))
        #expect(Self.interval.contains(Self.wait(tester)))
        tester.passDeadline()
        tester.expect(Self.poll(1))
        tester.send(.cancelRequested(nil))
        tester.skip()
    }

    @Test("Out of sight a view does not poll, and an overdue poll begins when it appears")
    func outOfSight() {
        var tester = Self.tester()
        tester.send(.disappeared)
        tester.passDeadline()
        tester.expectNothing()
        #expect(tester.engine.nextDeadline == nil)
        tester.send(.appeared, after: 60_000)
        tester.expect(Self.poll(2))
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("A view that appears before its poll is due keeps the time of the poll")
    func early() {
        var tester = Self.tester()
        let due = tester.engine.nextDeadline
        tester.send(.disappeared)
        tester.send(.appeared, after: 1000)
        tester.expectNothing()
        #expect(tester.engine.nextDeadline == due)
    }

    @Test("Without a connection a view does not poll, also if it appears")
    func disconnected() {
        var tester = Self.tester()
        tester.send(.disappeared)
        tester.send(.connectionChanged(isConnected: false))
        tester.passDeadline()
        tester.send(.appeared)
        tester.expectNothing()
        tester.send(.connectionChanged(isConnected: true))
        tester.expect(Self.poll(2))
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("A finger on the list delays a poll")
    func finger() {
        var tester = Self.tester { $0.gestureSilence = 60_000 }
        tester.scroll(.began, 300)
        tester.scroll(.dragging, 310)
        tester.send(.timePassed, after: 11_000)
        tester.expectNothing()
        tester.scroll(.ended, 310)
        tester.expect(Self.poll(2))
        tester.finish(2, .success, count: 10)
        tester.skip()
    }

    @Test("The load of a page delays a poll")
    func page() {
        var tester = Self.tester { $0.loadDeadline = 60_000 }
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(.timePassed, after: 11_000)
        tester.expectNothing()
        tester.finish(2, .success, count: 10)
        #expect(tester.take().last == Self.poll(3))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("A refresh replaces a poll that waits, and restarts the interval")
    func replaced() {
        var tester = Self.tester { $0.gestureSilence = 60_000 }
        tester.scroll(.began, 300)
        tester.send(.timePassed, after: 11_000)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.scroll(.ended, 300)
        tester.skip()
        #expect(tester.engine.silentLoad == nil)
        #expect(Self.interval.contains(Self.wait(tester) + 16))
    }

    @Test("A change of the feed replaces a poll that waits")
    func change() {
        var tester = Self.tester {
            $0.gestureSilence = 60_000
            $0.refresh?.changes = .silent
        }
        tester.scroll(.began, 300)
        tester.send(.timePassed, after: 11_000)
        tester.send(.feedChanged())
        tester.scroll(.ended, 300)
        tester.expect("load 1.2 refresh manual by changed, page 1 offset 0 size 10")
        tester.finish(2, .failed)
        #expect(tester.take().contains("newer"))
    }

    @Test("A failed poll reports no newer data. The interval doubles, to 16 times pollMs at most")
    func backOff() {
        var tester = Self.tester()
        for (index, factor) in [2.0, 4, 8, 16, 16].enumerated() {
            tester.passDeadline()
            tester.skip()
            tester.finish(UInt32(index + 2), .failed)
            tester.expect("end 1.\(index + 2) refresh failed")
            let wait = Self.wait(tester)
            #expect((9000 * factor...11_000 * factor).contains(wait), "\(index): \(wait)")
        }
        tester.passDeadline()
        tester.skip()
        tester.finish(7, .success, count: 10)
        tester.skip()
        #expect(Self.interval.contains(Self.wait(tester)))
    }

    @Test("The interval after a failure is at most an hour, unless pollMs is longer")
    func backOffMax() {
        for pollMs in [3_000_000, 3_600_000] as [UInt32] {
            var tester = Self.tester { $0.refresh?.pollMs = pollMs }
            tester.passDeadline()
            tester.skip()
            tester.finish(2, .failed)
            tester.skip()
            #expect((3_240_000...3_960_000).contains(Self.wait(tester)))
        }
    }

    @Test("A pollMs below 100 counts as 100")
    func shortest() {
        for pollMs in [1, 99, 100] as [UInt32] {
            let tester = Self.tester { $0.refresh?.pollMs = pollMs }
            #expect((90...110).contains(Self.wait(tester)))
        }
    }

    @Test("A pull takes over the load of a poll")
    func pulled() {
        var tester = Self.tester()
        tester.passDeadline()
        tester.skip()
        tester.send(.refreshRequested(cause: .code, animated: false))
        #expect(!tester.take().contains { $0.hasPrefix("load ") })
        tester.expect(top: .refreshing(LoadID(2)))
        tester.finish(2, .success, count: 10)
        tester.skip()
        #expect(Self.interval.contains(Self.wait(tester)))
    }

    @Test("Polls end if the edge is disabled or pollMs is 0. Enabling or a new pollMs begins them")
    func configured() {
        var tester = Self.tester()
        tester.send(.edgeEnabled(.refresh, false))
        tester.skip()
        #expect(tester.engine.nextDeadline == nil)
        tester.send(.edgeEnabled(.refresh, true))
        tester.skip()
        #expect(Self.interval.contains(Self.wait(tester)))
        var options = tester.engine.options
        options.refresh?.pollMs = 100_000
        tester.send(.edgesConfigured(refresh: options.refresh, loadMore: options.loadMore))
        #expect((90_000...110_000).contains(Self.wait(tester)))
        options.refresh?.pollMs = 0
        tester.send(.edgesConfigured(refresh: options.refresh, loadMore: options.loadMore))
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("Poll intervals differ from pollMs by at most 10 %, and are distributed evenly")
    func jitter() {
        var counts = [Int](repeating: 0, count: 10)
        for seed in UInt8.min ... .max {
            for generation in 1...40 as ClosedRange<UInt32> {
                var engine = Engine(
                    generation: generation, options: .iq { $0.refresh?.pollMs = 10_000 },
                    geometry: .sizes(), offset: nil)
                engine.setPollSeed(seed)
                var effects: [Effect] = []
                engine.handle(.connectionChanged(isConnected: true), at: .origin, into: &effects)
                let wait = (engine.nextDeadline ?? .never).milliseconds
                #expect((9000..<11_000).contains(wait))
                counts[max(0, min(9, Int((wait - 9000) / 200)))] += 1
            }
        }
        #expect(counts.allSatisfy { (900...1150).contains($0) }, "\(counts)")
    }
}
