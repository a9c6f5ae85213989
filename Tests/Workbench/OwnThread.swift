internal import Dispatch
package import Testing

/// Runs each test of a suite on its own thread. It is for tests that compute for a long time or
/// block their thread.
///
/// The thread pool of tasks has only as many threads as the machine has processors. Blocked threads
/// would delay all other tests, whose deadlines would then pass.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Executor()) { try await function() }
    }

    /// A serial queue, because only serial queues get a thread independently of other work.
    private final class Executor: TaskExecutor {
        private let queue = DispatchQueue(label: "test")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

extension Trait where Self == OwnThread {
    /// Runs each test on its own thread.
    package static var ownThread: Self { OwnThread() }
}
