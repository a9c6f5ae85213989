import RefreshBroker

/// Random choices with a seeded generator.
extension SeededRandom {
    /// A number in 0..<`bound`.
    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(bound)) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// A number in steps of a sixteenth, which floating-point arithmetic keeps exact.
    mutating func sixteenths(_ from: Double, _ to: Double) -> Double {
        let steps = Int((to - from) * 16)
        return steps > 0 ? from + Double(below(steps + 1)) / 16 : from
    }

    mutating func pick<T>(_ values: T...) -> T { values[below(values.count)] }
}
