/// Pseudo-random fractions that depend only on a fuzzer's input, so that an input always fails in
/// the same way. One fraction in eight is 0, and one in eight is 1.
struct Fractions {
    private var state: UInt64

    /// `seed` is the fuzzer's input. The initial state is its FNV-1a hash.
    init(seed: some Sequence<UInt8>) {
        state = seed.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// A fraction in 0...1.
    mutating func next() -> Double {
        let bits = draw()
        switch bits & 7 {
        case 0: return 0
        case 1: return 1
        default: return Double(bits >> 11) / Double(1 << 53)
        }
    }

    /// A number in 0..<count.
    mutating func index(below count: Int) -> Int { Int(draw() >> 32) % count }

    /// Returns the next number of the generator SplitMix64.
    private mutating func draw() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
