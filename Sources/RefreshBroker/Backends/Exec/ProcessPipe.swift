internal import CProcess
internal import Glibc

/// A pipe as it is made, and the ends of ours.
struct ProcessPipe {
    let reading: Int32
    let writing: Int32

    /// Both ends are closed by `exec`, and neither is one of the three that a process is born with,
    /// so that putting them there cannot overwrite one another. Nil: the system has none to give.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe cprocess_pipe(&ends) == 0 else { return nil }
        guard let reading = Self.raised(ends[0]) else {
            close(ends[1])
            return nil
        }
        guard let writing = Self.raised(ends[1]) else {
            close(reading)
            return nil
        }
        self.reading = reading
        self.writing = writing
    }

    /// Closes `end` if it cannot be raised.
    private static func raised(_ end: Int32) -> Int32? {
        guard end <= STDERR_FILENO else { return end }
        let higher = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        close(end)
        return higher >= 0 ? higher : nil
    }

    func closeBoth() {
        close(reading)
        close(writing)
    }

    /// From now on reading or writing this end of ours never waits.
    static func makeNonBlocking(_ end: Int32) {
        _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
}
