internal import Glibc

/// The signals that the daemon handles. They are blocked in every thread, so they stay pending. One
/// thread waits for pending signals (`waitForNext`).
///
/// No other code handles these signals. libwebsockets installs signal handlers only if it has
/// created the libuv loop. In the daemon, `ServiceParts` creates the libuv loops.
enum Signals {
    /// The action that a signal requests.
    enum Request: Sendable {
        case stop(signal: Int32)
        case reload
    }

    private static let owned = [SIGTERM, SIGINT, SIGHUP]

    private static var set: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in owned { unsafe sigaddset(&set, signal) }
        return set
    }

    /// Blocks the signals for this thread and all threads that it starts. Must be called before any
    /// thread is started.
    ///
    /// SIGPIPE is ignored, because a peer that disconnects during a write must not end the daemon.
    /// SIGCHLD gets its default action, because the parent process can have started the daemon with
    /// SIGCHLD ignored. The kernel would then reap the backends' processes.
    static func block() {
        var set = set
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        signal(SIGCHLD, SIG_DFL)
    }

    /// Waits for the next signal. If `timeout` (in microseconds) is not nil, and no signal arrives
    /// within this time, returns nil.
    static func waitForNext(withinMicroseconds timeout: UInt64?) -> Request? {
        var set = set
        while true {
            let number: Int32
            if let timeout {
                var time = timespec(
                    tv_sec: Int(timeout / 1_000_000), tv_nsec: Int(timeout % 1_000_000) * 1000)
                number = unsafe sigtimedwait(&set, nil, &time)
                if number < 0, errno == EAGAIN { return nil }
            } else {
                number = unsafe sigwaitinfo(&set, nil)
            }
            guard number > 0 else { continue }
            return number == SIGHUP ? .reload : .stop(signal: number)
        }
    }

    /// Returns the name of a signal that the daemon handles, such as `SIGTERM`.
    static func name(of signal: Int32) -> String {
        switch signal {
        case SIGTERM: "SIGTERM"
        case SIGINT: "SIGINT"
        default: "SIGHUP"
        }
    }
}
