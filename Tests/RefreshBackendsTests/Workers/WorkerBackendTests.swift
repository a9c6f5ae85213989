import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBackends

/// The backend `worker` with simulated workers in memory.
@Suite("worker", .limit)
struct WorkerBackendTests {
    private let notices = FeedNotices()
    private let backend: WorkerBackend

    init() throws {
        backend = try WorkerBackend(
            WorkerOptions(feeds: ["songs", "films"]), notices: notices)
    }

    private func join(
        _ channel: ScriptedChannel, _ feeds: Set<String> = ["songs"], capacity: Int = 1
    ) {
        channel.worker = backend.register(channel, feeds: feeds, capacity: capacity)
    }

    private func load(_ id: UInt64, _ feed: String = "songs", withinMs: Double = 20_000)
        async throws(LoadFailure) -> String
    {
        let request = LoadRequest(feed: feed, kind: .refresh, page: 1, offset: 0, size: 10)
        let page = try await backend.load(
            BackendCall(
                id: CallID(id), request, idempotencyKey: "k",
                deadline: MonotonicTime.now.advanced(byMilliseconds: withinMs)))
        return String(decoding: page.items, as: UTF8.self)
    }

    private func code(_ id: UInt64, withinMs: Double = 20_000) async -> FaultCode? {
        do throws(LoadFailure) {
            _ = try await load(id, withinMs: withinMs)
            return nil
        } catch {
            return error.code
        }
    }

    /// Returns a worker that answers each load with the number of its attempt.
    private func answering() -> ScriptedChannel {
        ScriptedChannel { [backend] channel, message in
            guard message["type"]?.string == "load", let worker = channel.worker,
                let id = message["id"]?.string.flatMap({ CallID(wire: $0) }),
                let attempt = message["attempt"]?.number
            else { return }
            let items = "[\(Int(attempt))]"
            backend.handle(
                .page(id, Page(items: Array(items.utf8), count: 1)), from: worker)
        }
    }

    private func wait(until condition: () -> Bool) async throws {
        for _ in 0..<30_000 * patience {
            if condition() { return }
            try await Task.sleep(for: .milliseconds(2))
        }
        Issue.record("the condition was not met in time")
    }

    @Test("A load is sent to a worker, and the worker's page is returned")
    func page() async throws {
        let worker = answering()
        join(worker)
        #expect(try await load(1) == "[1]")
        #expect(worker.state.messages.count == 1)
        #expect(worker.state.messages[0].hasPrefix(#"{"type":"load","id":"1","key":"k","#))
    }

    @Test("A load waits until a worker of its feed joins")
    func waits() async throws {
        async let items = load(1)
        try await wait { backend.counters.waiting == 1 }
        join(answering(), ["films"])
        try await wait { backend.counters.workers == 1 }
        #expect(backend.counters.waiting == 1)
        join(answering(), ["songs"])
        #expect(try await items == "[1]")
    }

    @Test("Without a worker, a load fails with backendUnavailable before its deadline")
    func unavailable() async throws {
        join(answering(), ["films"])
        #expect(await code(1, withinMs: 60) == .backendUnavailable)
    }

    @Test("If the worker does not answer, the load times out, and the worker receives cancel")
    func timesOut() async throws {
        let worker = ScriptedChannel()
        join(worker)
        #expect(await code(1, withinMs: 60) == .backendTimedOut)
        try await wait { worker.state.messages.last == #"{"type":"cancel","id":"1"}"# }
    }

    @Test("A load of a lost worker is sent to a second worker, and fails if this one is lost too")
    func lost() async throws {
        let (first, second) = (ScriptedChannel(), ScriptedChannel())
        join(first, capacity: 2)
        async let one = code(1)
        async let two = code(2)
        try await wait { first.state.messages.count == 2 }
        join(second, capacity: 2)
        backend.handleLoss(of: try #require(first.worker))
        try await wait { second.state.messages.count == 2 }
        #expect(second.state.messages.allSatisfy { $0.contains(#""attempt":2"#) })
        #expect(second.state.messages.allSatisfy { $0.contains(#""key":"k""#) })
        backend.handleLoss(of: try #require(second.worker))
        #expect(await [one, two] == [.backendFailed, .backendFailed])
        #expect(backend.counters.reissued == 2)
    }

    @Test("A worker that sends an invalid message is rejected, and its load fails")
    func refused() async throws {
        let worker = ScriptedChannel()
        join(worker)
        async let answer = code(1)
        try await wait { worker.state.messages.count == 1 }
        backend.handle(
            WorkerMessageFault(.tooLong(max: 1024)), from: try #require(worker.worker))
        #expect(await answer == .backendAnswerTooLarge)
        try await wait { worker.state.fault == WorkerMessageFault(.tooLong(max: 1024)) }
        #expect(backend.counters.workers == 0)
    }

    @Test("If a load is cancelled, it returns at once, and its worker receives cancel")
    func cancelled() async throws {
        let worker = ScriptedChannel()
        join(worker)
        let task = Task { await code(1) }
        try await wait { worker.state.messages.count == 1 }
        task.cancel()
        _ = await task.value
        try await wait { worker.state.messages.count == 2 }
        #expect(worker.state.messages.last == #"{"type":"cancel","id":"1"}"#)
    }

    @Test("A load whose task was cancelled before its start is not sent to a worker")
    func cancelledBefore() async throws {
        let worker = ScriptedChannel()
        join(worker)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await code(1)
        }
        task.cancel()
        _ = await task.value
        _ = await code(2, withinMs: 50)
        #expect(!worker.state.messages.contains { $0.contains(#""id":"1""#) })
    }

    @Test("A worker's progress and feed changes are reported")
    func reports() async throws {
        let changedFeeds = Mutex<[String]>([])
        notices.setListener { change in changedFeeds.withLock { $0.append(change.feed) } }
        let worker = ScriptedChannel()
        join(worker)
        let steps = Mutex<[Double]>([])
        let request = LoadRequest(feed: "songs", kind: .refresh, page: 1, offset: 0, size: 10)
        let call = BackendCall(id: CallID(1), request) { step in
            steps.withLock { $0.append(step) }
        }
        async let page = backend.load(call)
        try await wait { worker.state.messages.count == 1 }
        let id = try #require(worker.worker)
        backend.handle(.changed(FeedChange("songs")), from: id)
        backend.handle(.progress(CallID(1), 0.5), from: id)
        backend.handle(.page(CallID(1), Page(items: [], count: 0)), from: id)
        #expect(try await page.count == 0)
        #expect(steps.withLock { $0 } == [0.5])
        #expect(changedFeeds.withLock { $0 } == ["songs"])
    }

    @Test("Stop fails all loads and sends bye, and later loads and workers are refused")
    func stop() async throws {
        let worker = ScriptedChannel()
        join(worker)
        async let answer = code(1)
        try await wait { worker.state.messages.count == 1 }
        backend.stop()
        #expect(await answer == .backendFailed)
        #expect(worker.state.last == #"{"type":"bye"}"#)
        #expect(await code(2) == .backendFailed)
        let late = ScriptedChannel()
        join(late)
        #expect(late.state.last == #"{"type":"bye"}"#)
        backend.stop()
    }

    @Test("A second load with the same id is refused, and the first load continues")
    func sameName() async throws {
        let worker = ScriptedChannel()
        join(worker)
        async let first = code(1)
        try await wait { worker.state.messages.count == 1 }
        #expect(await code(1) == .backendFailed)
        backend.handle(
            .failed(CallID(1), LoadFailure(.backendBusy, "")), from: try #require(worker.worker))
        #expect(await first == .backendBusy)
    }

    @Test("Ten thousand loads on three workers all return a page")
    func many() async throws {
        for capacity in [1, 5, 20] { join(answering(), capacity: capacity) }
        let ended = await withTaskGroup(of: Bool.self) { group in
            for id in 1...10_000 { group.addTask { (try? await load(UInt64(id))) != nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(ended == 10_000)
        try await wait { backend.counters.running == 0 }
    }

    @Test("The error for an invalid option contains its key")
    func options() {
        func mistake(_ options: WorkerOptions) -> String? {
            do throws(BackendConfigurationError) {
                try options.check()
                return nil
            } catch {
                return error.key
            }
        }
        var options = WorkerOptions(feeds: ["a"])
        #expect(mistake(options) == nil)
        options.lineBytesMax = 1023
        #expect(mistake(options) == "lineBytesMax")
        #expect(mistake(WorkerOptions(feeds: [])) == "feeds")
    }
}
