import AllocationCounter

/// The time and heap allocations of a loop over many items.
struct Measurement {
    /// The number of items per second.
    let rate: Double
    /// The number of heap allocations per item, in all libraries of the process.
    let allocations: Double

    /// Calls `body` with increasing item numbers, from 0. The first `warmup` calls are not
    /// measured. `rounds` rounds of `count` calls follow.
    ///
    /// The rate is that of the fastest round, because every disturbance makes a round slower. The
    /// allocations are those of all rounds.
    init(warmup: Int, count: Int, rounds: Int, _ body: (Int) -> Void) {
        for item in 0..<warmup { body(item) }
        let clock = ContinuousClock()
        var fastest = Duration.seconds(1_000_000)
        let before = allocation_count()
        for round in 0..<rounds {
            let first = warmup + round * count
            let start = clock.now
            for item in first..<(first + count) { body(item) }
            fastest = min(fastest, clock.now - start)
        }
        let after = allocation_count()
        self.rate = Double(count) / (fastest / .seconds(1))
        self.allocations = Double(after - before) / Double(count * rounds)
    }
}
