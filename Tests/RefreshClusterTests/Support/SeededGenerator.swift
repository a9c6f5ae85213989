/// SplitMix64, which gives the same numbers for the same seed on every machine, so that a failing
/// run can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Prints the seed, because the output of a random test must contain it.
    init(_ test: String, seed: UInt64) {
        print("\(test): seed \(seed)")
        self.state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed &>> 31)
    }

    /// Returns a number in 0..<`bound`.
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next() % UInt64(max(bound, 1)))
    }

    /// Returns true in one of `count` calls on average.
    mutating func once(in count: Int) -> Bool { below(count) == 0 }

    mutating func element<Element>(of choices: [Element]) -> Element {
        choices[below(choices.count)]
    }
}
