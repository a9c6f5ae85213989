import RefreshProtocol

/// The party that is compared with the recordings of a library: the engine, or, to check the
/// comparison itself, a model of the library (see `ModelPlayer`).
protocol OraclePlayer {
    var after: Moment.Snapshot { get }
    /// The results of the loads that ended in the last step.
    var results: [LoadResult] { get }
    /// The number of messages about the load-more edge that the last step sent.
    var moreShown: Int { get }

    /// Returns the reaction to `step`, `t` milliseconds after the start.
    mutating func handle(_ step: OracleStep, at t: Double) -> Moment
    /// Handles a movement by the platform's scroll view, which has moved the list to `offset` to
    /// keep it in its range.
    mutating func clamped(to offset: Double, at t: Double)
}
