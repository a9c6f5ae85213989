internal import Glibc

/// Standard output and error, unbuffered, so that text is visible at once. The tools print only
/// through this type, because Foundation's file handles trap if the reader has closed the stream.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// The reason why not all text was written.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let stream: StandardStream
        /// The value of `errno`.
        package let code: Int32

        /// Whether the reader has closed the stream. A closed stream is not an error.
        package var isReaderGone: Bool { code == EPIPE }

        package var description: String {
            let name = stream == .output ? "standard output" : "standard error"
            return "\(name): \(unsafe String(cString: strerror(code)))"
        }
    }

    /// Writes the whole text, and waits until the stream has accepted all of it. The parent process
    /// may have made the stream non-blocking.
    package func write(_ text: String) throws(Failure) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(rawValue, bytes.baseAddress, bytes.count)
            }
            guard written < 0 else {
                rest = rest.dropFirst(written)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var room = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&room, 1, -1)
            case let code: throw Failure(stream: self, code: code)
            }
        }
    }

    /// Occupies the descriptors of closed standard streams, before anything else is opened. Without
    /// this, the first socket could get the number of a standard stream, and receive the printed
    /// text. Writing to these descriptors fails, like writing to a closed stream.
    package static func reserveStandardDescriptors() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // `open` returns the lowest free number, which is `number`.
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }

    /// Ends the process by SIGPIPE. The same happens to a program that does not handle SIGPIPE and
    /// writes to a pipe without a reader. A shell reports 141.
    package static func exitOnBrokenPipe() -> Never {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGPIPE)
        signal(SIGPIPE, SIG_DFL)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(SIGPIPE)
        _exit(128 + SIGPIPE)
    }
}
