import RefreshProtocol

/// A row of the table of differences (`IQTable` or `MRTable`). A verdict judges one behaviour of an
/// *original*, which is the library IQPullToRefresh or MRefresh (see `Verdict`). The row states
/// where the original shows the bug, quirk or assumption of a verdict, and what the engine does
/// there.
///
/// The original's rules are written as a model, and an *amendment* replaces one behaviour in them
/// (see `OracleModel`). A difference is declared only if the rules with the amendment of this
/// verdict predict it. In addition, a row limits the fields and the situations of the difference.
/// It also contains a condition on the engine that does not depend on the rules.
struct OracleRow<Model: OracleModel>: Sendable {
    /// The verdict's name in `verdicts.json`, or `R10` for the rule that nothing moves under a
    /// finger.
    var id: String
    /// The fields in which the engine may differ from the original, until both are in the same
    /// state again.
    var fields: Set<OracleField>
    /// Whether the original shows the behaviour of the verdict here.
    var applies: @Sendable (Situation) -> Bool
    /// The condition on the engine where the row applies.
    var engine: @Sendable (Situation) -> Bool
    /// The condition on the engine at later records, until the engine and the original are in the
    /// same state again. It applies to each record at which the engine differs in one of the
    /// fields.
    var apart: @Sendable (Situation) -> Bool

    /// Without `apart`, `engine` is used for the later records too.
    init(
        _ id: String, _ fields: Set<OracleField>,
        when applies: @escaping @Sendable (Situation) -> Bool,
        engine: @escaping @Sendable (Situation) -> Bool,
        apart: (@Sendable (Situation) -> Bool)? = nil
    ) {
        self.id = id
        self.fields = fields
        self.applies = applies
        self.engine = engine
        self.apart = apart ?? engine
    }

    /// One event of a trace, with the states before and after it.
    struct Situation {
        var event: OracleTrace.Event
        /// The original with all amendments, before and after the event. Until the first difference
        /// it is in the same state as the recorded original.
        var before: Model
        var after: Model
        var engine: Moment
        var results: [LoadResult]
        /// The number of the engine's messages about the load-more edge.
        var moreShown: Int
        /// The original's reaction.
        var recorded: Moment
        /// The fields in which the engine differs from `recorded`.
        var differing: Set<OracleField>

        var isScroll: Bool { event.type == "scroll" }
        var isRelease: Bool { event.type == "dragEnd" || event.type == "dragCancel" }
        var isAnswer: Bool { event.type == "respond" || event.type.hasSuffix("Finish") }

        /// Whether the engine requested no load.
        var engineRequestsNothing: Bool {
            !engine.actions.contains { $0.field == .trigger || $0.field == .request }
        }

        func engineCalls(_ control: Moment.Control) -> Bool {
            engine.actions.contains {
                if case .callback(control, _) = $0 { true } else { false }
            }
        }

        /// The offsets that the engine commanded.
        var engineMoves: [Double] {
            engine.actions.compactMap { if case .move(let target) = $0 { target } else { nil } }
        }

        var engineSetsNoInset: Bool { !engine.actions.contains { $0.field == .inset } }
    }
}
