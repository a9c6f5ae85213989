/// SipHash-2-4: a 64-bit keyed hash. Without the key, hashes cannot be predicted and collisions
/// cannot be constructed.
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012).
package struct SipHash: Hashable, Sendable, Codable {
    /// The initial words of the state, before the key is applied. They are the bytes of
    /// "somepseudorandomlygeneratedbytes".
    private static let constants: (UInt64, UInt64, UInt64, UInt64) = (
        0x736F_6D65_7073_6575, 0x646F_7261_6E64_6F6D, 0x6C79_6765_6E65_7261,
        0x7465_6462_7974_6573
    )

    private let low: UInt64
    private let high: UInt64

    /// Creates a hash function from a key of two words, the low word first. The caller chooses the
    /// key. If the hashed data comes from outside the daemon, the key must consist of the system's
    /// random numbers.
    package init(key low: UInt64, _ high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Returns the hash of the bytes in `range`.
    package func hash(_ bytes: Span<UInt8>, in range: Range<Int>) -> UInt64 {
        var state = State(
            v0: low ^ Self.constants.0, v1: high ^ Self.constants.1, v2: low ^ Self.constants.2,
            v3: high ^ Self.constants.3)
        var word: UInt64 = 0
        var filled: UInt64 = 0
        for index in range {
            word |= UInt64(bytes[index]) &<< (filled &* 8)
            filled &+= 1
            guard filled == 8 else { continue }
            state.absorb(word)
            word = 0
            filled = 0
        }
        // The last word contains the remaining bytes. Its highest byte contains the length.
        state.absorb(word | UInt64(truncatingIfNeeded: range.count) &<< 56)
        return state.finalize()
    }

    private struct State {
        var v0: UInt64
        var v1: UInt64
        var v2: UInt64
        var v3: UInt64

        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            mix()
            mix()
            v0 ^= word
        }

        mutating func finalize() -> UInt64 {
            v2 ^= 0xFF
            for _ in 0..<4 { mix() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        private mutating func mix() {
            v0 &+= v1
            v1 = Self.rotated(v1, by: 13) ^ v0
            v0 = Self.rotated(v0, by: 32)
            v2 &+= v3
            v3 = Self.rotated(v3, by: 16) ^ v2
            v0 &+= v3
            v3 = Self.rotated(v3, by: 21) ^ v0
            v2 &+= v1
            v1 = Self.rotated(v1, by: 17) ^ v2
            v2 = Self.rotated(v2, by: 32)
        }

        private static func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 {
            word &<< bits | word &>> (64 &- bits)
        }
    }
}
