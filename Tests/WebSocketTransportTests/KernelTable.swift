import Glibc

/// The kernel's table of TCP sockets.
enum KernelTable {
    /// The local addresses of the listening sockets in `/proc/net/NAME`, such as `0100007F:1F90`,
    /// one for each socket. If other sockets open or close during the call, an address may be
    /// missing or repeated. In that case the caller must repeat the call.
    static func listening(_ name: String) throws -> [String] {
        try whole("/proc/net/\(name)").split(separator: "\n").compactMap { row in
            let fields = row.split(separator: " ")
            return fields.count > 3 && fields[3] == "0A" ? String(fields[1]) : nil
        }
    }

    /// Reads the whole file. One call of read(2) returns at most one memory page. Foundation would
    /// read only the first page, because the file's size is reported as 0.
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
