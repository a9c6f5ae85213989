/// A model of an *original*, which is the library IQPullToRefresh or MRefresh. The model has a
/// switch for each verdict on the original. A verdict judges one behaviour (see `Verdict`).
///
/// An *amendment* is a switch that is on: one behaviour of the original is replaced by the
/// behaviour that the verdict demands. Without amendments the model follows the recordings of the
/// original; a test checks this. With all amendments the model behaves as the verdicts demand. It
/// thus predicts the engine while the engine and the original are in different states.
protocol OracleModel {
    /// The verdicts whose amended behaviour replaces that of the original.
    var amendments: Set<String> { get }
    /// The verdicts because of which the last step differed from the original.
    var departures: Set<String> { get }
    var after: Moment.Snapshot { get }
    /// The controls that requested the loads so far, by load number.
    var loads: [Moment.Control] { get }

    /// Whether an answer contains the number of its load.
    var namesLoads: Bool { get }

    /// The running load of an edge.
    func runningLoad(_ control: Moment.Control) -> Int?
    mutating func handle(_ step: OracleStep) -> Moment
    /// Handles a movement by the platform's scroll view, which has moved the list to `offset` to
    /// keep it in its range.
    mutating func clamped(to offset: Double)
    /// Whether this model and `other` are in the same state and therefore behave alike from now on.
    func isTogether(with other: Self) -> Bool
}
