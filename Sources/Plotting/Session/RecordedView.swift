import RefreshProtocol

/// One view of a recorded session over time, in milliseconds.
struct RecordedView {
    /// A value that is valid from the time `t` on.
    struct Mark<Value> {
        var t: Double
        var value: Value
    }

    struct Edge {
        var name: String
        var isRefresh: Bool
        var states: [Mark<EdgeState>] = []
        /// The shown progress towards the threshold, 0...1. It is 0 in states without progress.
        var progress: [Mark<Double>] = []
        /// The daemon's inset share at the edge, in points.
        var inset: [Mark<Double>] = []
        /// The offset from which on the pull is far enough (`arm` of the control law). Nil if there
        /// is no such offset.
        var threshold: [Mark<Double?>] = []
    }

    struct Load {
        var id: LoadID
        /// The title of the load: its kind, and the part of the list that it loads.
        var title: String
        var began: Double
        /// The time at which the load ended. Nil if the load had not ended by the end of the
        /// journal.
        var ended: Double?
        /// The outcome of the load.
        var outcome = ""
    }

    var name: String
    var profile = ""
    /// The shown content offset of the list, in points.
    var offset: [Mark<Double>] = []
    /// The resting offsets at the start and at the end of the list.
    var rest: [Mark<ClosedRange<Double>>] = []
    var phases: [Mark<ScrollPhase>] = []
    /// The periods in which a finger was down.
    var touches: [ClosedRange<Double>] = []
    var edges: [Edge] = []
    /// The daemon's commands for offset and insets.
    var commands: [Mark<String>] = []
    var loads: [Load] = []

    init(_ name: String) { self.name = name }

    var eventTimes: [Double] {
        offset.map(\.t) + loads.flatMap { [$0.began, $0.ended ?? $0.began] }
    }

    func edgeIndex(_ name: String) -> Int? { edges.firstIndex { $0.name == name } }
}

extension Array {
    /// Appends a value if it differs from the last one. If the last value has the same time, the
    /// new value replaces it.
    mutating func appendChange<Value: Equatable>(_ value: Value, at t: Double)
    where Element == RecordedView.Mark<Value> {
        if last?.t == t { removeLast() }
        guard last?.value != value else { return }
        append(RecordedView.Mark(t: t, value: value))
    }
}
