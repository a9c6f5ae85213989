import RefreshProtocol

/// Who is compared with the recordings.
protocol OraclePlayer {
    var after: Moment.Snapshot { get }
    /// How loads ended, in the last step.
    var results: [LoadResult] { get }
    /// How often the load-more edge was told of, in the last step.
    var moreShown: Int { get }

    /// What is done at `step`, `t` milliseconds after the start.
    mutating func handle(_ step: OracleStep, at t: Double) -> Moment
    /// The list was put into its range by its own view.
    mutating func clamped(to offset: Double, at t: Double)
}
