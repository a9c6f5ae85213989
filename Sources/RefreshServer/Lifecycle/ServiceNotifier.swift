internal import Glibc

/// Tells the service manager how the daemon fares. Source: sd_notify(3).
///
/// Without one it says nothing: that is no mistake. Any thread may call.
package struct ServiceNotifier: Sendable {
    /// What is told, in one datagram.
    package enum Word: Hashable, Sendable {
        /// Connections are accepted, or a reload is over.
        case ready
        /// A reload begins. `microseconds`: on the monotonic clock of the system.
        case reloading(microseconds: UInt64)
        case stopping
        /// For people.
        case status(String)
        /// The daemon lives.
        case alive

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
            case .stopping: "STOPPING=1"
            // A line of its own would be another word.
            case .status(let text): "STATUS=" + text.filter { !$0.isNewline }
            case .alive: "WATCHDOG=1"
            }
        }
    }

    /// A path, or a name that begins with `@` and is in no file system; nil: nobody listens.
    private let socket: String?
    /// How often at least it has to be told that the daemon lives, microseconds; nil: not at all.
    package let watchdogMicroseconds: UInt64?

    /// Of the variables that a service manager gives: `NOTIFY_SOCKET`, `WATCHDOG_USEC`, and
    /// `WATCHDOG_PID`, which says whom they are meant for.
    package init(environment: [String: String], process: Int32 = getpid()) {
        let socket = environment["NOTIFY_SOCKET"] ?? ""
        self.socket = socket.hasPrefix("/") || socket.hasPrefix("@") ? socket : nil
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        watchdogMicroseconds =
            isMeant && self.socket != nil
            ? environment["WATCHDOG_USEC"].flatMap { UInt64($0) }.flatMap { $0 > 0 ? $0 : nil }
            : nil
    }

    /// Says all of it at once. What nobody takes is lost: it is never waited for.
    package func callAsFunction(_ words: Word...) {
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

    /// Nil if the name is longer than an address has room for.
    private static func address(_ name: String) -> (sockaddr_un, socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        let room = MemoryLayout.size(ofValue: address.sun_path)
        // A path ends with a NUL, which the other kind has not.
        guard bytes.count < room || (isAbstract && bytes.count == room) else { return nil }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            unsafe place.copyBytes(from: bytes)
        }
        let head = MemoryLayout<sockaddr_un>.size - room
        return (address, socklen_t(head + bytes.count + (isAbstract ? 0 : 1)))
    }

    /// The time that `reloading` is to be told with.
    package static var monotonicMicroseconds: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }
}
