internal import CProcess
internal import Glibc

/// A pipe with its two ends.
struct ProcessPipe {
    let readEnd: Int32
    let writeEnd: Int32

    /// Creates a pipe. Both ends are close-on-exec. Neither end is a standard descriptor (0 to 2).
    /// When the child moves an end to a standard descriptor, it therefore cannot overwrite another
    /// end. Returns nil if the system cannot create a pipe.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe cprocess_pipe(&ends) == 0 else { return nil }
        guard let reading = Self.moveAboveStandardDescriptors(ends[0]) else {
            close(ends[1])
            return nil
        }
        guard let writing = Self.moveAboveStandardDescriptors(ends[1]) else {
            close(reading)
            return nil
        }
        self.readEnd = reading
        self.writeEnd = writing
    }

    /// If `end` is a standard descriptor, moves it above the standard descriptors. Closes it on
    /// failure.
    private static func moveAboveStandardDescriptors(_ end: Int32) -> Int32? {
        guard end <= STDERR_FILENO else { return end }
        let higher = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        close(end)
        return higher >= 0 ? higher : nil
    }

    func closeBoth() {
        close(readEnd)
        close(writeEnd)
    }

    /// Makes reads and writes on this end non-blocking.
    static func makeNonBlocking(_ end: Int32) {
        _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
}
