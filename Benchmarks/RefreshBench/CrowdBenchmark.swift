import Foundation
import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// Measures the CPU time of one loop after the change of a feed that 10,000 sessions show. The
/// sessions refresh either all at once, or spread over five seconds of simulated time.
///
/// The sessions, their host (`SessionHost`) and its timers are those of the daemon. There are no
/// sockets and no backend: each load gets the same page at once.
struct CrowdBenchmark {
    private static let sessions = 10_000
    private static let seconds = 5
    private static let windowMs = 250
    private static let stepMs = 5

    /// Runs the benchmark. A window is a period of 250 ms of simulated time. Returns one JSON
    /// object with the mean CPU time of a window in microseconds, and the ratio of the largest CPU
    /// time of a window to the mean.
    static func run() throws -> String {
        let spread = try windows(spreadMs: seconds * 1000)
        let atOnce = try windows(spreadMs: 0)
        return """
            {"spread_host_peak_ratio": \(peakRatio(spread)), \
            "at_once_host_peak_ratio": \(peakRatio(atOnce)), \
            "spread_window_cpu_us": \(mean(spread) / 1000), \
            "at_once_window_cpu_us": \(mean(atOnce) / 1000)}
            """
    }

    private static func mean(_ windows: [Double]) -> Double {
        windows.reduce(0, +) / Double(windows.count)
    }

    private static func peakRatio(_ windows: [Double]) -> Double {
        (windows.max() ?? 0) / mean(windows)
    }

    /// Returns the CPU time of each window after the change, in nanoseconds.
    private static func windows(spreadMs: Int) throws -> [Double] {
        let crowd = try Crowd(sessions: sessions, spreadMs: spreadMs)
        var windows: [Double] = []
        crowd.change()
        for _ in 0..<(seconds * 1000 / windowMs) {
            let start = cpuNanoseconds
            for _ in 0..<(windowMs / stepMs) { crowd.advance(milliseconds: stepMs) }
            windows.append(cpuNanoseconds - start)
        }
        // Four further steps begin the refreshes that are due when the last window ends.
        for _ in 0..<4 { crowd.advance(milliseconds: stepMs) }
        guard crowd.answered == sessions else {
            throw BenchmarkError.unexpected("\(crowd.answered) sessions refreshed")
        }
        return windows
    }

    private static var cpuNanoseconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// A `SessionHost` with many sessions that show one feed. After a change of the feed, each session
/// refreshes with a visible indicator.
private final class Crowd {
    private let loop = CrowdLoop()
    private let loads = CrowdLoads()
    private let directory = LoopDirectory(seed: 7)
    private let host: SessionHost
    private var now = Instant(milliseconds: 1000)
    private var answer: Page
    private(set) var answered = 0

    init(sessions: Int, spreadMs: Int) throws {
        let items = (0..<20).map { #"{"id":\#($0),"title":"An item with a title of some length"}"# }
        answer = Page(items: Array("[\(items.joined(separator: ","))]".utf8), count: 20, more: true)
        var policy = FeedPolicy.Changes()
        policy.spreadMs = spreadMs
        directory.applyChangePolicies(["songs": policy])
        var bits: UInt64 = 0
        host = SessionHost(
            loop: loop, index: 0,
            services: SessionServices(
                limits: Limits(), feeds: [FeedDescription(name: "songs", style: .page, size: 20)],
                loads: loads, metrics: SessionMetrics(feeds: [])),
            directory: directory,
            draw: {
                bits += 1
                return bits.mixed
            })
        directory.register(host, index: 0)
        let hello = Array(
            #"{"type":"hello","protocol":1,"views":[{"view":"list","profile":"default","feed":"songs","top":{"changes":"visible"},"geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":4000}}}]}"#
                .utf8)
        for _ in 0..<sessions {
            let session = host.opened(CountingChannel(), at: now)
            _ = host.receive(hello.span, by: session, at: now)
        }
        advance(milliseconds: 1)
        guard loads.started.isEmpty else { throw BenchmarkError.unexpected("a view loaded") }
    }

    deinit { directory.close() }

    func change() { directory.feedChanged(FeedChange("songs")) }

    /// Advances the time, and answers each load that begins.
    func advance(milliseconds: Int) {
        now = now.advanced(byMilliseconds: Double(milliseconds))
        loop.runJobs(at: now)
        if loop.consumeWakeup(at: now) { host.wakeupFired(at: now) }
        let tickets = loads.started
        loads.started.removeAll(keepingCapacity: true)
        answered += tickets.count
        if !tickets.isEmpty {
            host.handleLoadEvent(.ended(.page(answer)), for: tickets[...], at: now)
        }
        loop.runJobs(at: now)
    }
}

private final class CrowdLoop: SessionLoop, @unchecked Sendable {
    private var jobs: [@Sendable (Instant) -> Void] = []
    private var wakeAt = Instant.never

    func run(_ job: @escaping @Sendable (Instant) -> Void) { jobs.append(job) }

    func scheduleWakeup(at moment: Instant) { wakeAt = min(wakeAt, moment) }

    func runJobs(at now: Instant) {
        while !jobs.isEmpty {
            let due = jobs
            jobs.removeAll()
            for job in due { job(now) }
        }
    }

    func consumeWakeup(at now: Instant) -> Bool {
        guard wakeAt <= now else { return false }
        wakeAt = .never
        return true
    }
}

private final class CrowdLoads: LoadDispatching {
    var started: [LoadTicket] = []

    func start(_ ticket: LoadTicket, _ wish: BrokerRequest, deadlineMs: Int) {
        started.append(ticket)
    }
    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {}
}
