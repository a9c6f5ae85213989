import Synchronization
import Testing

@testable import RefreshBroker

@Suite("The way of a change from a backend to the views")
struct FeedNoticesTests {
    /// The lowest address of the stack that a listener was called at, and how often it was called.
    private final class Heard: Sendable {
        let lowest = Mutex(UInt.max)
        let count = Mutex(0)

        func hear() {
            var mark = 0
            let address = unsafe withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
            lowest.withLock { $0 = min($0, address) }
            count.withLock { $0 += 1 }
        }
    }

    @Test("The hundred thousandth change takes no more of the stack than the first")
    func depth() {
        let notices = FeedNotices()
        let heard = Heard()
        notices.setListener { _ in heard.hear() }
        notices.reportFeedChange("list")
        let first = heard.lowest.withLock { $0 }
        for change in 2...100_000 {
            notices.reportFeedChange("list")
            let depth = first - heard.lowest.withLock { $0 }
            if depth > 4096 {
                Issue.record("change \(change) takes \(depth) bytes more than the first")
                return
            }
        }
        #expect(heard.count.withLock { $0 } == 100_000)
    }

    @Test("Who listens last is told, and before anybody listens nobody is")
    func listeners() {
        let notices = FeedNotices()
        let first = Heard()
        let second = Heard()
        notices.reportFeedChange("list")
        notices.setListener { _ in first.hear() }
        notices.reportFeedChange("list")
        notices.setListener { _ in second.hear() }
        notices.reportFeedChange("list")
        #expect(first.count.withLock { $0 } == 1 && second.count.withLock { $0 } == 1)
    }
}
