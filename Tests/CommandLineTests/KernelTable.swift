import Glibc

/// The kernel's tables of its TCP sockets.
enum KernelTable {
    /// Returns the local address of each listening socket in `/proc/net/NAME`, such as
    /// `0100007F:1F90`. If other sockets are opened or closed during the call, an entry may be
    /// missing or duplicated. So the caller must repeat the call until the result is as expected.
    static func listening(_ name: String) throws -> [String] {
        try whole("/proc/net/\(name)").split(separator: "\n").compactMap { row in
            let fields = row.split(separator: " ")
            return fields.count > 3 && fields[3] == "0A" ? String(fields[1]) : nil
        }
    }

    /// Reads the file to its end. The kernel returns at most one memory page for each `read`.
    /// Foundation would stop after the first one, because the file reports the size 0.
    private static func whole(_ path: String) throws -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Unreadable(path: path, errno: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &part, part.count)
            guard count >= 0 else { throw Unreadable(path: path, errno: errno) }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[..<count]
        }
    }

    struct Unreadable: Error {
        let path: String
        let errno: Int32
    }
}
