/// SplitMix64, which gives the same numbers for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Prints the seed, so that a failing run can be repeated.
    init(_ test: String, seed: UInt64) {
        print("\(test): seed \(seed)")
        state = seed
    }

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits &>> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits &>> 31)
    }

    /// Returns a number in 0..<`bound`.
    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(bound)) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// Returns a number in -64...64, in steps of a sixteenth. Sums and reflections of such numbers
    /// are exact.
    mutating func coordinate() -> Double { Double(below(2049) - 1024) / 16 }
}

extension SeededGenerator {
    /// A number in `from...to`, in steps of a sixteenth.
    mutating func sixteenths(from: Double, to: Double) -> Double {
        from + Double(below(Int((to - from) * 16) + 1)) / 16
    }
}
