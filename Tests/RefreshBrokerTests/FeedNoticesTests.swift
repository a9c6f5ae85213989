import Synchronization
import Testing

@testable import RefreshBroker

/// A backend reports through `FeedNotices` that its feed has newer data.
@Suite("Feed change notices")
struct FeedNoticesTests {
    /// Records the number of calls of a listener, and the lowest stack address in these calls.
    private final class StackProbe: Sendable {
        let lowest = Mutex(UInt.max)
        let count = Mutex(0)

        func record() {
            var mark = 0
            let address = unsafe withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
            lowest.withLock { $0 = min($0, address) }
            count.withLock { $0 += 1 }
        }
    }

    @Test("The last of 100,000 changes uses no more stack than the first")
    func depth() {
        let notices = FeedNotices()
        let probe = StackProbe()
        notices.setListener { _ in probe.record() }
        notices.reportFeedChange(FeedChange("list"))
        let first = probe.lowest.withLock { $0 }
        for change in 2...100_000 {
            notices.reportFeedChange(FeedChange("list"))
            let depth = first - probe.lowest.withLock { $0 }
            if depth > 4096 {
                Issue.record("change \(change) uses \(depth) more bytes of stack than the first")
                return
            }
        }
        #expect(probe.count.withLock { $0 } == 100_000)
    }

    @Test("A change is reported to the latest listener only, and dropped without a listener")
    func listeners() {
        let notices = FeedNotices()
        let first = StackProbe()
        let second = StackProbe()
        notices.reportFeedChange(FeedChange("list"))
        notices.setListener { _ in first.record() }
        notices.reportFeedChange(FeedChange("list"))
        notices.setListener { _ in second.record() }
        notices.reportFeedChange(FeedChange("list"))
        #expect(first.count.withLock { $0 } == 1 && second.count.withLock { $0 } == 1)
    }
}
