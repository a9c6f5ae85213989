internal import Glibc

/// The signals that the daemon lives by. They are blocked in every thread and taken by one.
///
/// libwebsockets' libuv plugin installs handlers of its own and then ends wrongly; a blocked signal
/// never reaches them.
enum Signals {
    /// What an operator asks for by a signal.
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

    /// Blocks them for this thread and all it starts; before any thread is started. A peer that
    /// goes away while it is written to must not end the daemon, so SIGPIPE is ignored. Whoever
    /// started the daemon may have ignored SIGCHLD, and then the kernel would reap the processes
    /// that backends start.
    static func block() {
        var set = set
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        signal(SIGCHLD, SIG_DFL)
    }

    /// Waits for the next one, for at most so many microseconds; nil: none came.
    static func next(withinMicroseconds patience: UInt64?) -> Request? {
        var set = set
        while true {
            let number: Int32
            if let patience {
                var time = timespec(
                    tv_sec: Int(patience / 1_000_000), tv_nsec: Int(patience % 1_000_000) * 1000)
                number = unsafe sigtimedwait(&set, nil, &time)
                if number < 0, errno == EAGAIN { return nil }
            } else {
                number = unsafe sigwaitinfo(&set, nil)
            }
            guard number > 0 else { continue }
            return number == SIGHUP ? .reload : .stop(signal: number)
        }
    }

    /// As in `kill -l`.
    static func name(of signal: Int32) -> String {
        switch signal {
        case SIGTERM: "SIGTERM"
        case SIGINT: "SIGINT"
        default: "SIGHUP"
        }
    }
}
