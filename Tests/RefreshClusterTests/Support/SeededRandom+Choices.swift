import RefreshBroker

extension SeededRandom {
    /// Creates a generator, and prints the seed, because the output of a random test must contain
    /// it.
    init(_ test: String, seed: UInt64) {
        print("\(test): seed \(seed)")
        self.init(seed: seed)
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
