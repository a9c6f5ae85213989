/// An original in a page of rules, with a switch for each verdict on it.
///
/// Without amendments it does what the recordings show, which a test demands; with all of them it
/// does what the table declares to be better, and so tells what is expected of ours after the two
/// have parted, until they are back together.
protocol OracleModel {
    /// The verdicts whose better behaviour takes the place of the original's.
    var amendments: Set<String> { get }
    /// The verdicts by which the last step went another way than the original.
    var drainSchedule: Set<String> { get }
    var after: Moment.Snapshot { get }
    /// What the loads asked for so far were for, by number.
    var loads: [Moment.Control] { get }

    /// Whether an answer says which load it is for.
    var namesLoads: Bool { get }

    /// Which load of an edge runs.
    func runningLoad(_ control: Moment.Control) -> Int?
    mutating func handle(_ step: OracleStep) -> Moment
    /// The list was put into its range by its own view.
    mutating func clamped(to offset: Double)
    /// Whether both are in the same state, so that from here on they do the same again.
    func isTogether(with other: Self) -> Bool
}
