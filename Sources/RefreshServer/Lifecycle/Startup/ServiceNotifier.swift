internal import Glibc

/// Reports the state of the daemon to the service manager. Source: sd_notify(3).
///
/// If there is no service manager, the notifier does nothing, and this is not an error. May be
/// called on any thread.
package struct ServiceNotifier: Sendable {
    /// One notification. Several may be sent in one datagram.
    package enum Notification: Hashable, Sendable {
        /// Connections are accepted, or a reload has ended.
        case ready
        /// A reload begins. `microseconds`: the time by the system's monotonic clock.
        case reloading(microseconds: UInt64)
        case stopping
        /// A text for people.
        case status(String)
        /// The keep-alive of the watchdog.
        case alive

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
            case .stopping: "STOPPING=1"
            // A line break would begin another notification.
            case .status(let text): "STATUS=" + text.filter { !$0.isNewline }
            case .alive: "WATCHDOG=1"
            }
        }
    }

    /// The name of the service manager's socket: a path, or an abstract name that begins with `@`.
    /// Nil if there is no service manager.
    private let socket: String?
    /// The longest time between two keep-alive notifications, in microseconds; nil if none are
    /// needed.
    package let watchdogMicroseconds: UInt64?

    /// Reads the variables of the service manager: `NOTIFY_SOCKET`, `WATCHDOG_USEC`, and
    /// `WATCHDOG_PID`, which names the process that the watchdog is meant for.
    package init(environment: [String: String], process: Int32 = getpid()) {
        let socket = environment["NOTIFY_SOCKET"] ?? ""
        self.socket = socket.hasPrefix("/") || socket.hasPrefix("@") ? socket : nil
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        watchdogMicroseconds =
            isMeant && self.socket != nil
            ? environment["WATCHDOG_USEC"].flatMap { UInt64($0) }.flatMap { $0 > 0 ? $0 : nil }
            : nil
    }

    /// Sends the notifications in one datagram, without waiting. If the service manager does not
    /// accept the datagram, the notifications are lost.
    package func callAsFunction(_ words: Notification...) {
        guard let socket else { return }
        let text = words.map(\.text).joined(separator: "\n")
        let descriptor = Glibc.socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard let (place, length) = Self.address(socket) else { return }
        var address = place
        let bytes = Array(text.utf8)
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                _ = unsafe sendto(descriptor, bytes, bytes.count, flags, address, length)
            }
        }
    }

    /// The socket address with that name; nil if the name is too long.
    private static func address(_ name: String) -> (sockaddr_un, socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        let room = MemoryLayout.size(ofValue: address.sun_path)
        // A path must end with a NUL. An abstract name has no NUL at its end.
        guard bytes.count < room || (isAbstract && bytes.count == room) else { return nil }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            unsafe place.copyBytes(from: bytes)
        }
        let head = MemoryLayout<sockaddr_un>.size - room
        return (address, socklen_t(head + bytes.count + (isAbstract ? 0 : 1)))
    }

    /// The time to send with `reloading`.
    package static var monotonicMicroseconds: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }
}
