internal import Glibc

/// Standard output and error, unbuffered: what is written is seen at once. All that the tools print
/// goes through here, for Foundation's handles trap where nobody takes it.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Why not all was written.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let stream: StandardStream
        /// As in `errno`.
        package let code: Int32

        /// Whoever read it has gone, and wants no more: nothing went wrong.
        package var isReaderGone: Bool { code == EPIPE }

        package var description: String {
            let name = stream == .output ? "standard output" : "standard error"
            return "\(name): \(unsafe String(cString: strerror(code)))"
        }
    }

    /// Writes it whole, however long that takes: who started the tool may have set the stream to
    /// give up at once where it is full.
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

    /// Takes the places of standard streams that are closed, before anything else is opened: the
    /// first socket would get the number, and what is printed would be said there. What is written
    /// fails as it would without.
    package static func keepPlaces() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free, which is this one.
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }

    /// Ends the process as those end that write to a pipe without a reader and know nothing of it;
    /// a shell tells it as 141.
    package static func endForLackOfReader() -> Never {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGPIPE)
        signal(SIGPIPE, SIG_DFL)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(SIGPIPE)
        _exit(128 + SIGPIPE)
    }
}
