import RefreshProtocol

/// A row of the table: where the original does what a verdict calls a bug, a quirk or an
/// assumption, and what ours does there.
///
/// A difference is declared only if the rules of the original with that verdict amended predict it.
/// A row adds to this in which fields it may lie, in which situations, and what must hold of ours
/// there, whatever the rules say.
struct OracleRow<Model: OracleModel>: Sendable {
    /// The verdict's name in `verdicts.json`, or `R10`.
    var id: String
    /// Where ours may differ by it, there and until both are in the same state again.
    var fields: Set<OracleField>
    /// Whether the original does here what the verdict is about.
    var applies: @Sendable (Situation) -> Bool
    /// What ours does there.
    var ours: @Sendable (Situation) -> Bool
    /// What ours does at each later record at which it differs in one of the fields, until both are
    /// in the same state again.
    var apart: @Sendable (Situation) -> Bool

    /// Without `apart`, `ours` holds until then.
    init(
        _ id: String, _ fields: Set<OracleField>,
        when applies: @escaping @Sendable (Situation) -> Bool,
        ours: @escaping @Sendable (Situation) -> Bool,
        apart: (@Sendable (Situation) -> Bool)? = nil
    ) {
        self.id = id
        self.fields = fields
        self.applies = applies
        self.ours = ours
        self.apart = apart ?? ours
    }

    /// One event of a trace.
    struct Situation {
        var event: OracleTrace.Event
        /// The amended original before and after the event; as the recording has it, until they
        /// part.
        var before: Model
        var after: Model
        var ours: Moment
        var results: [LoadResult]
        /// How often ours told of the load-more edge.
        var moreShown: Int
        /// What the original did.
        var theirs: Moment
        /// Where ours differs from that.
        var differing: Set<OracleField>

        var isScroll: Bool { event.type == "scroll" }
        var isRelease: Bool { event.type == "dragEnd" || event.type == "dragCancel" }
        var isAnswer: Bool { event.type == "respond" || event.type.hasSuffix("Finish") }

        /// Whether ours asked for no work.
        var oursAsksNothing: Bool {
            !ours.deeds.contains { $0.field == .trigger || $0.field == .request }
        }

        func oursCalls(_ control: Moment.Control) -> Bool {
            ours.deeds.contains {
                if case .callback(control, _) = $0 { true } else { false }
            }
        }

        /// Where ours told the list to go.
        var oursMoves: [Double] {
            ours.deeds.compactMap { if case .move(let target) = $0 { target } else { nil } }
        }

        var oursWritesNoInset: Bool { !ours.deeds.contains { $0.field == .inset } }
    }
}
