import RefreshProtocol

/// One view of a recorded session, over time in milliseconds.
struct RecordedView {
    /// A value from a moment on.
    struct Mark<Value> {
        var t: Double
        var value: Value
    }

    struct Edge {
        var name: String
        var isRefresh: Bool
        var states: [Mark<EdgeState>] = []
        /// 0...1 of the way to the threshold, as it is shown: 0 with states that have none.
        var progress: [Mark<Double>] = []
        /// The daemon's share of the inset, points.
        var inset: [Mark<Double>] = []
        /// The offset at which a finger arms the edge; nil: at none.
        var threshold: [Mark<Double?>] = []
    }

    struct Load {
        var id: LoadID
        /// What it is: its kind and what of the list it brings.
        var title: String
        var began: Double
        /// Nil: not ended when the journal was.
        var ended: Double?
        /// How it ended.
        var outcome = ""
    }

    let name: String
    var profile = ""
    /// The content offset that the list is shown at, points.
    var offset: [Mark<Double>] = []
    /// Where the list rests at its beginning, and at its end.
    var rest: [Mark<ClosedRange<Double>>] = []
    var phases: [Mark<ScrollPhase>] = []
    /// While a finger was down.
    var touches: [ClosedRange<Double>] = []
    var edges: [Edge] = []
    /// What the daemon ordered of offset and insets.
    var commands: [Mark<String>] = []
    var loads: [Load] = []

    init(_ name: String) { self.name = name }

    var moments: [Double] { offset.map(\.t) + loads.flatMap { [$0.began, $0.ended ?? $0.began] } }

    func edgeIndex(_ name: String) -> Int? { edges.firstIndex { $0.name == name } }
}

extension Array {
    /// Appends a value unless it is that which stands already; one that held for no time goes.
    mutating func note<Value: Equatable>(_ value: Value, at t: Double)
    where Element == RecordedView.Mark<Value> {
        if last?.t == t { removeLast() }
        guard last?.value != value else { return }
        append(RecordedView.Mark(t: t, value: value))
    }
}
