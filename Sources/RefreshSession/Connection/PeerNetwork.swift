import Glibc

/// The identity of a peer for limits per peer. It is an IPv4 address, or the /64 network of an IPv6
/// address, because one subscriber usually has a whole /64.
package struct PeerNetwork: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Creates the identity of a peer. Returns nil if the text is not an address.
    ///
    /// - Parameter address: A numeric address without a port; a zone is ignored. An IPv4-mapped
    ///   IPv6 address (`::ffff:192.0.2.1`) counts as the IPv4 address.
    package init?(_ address: String) {
        let text = address.prefix { $0 != "%" }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        var ipv4 = UInt32(0)
        if unsafe inet_pton(AF_INET, String(text), &ipv4) == 1 {
            high = 0
            low = Self.mapped | UInt64(UInt32(bigEndian: ipv4))
            return
        }
        guard unsafe inet_pton(AF_INET6, String(text), &words) == 1 else { return nil }
        let network = UInt64(bigEndian: words.high)
        let rest = UInt64(bigEndian: words.low)
        let isMapped = network == 0 && rest >> 32 == Self.mapped >> 32
        high = network
        low = isMapped ? rest : 0
    }

    /// The two halves of the IPv6 address, or of the IPv4-mapped IPv6 address. The lower half of
    /// another IPv6 address is 0.
    package var halves: (high: UInt64, low: UInt64) { (high, low) }

    /// Whether the address is a loopback or link-local one, which is another peer on each machine.
    package var isMachineLocal: Bool {
        guard high == 0 else { return high >> 54 == 0xFE80 >> 6 }
        // The only networks with a lower half are those of IPv4 addresses.
        return low == 0 || low >> 24 == Self.mapped >> 24 | 127
            || low >> 16 == Self.mapped >> 16 | 0xA9FE
    }

    /// The prefix of an IPv4-mapped address in the lower half of an IPv6 address.
    private static let mapped: UInt64 = 0xffff_0000_0000
}
