import Glibc
import RefreshBroker
import RefreshProtocol
import Synchronization

/// Measures the CPU time that the broker adds to a load, from the call of `start` to the end of the
/// load. The backend answers at once.
///
/// All requests differ, so the broker calls the backend once for each load. As many loads run at
/// the same time as in a busy daemon (`underWay`). The CPU time is that of the whole process,
/// including the threads that run Swift tasks.
struct BrokerBenchmark {
    private static let loads = 50_000
    private static let warmUp = 5_000
    private static let underWay = 64

    /// Counts the loads that have ended, so that `load` can wait while too many loads run.
    private final class Tally: Sendable {
        private let ended = Atomic<Int>(0)

        var count: Int { ended.load(ordering: .acquiring) }

        func add(_ waiters: Int) { ended.add(waiters, ordering: .releasing) }
    }

    /// Returns the CPU time of a load in microseconds, over all threads.
    static func run() throws -> Double {
        let page = Page(items: Array("[1]".utf8), count: 1)
        let tally = Tally()
        let broker = Broker<Int>(
            plan: BrokerPlan(feeds: ["list": .init(InstantBackend(page: page), group: "list")]),
            seed: 1, itemHash: SipHash(key: 1, 2)
        ) { waiters, news in
            guard case .ended(.page) = news else { return }
            tally.add(waiters.count)
        }
        defer { broker.stop() }
        load(0..<warmUp, broker, tally)
        let before = processCPU
        load(warmUp..<(warmUp + loads), broker, tally)
        let microseconds = processCPU - before
        guard broker.counters.feeds["list"]?.started == warmUp + loads else {
            throw BenchmarkError.unexpected("some loads were shared")
        }
        return microseconds / Double(loads)
    }

    private static func load(_ numbers: Range<Int>, _ broker: Broker<Int>, _ tally: Tally) {
        for number in numbers {
            broker.start(
                BrokerRequest(
                    LoadRequest(
                        feed: "list", kind: .more, page: number, offset: number * 20, size: 20),
                    idempotencyKey: "0123456789abcdef-1.1"),
                for: number, deadlineMs: 30_000)
            while tally.count < number + 1 - underWay { usleep(20) }
        }
        while tally.count < numbers.upperBound { usleep(20) }
    }

    private static var processCPU: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
