import RefreshBackends
import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Metrics of backends")
struct BackendMetricsTests {
    /// A backend of which every other call fails.
    private final class AlternatingBackend: Backend {
        func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
            if call.attempt.isMultiple(of: 2) { throw LoadFailure(.backendFailed, "no") }
            return Page(items: Array("[]".utf8), count: 0)
        }
    }

    static func counters() -> BrokerCounters {
        var counters = BrokerCounters()
        var feed = FeedTally()
        feed.started = 11
        feed.joined = 12
        feed.refused = 13
        feed.hits.fresh = 14
        feed.hits.stale = 15
        feed.hits.failure = 16
        feed.hits.coolDown = 17
        feed.revalidations = 18
        counters.feeds = ["songs": feed]
        var shop = BackendTally()
        shop.retries = 21
        shop.retriesRefused = 22
        shop.breaker = .open
        shop.timesOpened = 23
        shop.suspended = 24
        shop.callsInFlight = 25
        shop.queued = 26
        shop.shed = 27
        var probed = BackendTally()
        probed.breaker = .halfOpen
        counters.backends = ["shop": shop, "probed": probed, "a\"b": BackendTally()]
        counters.lateAnswers = 31
        counters.lateProgress = 32
        counters.waiters = 33
        counters.cacheEntries = 34
        counters.cacheBytes = 35
        return counters
    }

    static func workers() -> [MeasuredWorkers] {
        var processes = WorkerCounters()
        processes.workers = 2
        processes.waiting = 41
        processes.running = 42
        processes.joined = 5
        processes.lateAnswers = 43
        processes.reissued = 44
        processes.dismissed = 45
        let connected = WorkerCounters()
        return [
            MeasuredWorkers(name: "library", kind: .exec, processes: 2) { [processes] in processes
            },
            MeasuredWorkers(name: "worker", kind: .worker) { connected },
        ]
    }

    static func lines(_ page: MetricsPage) -> Set<String> {
        Set(page.text.split(separator: "\n").map(String.init))
    }

    @Test(
        "Each count of the broker and of the workers has its own metric family",
        arguments: [
            "refreshd_backend_calls_total{feed=\"songs\"} 11",
            "refreshd_backend_calls_joined_total{feed=\"songs\"} 12",
            "refreshd_backend_calls_refused_total{feed=\"songs\"} 13",
            "refreshd_backend_calls_ended_total{feed=\"songs\",result=\"timedOut\"} 0",
            "refreshd_cache_hits_total{feed=\"songs\",answer=\"fresh\"} 14",
            "refreshd_cache_hits_total{feed=\"songs\",answer=\"stale\"} 15",
            "refreshd_cache_hits_total{feed=\"songs\",answer=\"failure\"} 16",
            "refreshd_cache_hits_total{feed=\"songs\",answer=\"coolDown\"} 17",
            "refreshd_cache_revalidations_total{feed=\"songs\"} 18",
            "refreshd_backend_retries_total{backend=\"shop\"} 21",
            "refreshd_backend_retries_refused_total{backend=\"shop\"} 22",
            "refreshd_backend_breaker_state{backend=\"shop\"} 2",
            "refreshd_backend_breaker_state{backend=\"probed\"} 1",
            "refreshd_backend_breaker_state{backend=\"a\\\"b\"} 0",
            "refreshd_backend_breaker_openings_total{backend=\"shop\"} 23",
            "refreshd_backend_suspended_total{backend=\"shop\"} 24",
            "refreshd_backend_calls_in_flight{backend=\"shop\"} 25",
            "refreshd_backend_queued{backend=\"shop\"} 26",
            "refreshd_backend_shed_total{backend=\"shop\"} 27",
            "refreshd_backend_late_answers_total 31",
            "refreshd_backend_late_progress_total 32",
            "refreshd_backend_waiters 33",
            "refreshd_cache_entries 34",
            "refreshd_cache_bytes 35",
            "refreshd_workers{backend=\"library\",kind=\"exec\"} 2",
            "refreshd_workers{backend=\"worker\",kind=\"worker\"} 0",
            "refreshd_workers_joined_total{backend=\"library\",kind=\"exec\"} 5",
            "refreshd_worker_restarts_total{backend=\"library\",kind=\"exec\"} 3",
            "refreshd_worker_loads_waiting{backend=\"library\",kind=\"exec\"} 41",
            "refreshd_worker_loads_running{backend=\"library\",kind=\"exec\"} 42",
            "refreshd_worker_late_answers_total{backend=\"library\",kind=\"exec\"} 43",
            "refreshd_worker_loads_reissued_total{backend=\"library\",kind=\"exec\"} 44",
            "refreshd_workers_dismissed_total{backend=\"library\",kind=\"exec\"} 45",
        ])
    func family(line: String) {
        let page = MetricsPage(
            loops: [LoopMetrics().snapshot], broker: Self.counters(), workers: Self.workers(),
            startSeconds: 0)
        #expect(Self.lines(page).contains(line))
        let restarts = "refreshd_worker_restarts_total{backend=\"worker\""
        #expect(
            !page.text.contains(restarts),
            "the metrics count restarts of workers that connect by themselves")
    }

    @Test("The duration of every call is measured by backend, whatever its outcome")
    func durations() async throws {
        let shop = MeasuredBackend(name: "shop", kind: .http)
        let idle = MeasuredBackend(name: "idle", kind: .file)
        let backend = TimedBackend(AlternatingBackend(), durations: shop.durations)
        for attempt in 1...4 {
            let request = LoadRequest(feed: "a", kind: .refresh, page: 1, offset: 0, size: 1)
            _ = try? await backend.load(BackendCall(request, attempt: attempt))
        }
        let lines = Self.lines(
            MetricsPage(
                loops: [LoopMetrics().snapshot], backends: [shop, idle], startSeconds: 0))
        #expect(
            lines.contains("refreshd_backend_call_duration_seconds_count{backend=\"shop\"} 4"))
        #expect(
            lines.contains("refreshd_backend_call_duration_seconds_count{backend=\"idle\"} 0"))
        #expect(shop.durations.snapshot.counts.reduce(0, +) == 4)
    }

    @Test(
        "A duration is counted in the first bucket that contains it",
        arguments: [
            (Int64(0), 0), (1000, 0), (1001, 1), (60_000_000, 14), (60_000_001, 15),
        ])
    func buckets(microseconds: Int64, bucket: Int) {
        let durations = CallDurations()
        durations.add(microseconds: microseconds)
        durations.add(microseconds: 1_000_000)
        var expected = CallDurations.Snapshot()
        expected.counts[bucket] += 1
        expected.counts[9] += 1
        expected.sumMicroseconds = Int(microseconds) + 1_000_000
        #expect(durations.snapshot == expected)
        let backend = MeasuredBackend(name: "b", kind: .demo, durations: durations)
        let lines = Self.lines(
            MetricsPage(loops: [LoopMetrics().snapshot], backends: [backend], startSeconds: 0))
        let infinite = "refreshd_backend_call_duration_seconds_bucket{backend=\"b\",le=\"+Inf\"} 2"
        #expect(lines.contains(infinite))
        let second = bucket <= 9 ? 2 : 1
        #expect(
            lines.contains(
                "refreshd_backend_call_duration_seconds_bucket{backend=\"b\",le=\"1\"} \(second)"))
    }
}
