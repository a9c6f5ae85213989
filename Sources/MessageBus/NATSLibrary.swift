internal import CNATS
internal import Glibc

/// The parts of libnats that all connections of the process share.
enum NATSLibrary {
    /// The result of the library's start, which happens once. It creates threads that exist until
    /// the process ends.
    static let status: natsStatus = withSignalsBlocked { nats_Open(-1) }

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
