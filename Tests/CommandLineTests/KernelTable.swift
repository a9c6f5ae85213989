import Glibc

/// The kernel's tables of its TCP sockets.
enum KernelTable {
    /// Returns the local addresses with listening sockets in `/proc/net/NAME`, such as
    /// `0100007F:1F90`, one for each socket. While sockets open and close, an unrelated entry may
    /// be missing or duplicated, so repeat the call.
    static func listening(_ name: String) throws -> [String] {
        try whole("/proc/net/\(name)").split(separator: "\n").compactMap { row in
            let fields = row.split(separator: " ")
            return fields.count > 3 && fields[3] == "0A" ? String(fields[1]) : nil
        }
    }

    /// Reads the file to its end. The kernel returns at most a page at a time. Foundation sees a
    /// file of size 0 and stops after the first page.
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
