internal import Dispatch
package import Testing

/// Runs every test of a suite on a thread of its own, for tests that compute long or wait without
/// giving their thread back.
///
/// The threads of tasks are as few as the machine has processors: two such tests on them would hold
/// up all others, whose deadlines pass meanwhile.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Executor()) { try await function() }
    }

    /// A serial queue: only those have a thread whatever others do.
    private final class Executor: TaskExecutor {
        private let queue = DispatchQueue(label: "test")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

extension Trait where Self == OwnThread {
    /// Every test on a thread of its own.
    package static var ownThread: Self { OwnThread() }
}
