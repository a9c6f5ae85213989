import Glibc
import Synchronization

/// Writes the numbers of received signals into a pipe, where any thread can read them. A signal
/// handler may call only a few functions (signal-safety(7)).
///
/// A dispatch source for signals cannot be used, because the process would have to ignore the
/// signal. The kernel drops an ignored signal if the receiving thread does not block it.
final class SignalPipe {
    /// The non-blocking descriptor from which the numbers are read, one byte each.
    let readEnd: Int32
    private let writer: Int32
    private let signals: [Int32]

    /// The descriptor that handlers write to. -1 if there is none.
    private static let writeEnd = Atomic<Int32>(-1)

    /// Installs the handlers of these signals. A signal that is already ignored stays ignored. Only
    /// one instance may exist at a time. Nil if no descriptors are left for a pipe.
    init?(_ signals: [Int32]) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (readEnd, writer) = (ends[0], ends[1])
        self.signals = signals.filter { !Self.isIgnored($0) }
        Self.writeEnd.store(writer, ordering: .sequentiallyConsistent)
        for number in self.signals { signal(number, Self.recordSignal) }
    }

    /// Returns the number of the next recorded signal. Nil if there is none.
    static func nextSignal(from readEnd: Int32) -> Int32? {
        var number: UInt8 = 0
        return unsafe read(readEnd, &number, 1) == 1 ? Int32(number) : nil
    }

    /// Blocks this thread until a signal is recorded, and returns its number. The process may have
    /// been started with blocked signals, so this thread unblocks them.
    func waitForSignal() -> Int32 {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signals { unsafe sigaddset(&set, number) }
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        while true {
            if let number = Self.nextSignal(from: readEnd) { return number }
            var wait = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&wait, 1, -1)
        }
    }

    /// Restores the default behaviour of the signals.
    func restoreDefaultHandlers() {
        for number in signals { signal(number, SIG_DFL) }
        Self.writeEnd.store(-1, ordering: .sequentiallyConsistent)
    }

    /// Closes the pipe. Nothing may use `readEnd` afterwards.
    func close() {
        Glibc.close(readEnd)
        Glibc.close(writer)
    }

    /// The signal handler.
    private static let recordSignal: @convention(c) (Int32) -> Void = { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(writeEnd.load(ordering: .relaxed), &byte, 1)
        errno = error
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
    }
}
