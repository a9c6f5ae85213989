internal import RefreshBroker
internal import RefreshProtocol

/// The hash of an address or of a subject, under which a client is counted on the bus. Source:
/// docs/cluster.md, "Messages of the bus".
package struct CountKey: Hashable, Comparable, Sendable {
    package var bits: UInt64

    package init(bits: UInt64) { self.bits = bits }

    package static func < (left: CountKey, right: CountKey) -> Bool { left.bits < right.bits }
}

/// Computes the keys of addresses and subjects. Nodes of one cluster compute the same keys. The
/// hash function depends on the name of the cluster, which is not secret. So a reader of the bus
/// can recognize an address that is known already.
package struct CountKeys: Sendable {
    private let hashFunction: SipHash

    /// `cluster`: the name of the cluster.
    package init(cluster: String) {
        let name = Array(cluster.utf8)
        hashFunction = SipHash(
            key: RequestOwners.hash(of: [0] + name), RequestOwners.hash(of: [1] + name))
    }

    /// The key of a client's subject.
    package func key(ofSubject subject: String) -> CountKey {
        key([UInt8(ascii: "s")] + Array(subject.utf8))
    }

    /// The key of an address: the two halves of an IPv6 address, or of an IPv4-mapped one.
    package func key(ofAddress high: UInt64, _ low: UInt64) -> CountKey {
        var input: [UInt8] = []
        input.reserveCapacity(17)
        input.append(UInt8(ascii: "a"))
        input.append(bigEndian: high)
        input.append(bigEndian: low)
        return key(input)
    }

    private func key(_ input: [UInt8]) -> CountKey {
        CountKey(bits: hashFunction.hash(input.span, in: input.indices))
    }
}

extension [UInt8] {
    /// Appends the eight bytes of a number, the highest first.
    fileprivate mutating func append(bigEndian number: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
