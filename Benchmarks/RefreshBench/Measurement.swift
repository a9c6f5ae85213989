import AllocationCounter

/// What a loop over many items took: time and heap allocations.
struct Measurement {
    /// Items each second.
    let rate: Double
    /// Heap allocations for each item, of any library in the process.
    let allocations: Double

    /// Calls `body` for items `0..<count`, after `warmup` calls that are not measured.
    ///
    /// The fastest of `rounds` counts for the rate, as all that disturbs a loop makes it slower;
    /// the allocations are those of all rounds.
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
