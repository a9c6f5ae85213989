internal import CNATS
internal import Glibc

/// The parts of libnats that all connections of the process share.
enum NATSLibrary {
    /// The result of the library's start, which happens once. It creates threads that exist until
    /// the process ends.
    static let status: natsStatus = withSignalsBlocked { asBatch { nats_Open(-1) } }

    /// `SCHED_BATCH` of linux/sched.h, which the module of the C library does not have.
    private static let batchPolicy: Int32 = 3

    /// Runs `body` with the policy `SCHED_BATCH`, so that threads that it creates have it. If such
    /// a thread is woken, it does not interrupt the thread that has woken it: libnats wakes one for
    /// each message that is released. Source: sched(7).
    static func asBatch<Result>(_ body: () -> Result) -> Result {
        let policy = sched_getscheduler(0)
        var parameters = sched_param()
        // An operator may have chosen another policy.
        guard policy == SCHED_OTHER,
            unsafe sched_setscheduler(0, batchPolicy, &parameters) == 0
        else { return body() }
        defer { _ = unsafe sched_setscheduler(0, policy, &parameters) }
        return body()
    }

    /// Runs `body` with all signals blocked, so that threads that it creates block them. A signal
    /// for the process must not reach a thread of libnats.
    private static func withSignalsBlocked<Result>(_ body: () -> Result) -> Result {
        var previous = sigset_t()
        let isBlocked = blockSignals(&previous)
        let result = body()
        if isBlocked { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return result
    }

    /// The signal that interrupts a call of the system on a thread that allows this. It has no
    /// other effect.
    static let interruption = SIGURG

    private static let isHandled: Void = {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { _ in }
        unsafe sigaction(interruption, &action, nil)
    }()

    /// Allows the interruption of the calling thread.
    static func allowInterruption() {
        isHandled
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, interruption)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Blocks all signals for the calling thread, and for the threads that it creates.
    @discardableResult
    static func blockSignals(_ previous: inout sigset_t) -> Bool {
        var all = sigset_t()
        unsafe sigfillset(&all)
        return unsafe pthread_sigmask(SIG_SETMASK, &all, &previous) == 0
    }
}
