/// The identity of a node: one process of refreshd in a cluster. It consists of 64 random bits,
/// which are drawn at the start of the process. So a restarted process is another node.
package struct NodeID: Hashable, Comparable, Sendable {
    package var bits: UInt64

    package init(bits: UInt64) { self.bits = bits }

    /// Parses the wire form. Returns nil if the text is not 16 hexadecimal digits in lower case.
    package init?(text: String) {
        guard text.utf8.count == 16 else { return nil }
        var bits: UInt64 = 0
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39: bits = bits << 4 | UInt64(byte - 0x30)
            case 0x61...0x66: bits = bits << 4 | UInt64(byte - 0x57)
            default: return nil
            }
        }
        self.bits = bits
    }

    /// The wire form: 16 hexadecimal digits in lower case.
    package var text: String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    package static func < (left: NodeID, right: NodeID) -> Bool { left.bits < right.bits }
}
