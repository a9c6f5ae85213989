/// SplitMix64, a random number generator that gives the same numbers for the same seed on every
/// machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits &>> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits &>> 31)
    }

    /// A number in 0..<`bound`, distributed evenly enough for tests. The generic function of the
    /// standard library is slow in a debug build.
    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(bound)) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// A number in `from...to` that is larger than `from` by a multiple of 1/16, or equal to
    /// `from`.
    mutating func sixteenths(from: Double, to: Double) -> Double {
        let steps = Int((to - from) * 16)
        return steps > 0 ? from + Double(below(steps + 1)) / 16 : from
    }

    mutating func pick<T>(_ first: T, _ others: T...) -> T {
        let index = below(others.count + 1)
        return index == 0 ? first : others[index - 1]
    }
}
