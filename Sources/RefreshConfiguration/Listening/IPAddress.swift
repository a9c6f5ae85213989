internal import Glibc

/// An IPv4 or IPv6 address, never a name.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes, in network order.
    private let bytes: [UInt8]

    /// - Parameter text: The address without brackets or zone: IPv6 in any form of RFC 4291, or
    ///   IPv4 as four decimal numbers.
    package init?(_ text: String) {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe inet_pton(family, text, buffer.baseAddress)
            }
            if read == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    package var isIPv6: Bool { bytes.count == 16 }

    /// Whether only this machine can reach the address: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        isIPv6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1 : bytes.first == 127
    }

    /// Whether the address is 0.0.0.0 or ::, which mean all IPv4 or IPv6 addresses of the machine.
    package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// The canonical text (RFC 5952), without brackets.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isIPv6 ? AF_INET6 : AF_INET
        return unsafe bytes.withUnsafeBytes { source in
            unsafe text.withUnsafeMutableBufferPointer { target in
                guard
                    let start = target.baseAddress,
                    let spelled = unsafe inet_ntop(
                        family, source.baseAddress, start, socklen_t(target.count))
                else { return "" }
                return unsafe String(cString: spelled)
            }
        }
    }
}
