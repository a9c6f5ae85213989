import RefreshProtocol

/// Uses the model of a library in place of the engine, to check the comparison itself. The
/// comparison must accept a model with all amendments, and must detect a missing amendment (see
/// `OracleModel`).
struct ModelPlayer<Model: OracleModel>: OraclePlayer {
    private var model: Model
    private(set) var results: [LoadResult] = []
    let moreShown = 1

    init(_ model: Model) { self.model = model }

    var after: Moment.Snapshot { model.after }

    mutating func handle(_ step: OracleStep, at t: Double) -> Moment {
        let moment = model.handle(step)
        results = model.departures.contains("IQ-19") ? [.failed] : []
        return moment
    }

    mutating func clamped(to offset: Double, at t: Double) { model.clamped(to: offset) }
}
