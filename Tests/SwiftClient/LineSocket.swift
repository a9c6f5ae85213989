import Dispatch
import Glibc
import Synchronization

/// A TCP connection whose data are lines.
final class LineSocket: Sendable {
    private let descriptor: Int32

    /// Connects to `HOST:PORT`, with an IPv4 address. Returns nil if there is no connection.
    init?(_ address: String) {
        guard let colon = address.lastIndex(of: ":"),
            let port = UInt16(address[address.index(after: colon)...])
        else { return nil }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        let isAddress = unsafe inet_pton(AF_INET, String(address[..<colon]), &target.sin_addr)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let result = unsafe withUnsafePointer(to: &target) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, size)
            }
        }
        guard isAddress == 1, result == 0 else { return nil }
    }

    /// The received lines, until the connection ends.
    var lines: AsyncStream<String> {
        let descriptor = self.descriptor
        return AsyncStream { continuation in
            DispatchQueue(label: "lines").async {
                var line: [UInt8] = []
                var bytes = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = unsafe read(descriptor, &bytes, bytes.count)
                    guard count > 0 else { break }
                    for byte in bytes[..<count] {
                        guard byte == 0x0A else {
                            line.append(byte)
                            continue
                        }
                        continuation.yield(String(decoding: line, as: UTF8.self))
                        line = []
                    }
                }
                continuation.finish()
            }
        }
    }

    /// Sends a line.
    func send(_ text: String) {
        var rest = Array((text + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(
                    descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
