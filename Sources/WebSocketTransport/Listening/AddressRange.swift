import Glibc

/// An IP address, or a network: all addresses with the same leading bits.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    /// The address as 4 or 16 bytes in network order. The bits after the prefix are 0.
    private let bytes: [UInt8]
    /// The length of the prefix in bits; the full length for a single address.
    private let prefixBits: Int

    /// Parses `10.0.0.7`, `10.0.0.0/8`, `fd00::1` or `fd00::/8`. Returns nil for anything else,
    /// including a network with bits set beyond its prefix.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, let bytes = Self.bytes(of: String(first))
        else { return nil }
        var prefixBits = bytes.count * 8
        if parts.count == 2 {
            guard parts[1].count <= 3,
                parts[1].allSatisfy({ "0" <= $0 && $0 <= "9" && $0.isASCII }),
                let bits = Int(parts[1]), bits <= prefixBits
            else { return nil }
            prefixBits = bits
        }
        guard Self.masked(bytes, to: prefixBits) == bytes else { return nil }
        self.bytes = bytes
        self.prefixBits = prefixBits
    }

    /// Returns whether the range contains the address. False if the text is not an address.
    package func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        return Self.masked(other, to: prefixBits) == bytes
    }

    /// The canonical form, which `init` accepts.
    package var description: String {
        let address = Self.text(of: bytes)
        return prefixBits == bytes.count * 8 ? address : "\(address)/\(prefixBits)"
    }

    /// Returns the canonical form of an address, or nil if the text is not an address. An
    /// IPv4-mapped IPv6 address (`::ffff:10.0.0.7`) becomes the IPv4 address.
    static func canonical(_ address: String) -> String? { bytes(of: address).map(text(of:)) }

    private static func masked(_ bytes: [UInt8], to bits: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let kept = min(max(bits - index * 8, 0), 8)
            return kept == 0 ? 0 : byte & (0xff << UInt8(8 - kept))
        }
    }

    private static func bytes(of address: String) -> [UInt8]? {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            let result = unsafe bytes.withUnsafeMutableBytes {
                unsafe inet_pton(family, address, $0.baseAddress)
            }
            guard result == 1 else { continue }
            let isMapped =
                size == 16 && bytes[..<10].allSatisfy { $0 == 0 }
                && bytes[10...11].allSatisfy { $0 == 0xff }
            return isMapped ? Array(bytes[12...]) : bytes
        }
        return nil
    }

    private static func text(of bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 16 ? AF_INET6 : AF_INET
        let isSpelled = unsafe bytes.withUnsafeBytes { source in
            unsafe inet_ntop(family, source.baseAddress, &text, socklen_t(text.count)) != nil
        }
        guard isSpelled else { return "" }
        return String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
