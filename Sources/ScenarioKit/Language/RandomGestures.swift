/// Parameters for gestures that are generated at random. Source: docs/scenarios.md, "Randomness".
package struct RandomGestures: Hashable, Sendable {
    package var view: String
    /// The number of gestures.
    package var count: Int
    /// The range of all positions is from `low` to `high`.
    package var low: Amount
    package var high: Amount
    /// The duration of all gestures together.
    package var durationMs: Double
    /// Samples per second.
    package var rate: Double

    package init(
        view: String, count: Int, low: Amount, high: Amount, durationMs: Double, rate: Double
    ) {
        self.view = view
        self.count = count
        self.low = low
        self.high = high
        self.durationMs = durationMs
        self.rate = rate
    }
}
