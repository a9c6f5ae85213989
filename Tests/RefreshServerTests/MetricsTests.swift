import RefreshProtocol
import Testing
import WebSocketTransport

@testable import RefreshServer
@testable import RefreshSession

@Suite("Metrics")
struct MetricsTests {
    static let feeds = [
        MeasuredFeed(name: "packages", kind: "demo"),
        MeasuredFeed(name: "a\"b", kind: "http"),
    ]

    @Test("Each event is counted only in its own metric")
    func counts() {
        let metrics = SessionMetrics(feeds: Self.feeds)
        var expected = SessionCounts(feeds: [.client] + Self.feeds + [.other])
        #expect(metrics.snapshot == expected)

        metrics.recordReceived(bytes: 10)
        metrics.recordReceived(bytes: 5)
        metrics.recordSent(bytes: 7)
        metrics.recordSessionOpened()
        metrics.recordSessionOpened()
        metrics.recordSessionClosed()
        metrics.recordViewAttached()
        metrics.loads.recordLateAnswer()
        metrics.loads.recordLateAnswerWithoutSession()
        metrics.loads.recordLateAnswerWithoutSession()
        expected.messagesReceived = 2
        expected.bytesReceived = 15
        expected.messagesSent = 1
        expected.bytesSent = 7
        expected.sessionsOpened = 2
        expected.sessionsClosed = 1
        expected.viewsAttached = 1
        expected.lateAnswers = 1
        expected.lateAnswersWithoutSession = 2
        #expect(metrics.snapshot == expected)
        #expect(metrics.snapshot.sessions == 1)
    }

    @Test("Every fault, state and result has its own row")
    func rows() {
        let metrics = SessionMetrics(feeds: Self.feeds)
        for (index, code) in FaultCode.allCases.enumerated() {
            for _ in 0...index { metrics.recordFault(code) }
        }
        for (index, state) in EdgeState.allCases.enumerated() {
            for _ in 0...index { metrics.recordTransition(to: state, at: .refresh) }
            for _ in 0...(index + 20) { metrics.recordTransition(to: state, at: .loadMore) }
        }
        for (index, result) in LoadResult.allCases.enumerated() {
            for _ in 0...index { metrics.loads.recordEnd(feed: nil, result: result) }
            for _ in 0...(index + 10) { metrics.loads.recordEnd(feed: "a\"b", result: result) }
        }
        metrics.loads.recordStart(feed: "packages")
        metrics.loads.recordStart(feed: "unannounced")
        let counted = metrics.snapshot
        #expect(FaultCode.allCases.map { counted.count(of: $0) } == Array(1...counted.faults.count))
        #expect(EdgeState.allCases.map { counted.count(of: $0, at: .refresh) } == Array(1...12))
        #expect(
            EdgeState.allCases.map { counted.count(of: $0, at: .loadMore) } == Array(21...32))
        #expect(LoadResult.allCases.map { counted.count(of: $0, feed: nil) } == Array(1...7))
        #expect(LoadResult.allCases.map { counted.count(of: $0, feed: "a\"b") } == Array(11...17))
        #expect(counted.count(of: .success, feed: "packages") == 0)
        #expect(counted.loadsStarted == [0, 1, 0, 1])
    }

    @Test(
        "A latency is counted in the first bucket that contains it",
        arguments: [(0, 0), (5, 0), (6, 1), (100, 4), (101, 5), (1_000_000, 15), (1_000_001, 16)])
    func buckets(latency: Int64, bucket: Int) {
        let metrics = SessionMetrics()
        metrics.recordUpdateLatency(microseconds: latency, count: 16)
        var expected = [Int](repeating: 0, count: LatencyBuckets.microseconds.count + 1)
        expected[bucket] = 16
        #expect(metrics.snapshot.latencies == expected)
        #expect(metrics.snapshot.latencySumMicroseconds == Int(latency) * 16)
        #expect(LatencyBuckets.microseconds == LatencyBuckets.microseconds.sorted())
    }

    /// Two loops with an event of each kind.
    private static func busyLoops() -> [LoopMetrics] {
        let loops = [LoopMetrics(feeds: Self.feeds), LoopMetrics(feeds: Self.feeds)]
        for loop in loops {
            loop.sessions.recordReceived(bytes: 100)
            loop.sessions.recordSessionOpened()
            loop.sessions.recordTransition(to: .refreshing, at: .refresh)
            loop.sessions.recordFault(.unknownView)
            loop.sessions.loads.recordStart(feed: "packages")
            loop.sessions.loads.recordEnd(feed: "packages", result: .success)
            loop.sessions.recordUpdateLatency(microseconds: 30)
        }
        loops[1].connections.recordUpgradeRefused(.originNotAllowed)
        loops[1].connections.recordUpgradeRefused(.outOfMemory)
        loops[0].connections.recordUpgradeRefused(status: 405)
        loops[1].connections.recordUpgradeRefused(status: 418)
        loops[0].connections.recordConnectionRefused(.headTimeout)
        loops[1].connections.recordConnectionRefused(.headTimeout)
        loops[1].connections.recordAcceptFailure(.files)
        loops[0].sessions.recordReadingPaused()
        loops[0].sessions.recordReadingPaused()
        loops[0].sessions.recordReadingResumed()
        loops[1].sessions.recordUpdateLatency(microseconds: 2_000_000)
        return loops
    }

    @Test("The page has the sums over the loops, in the text format")
    func page() {
        let loops = Self.busyLoops()
        let census = ConnectionCensus(
            connections: 9, networks: 4, busiestNetwork: 3, residentBytes: 4096)
        let text = MetricsPage(
            loops: loops.map(\.snapshot), census: census, startSeconds: 1.5
        ).text
        let lines = Set(text.split(separator: "\n").map(String.init))
        for line in [
            "refreshd_build_info{version=\"\(DaemonVersion.current)\"} 1",
            "process_start_time_seconds 1.5",
            "refreshd_loops 2",
            "refreshd_sessions 2",
            "refreshd_received_bytes_total 200",
            "refreshd_transitions_total{edge=\"refresh\",state=\"refreshing\"} 2",
            "refreshd_transitions_total{edge=\"loadMore\",state=\"noMore\"} 0",
            "refreshd_faults_total{code=\"unknownView\"} 2",
            "refreshd_loads_started_total{feed=\"packages\",kind=\"demo\"} 2",
            "refreshd_loads_total{feed=\"packages\",kind=\"demo\",result=\"success\"} 2",
            "refreshd_loads_total{feed=\"a\\\"b\",kind=\"http\",result=\"failed\"} 0",
            "refreshd_upgrades_refused_total{status=\"403\",reason=\"originNotAllowed\"} 1",
            "refreshd_upgrades_refused_total{status=\"503\",reason=\"outOfMemory\"} 1",
            "refreshd_upgrades_refused_total{status=\"405\",reason=\"notWellFormed\"} 1",
            "refreshd_upgrades_refused_total{status=\"other\",reason=\"notWellFormed\"} 1",
            "refreshd_connections 9",
            "refreshd_connection_addresses 4",
            "refreshd_connections_of_one_address 3",
            "process_resident_memory_bytes 4096",
            "refreshd_connections_refused_total{reason=\"headTimeout\"} 2",
            "refreshd_connections_refused_total{reason=\"turnedAway\"} 0",
            "refreshd_accept_failures_total{reason=\"files\"} 1",
            "refreshd_sessions_held_back 1",
            "refreshd_sessions_held_back_total 2",
            "# TYPE refreshd_update_latency_seconds histogram",
            "refreshd_update_latency_seconds_bucket{le=\"0.000025\"} 0",
            "refreshd_update_latency_seconds_bucket{le=\"0.00005\"} 2",
            "refreshd_update_latency_seconds_bucket{le=\"1\"} 2",
            "refreshd_update_latency_seconds_bucket{le=\"+Inf\"} 3",
            "refreshd_update_latency_seconds_sum 2.00006",
            "refreshd_update_latency_seconds_count 3",
            "refreshd_loop_sessions{loop=\"1\"} 1",
        ] {
            #expect(lines.contains(line), "missing: \(line)")
        }
        #expect(!text.contains("state=\"noMore\",edge=\"refresh\""))
        #expect(!text.contains("feed=\"other\""))
    }

    @Test("Every family is declared once, before its samples")
    func form() throws {
        let text = MetricsPage(loops: [LoopMetrics().snapshot], startSeconds: 0).text
        #expect(text.hasSuffix("\n"))
        var families: [String] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") {
                families.append(String(line.split(separator: " ")[2]))
            } else if !line.hasPrefix("#") {
                let name = line.prefix { $0 != "{" && $0 != " " }
                #expect(name.hasPrefix(try #require(families.last)))
                #expect(Double(try #require(line.split(separator: " ").last)) != nil)
            }
        }
        #expect(Set(families).count == families.count)
    }
}
