internal import Glibc

/// The signals that the daemon handles. They are blocked in every thread, and one thread receives
/// them.
///
/// No other code handles these signals. libwebsockets installs signal handlers only on a libuv loop
/// that it has created, and each event loop creates its libuv loop itself (`ServiceParts`).
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
    /// SIGCHLD is reset: if the parent process had ignored it, the kernel would reap the backends'
    /// processes.
    static func block() {
        var set = set
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        signal(SIGCHLD, SIG_DFL)
    }

    /// Waits for the next signal, for at most `timeout` microseconds if that is given. Returns nil
    /// if none arrived.
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

    /// Returns the name as in `kill -l`.
    static func name(of signal: Int32) -> String {
        switch signal {
        case SIGTERM: "SIGTERM"
        case SIGINT: "SIGINT"
        default: "SIGHUP"
        }
    }
}
