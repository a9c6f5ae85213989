import Dispatch
import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBackends

/// A disk queue is a backend's own thread for reading files.
@Suite("The disk queue", .limit)
struct DiskQueueTests {
    private final class Tally: Sendable {
        let count = Atomic<Int>(0)
    }

    @Test("Work that is cancelled before its turn is never run")
    func cancelled() async throws {
        let queue = DiskQueue(label: "test")
        let gate = DispatchSemaphore(value: 0)
        let isBusy = AsyncStream<Void>.makeStream()
        let done = Tally()
        let page = Page(items: Array("[]".utf8), count: 0)
        let first = Task {
            try await queue.run { _ throws(LoadFailure) -> Page in
                isBusy.continuation.yield()
                gate.wait()
                return page
            }
        }
        for await _ in isBusy.stream { break }
        let abandoned = (0..<50).map { _ in
            Task {
                try await queue.run { _ throws(LoadFailure) -> Page in
                    done.count.add(1, ordering: .relaxed)
                    return page
                }
            }
        }
        for task in abandoned { task.cancel() }
        gate.signal()
        #expect(try await first.value == page)
        for task in abandoned {
            await #expect(throws: LoadFailure.self) { try await task.value }
        }
        #expect(done.count.load(ordering: .relaxed) == 0)
    }

    @Test("When its task is cancelled, running work ends at its next check for cancellation")
    func cancelledWhileRunning() async throws {
        let queue = DiskQueue(label: "test")
        let isBusy = AsyncStream<Void>.makeStream()
        let task = Task {
            try await queue.run { flag throws(LoadFailure) -> Page in
                isBusy.continuation.yield()
                while true { try flag.checkCancellation() }
            }
        }
        for await _ in isBusy.stream { break }
        task.cancel()
        await #expect(throws: LoadFailure.self) { try await task.value }
        let page = Page(items: Array("[]".utf8), count: 0)
        #expect(try await queue.run { _ throws(LoadFailure) in page } == page)
    }
}
