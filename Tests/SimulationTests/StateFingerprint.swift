/// The 128-bit hash of a state of a simulated world. By this hash, a search through all states
/// recognises a state that it has visited.
struct StateFingerprint: Hashable {
    private var one: UInt64 = 0xCBF2_9CE4_8422_2325
    private var other: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func mix(_ value: Int) { mix(UInt64(truncatingIfNeeded: value)) }

    mutating func mix(_ value: Bool) { mix(value ? 1 as UInt64 : 0) }

    mutating func mix(_ value: StateFingerprint) {
        mix(value.one)
        mix(value.other)
    }

    private mutating func mix(_ bits: UInt64) {
        one = (one ^ bits) &* 0xFF51_AFD7_ED55_8CCD
        one ^= one &>> 32
        other = (other &+ bits &+ 0x632B_E59B_D9B4_E019) &* 0xC4CE_B9FE_1A85_EC53
        other ^= other &>> 29
    }
}
