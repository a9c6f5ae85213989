/// SplitMix64: the same seed gives the same numbers on every platform. Each random decision has its
/// own generator, so that one decision does not change the numbers of another.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Creates the generator of the random decision that `path` names.
    init(seed: UInt64, _ path: Int...) {
        var mixer = SeededGenerator(seed: seed)
        for part in path {
            mixer = SeededGenerator(seed: mixer.next() ^ UInt64(truncatingIfNeeded: part))
        }
        self = mixer
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits &>> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits &>> 31)
    }

    /// A number in 0..<`bound`. It is nearly uniform, and avoids the generic function of the
    /// standard library, which is slow in debug builds.
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next() % UInt64(max(bound, 1)))
    }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// A random duration in `from...to` milliseconds, in whole microseconds.
    mutating func milliseconds(_ from: Double, _ to: Double) -> Double {
        (from * 1000 + Double(below(Int((to - from) * 1000) + 1))).rounded() / 1000
    }

    mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
}
