internal import Glibc
package import RefreshProtocol

/// A thread of the daemon that runs one closure to its end.
package final class ServiceThread: Sendable {
    private let thread: pthread_t

    /// Starts a thread that runs `body`. Returns nil if the system cannot create a thread.
    ///
    /// When a thread with `isBatch` is woken, it does not interrupt a thread that runs on the same
    /// core. It then finds several messages in its mailbox, and the cores change less often between
    /// threads. If a core is idle, there is no difference. Source: sched(7), `SCHED_BATCH`.
    package init?(isBatch: Bool = false, _ body: @escaping @Sendable () -> Void) {
        let start = Start {
            if isBatch { Self.setBatch() }
            body()
        }
        var thread: pthread_t = 0
        let status = unsafe pthread_create(
            &thread, nil, serviceThreadMain, Unmanaged.passRetained(start).toOpaque())
        guard status == 0 else {
            unsafe Unmanaged.passUnretained(start).release()
            return nil
        }
        self.thread = thread
    }

    /// `SCHED_BATCH` of linux/sched.h, which the module of the C library does not have.
    private static let batchPolicy: Int32 = 3

    /// Changes the scheduling of the calling thread, unless the operator has chosen another policy.
    private static func setBatch() {
        guard sched_getscheduler(0) == SCHED_OTHER else { return }
        var parameters = sched_param()
        _ = unsafe sched_setscheduler(0, batchPolicy, &parameters)
    }

    /// Whether the caller is running on this thread.
    package var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

    /// Waits until the closure has returned. This method must be called only once, and never on
    /// this thread itself.
    package func join() { pthread_join(thread, nil) }

    /// Detaches the thread, which then ends without being joined. Call either this method or
    /// `join`.
    package func detach() { pthread_detach(thread) }

    fileprivate final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

private func serviceThreadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    let start = unsafe Unmanaged<ServiceThread.Start>.fromOpaque(argument).takeRetainedValue()
    start.body()
    return nil
}

/// The system's monotonic clock. The broker and the backends use it for their own deadlines.
package enum MonotonicTime {
    /// The current time, in microseconds since a point in the past that is fixed while the system
    /// runs. It never goes back, and setting the wall clock does not change it. Any thread may read
    /// it.
    package static var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
