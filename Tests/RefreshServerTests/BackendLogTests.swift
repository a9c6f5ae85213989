import Logging
import RefreshBackends
import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshServer

/// Collects log lines.
final class LogRecorder: Sendable {
    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }
                .map { " \($0.key)=\($0.value)" }
            let line = "\(event.level) \(event.message)" + values.joined()
            recorder.kept.withLock { $0.append(line) }
        }
    }

    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    var log: DaemonLog { DaemonLog(Logger(label: "test") { _ in Handler(recorder: self) }) }
}

@Suite("The log of backends")
struct BackendLogTests {
    @Test("The events and the output of a process are logged with the name of its backend")
    func processes() {
        let recorder = LogRecorder()
        for event in [
            ExecEvent.started(process: 7), .errorLine(process: 7, "hello\u{7}"),
            .errorLinesOmitted(process: 7, lines: 3),
            .dismissed(process: 7, reason: "a line too long"),
            .ended(process: 7, exitStatus: 2, signal: nil),
            .ended(process: 8, exitStatus: nil, signal: 9),
            .ended(process: 9, exitStatus: nil, signal: 64),
            .endedUnexpectedly(process: 10, exitStatus: nil, signal: 11, lastLine: nil),
            .endedUnexpectedly(process: 11, exitStatus: 1, signal: nil, lastLine: "no such list"),
            .startFailed("no such file"),
        ] {
            recorder.log(event, of: "library")
        }
        #expect(
            recorder.lines == [
                "info process started backend=library process=7",
                "debug worker said backend=library line=hello\u{7} process=7",
                "debug lines left out backend=library lines=3 process=7",
                "warning process dismissed backend=library process=7 reason=a line too long",
                "info process ended backend=library exitStatus=2 process=7",
                "info process ended backend=library process=8 signal=SIGKILL",
                "info process ended backend=library process=9 signal=64",
                "warning process died backend=library process=10 signal=SIGSEGV",
                "warning process died backend=library exitStatus=1 line=no such list process=11",
                "error process not started backend=library reason=no such file",
            ])
    }

    @Test("The opening and the closing of a breaker are logged")
    func breaker() {
        let recorder = LogRecorder()
        for state in [BreakerState.open, .halfOpen, .open, .halfOpen, .closed] {
            recorder.log(BreakerChange("shop", state))
        }
        #expect(
            recorder.lines == [
                "warning breaker opened backend=shop", "warning breaker opened backend=shop",
                "notice breaker closed backend=shop",
            ])
    }

    @Test("Every configured backend has its metrics before the first call")
    func configured() async throws {
        let backend = try ScriptBackend(ScriptOptions([ScriptStep(.hang)]))
        let plan = BrokerPlan(feeds: ["a": BrokerPlan.Feed(backend, group: "shop")])
        let broker = Broker<Int>(plan: plan, seed: 1, itemHash: SipHash(key: 1, 2)) { _, _ in }
        defer { broker.stop() }
        let end = ContinuousClock.now + .patient
        while broker.counters.backends.isEmpty, ContinuousClock.now < end { await Task.yield() }
        #expect(broker.counters.backends == ["shop": BackendTally()])
        #expect(broker.counters.feeds.isEmpty)
    }

    @Test("The broker reports when a breaker opens and when it closes")
    func broker() async throws {
        let backend = try ScriptBackend(
            ScriptOptions([ScriptStep(.fail(.backendFailed)), ScriptStep(.generate(1))]))
        var policy = BackendPolicy()
        policy.breaker.failures = 1
        policy.breaker.openMs = 1
        let plan = BrokerPlan(
            feeds: ["a": BrokerPlan.Feed(backend, group: "shop")], backends: ["shop": policy])
        let (changes, channel) = AsyncStream.makeStream(of: BreakerChange.self)
        let broker = Broker<Int>(plan: plan, seed: 1, itemHash: SipHash(key: 1, 2)) {
            channel.yield($0)
        } deliver: { _, _ in
        }
        defer { broker.stop() }
        let request = LoadRequest(feed: "a", kind: .refresh, page: 1, offset: 0, size: 1)
        var waiter = 0
        func load() {
            waiter += 1
            let brokerRequest = BrokerRequest(
                request, idempotencyKey: "\(waiter)", keptPages: .none)
            broker.start(brokerRequest, for: waiter, deadlineMs: 10_000)
        }
        load()
        var received: [BreakerChange] = []
        for await change in changes {
            received.append(change)
            if change.state == .closed { break }
            // After the open time of the breaker, one call is allowed.
            while broker.counters.backends["shop"]?.breaker == .open {
                load()
                await Task.yield()
            }
        }
        #expect(received.first == BreakerChange("shop", .open))
        #expect(received.last == BreakerChange("shop", .closed))
        #expect(broker.counters.backends["shop"]?.timesOpened == 1)
    }
}
