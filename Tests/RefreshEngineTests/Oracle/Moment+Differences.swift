/// The fields of a `Moment` (the reaction to one event) that are compared. A row of the table of
/// differences names the fields in which the engine may differ from a recorded library (see
/// `OracleRow`).
enum OracleField: String, CaseIterable {
    case refreshState, refreshEnabled, moreState, moreEnabled
    case haptic, inset, trigger, request, wrapper
    case stage, drawn, animation
    /// The commanded offset.
    case offset
    /// The order of the actions. Only the actions of fields without a difference are compared.
    case order
}

extension Moment {
    /// The tolerance for equal numbers.
    static let tolerance = 1e-9

    /// The fields in which this moment and `other` differ.
    func differences(from other: Moment) -> Set<OracleField> {
        var fields = after.differences(from: other.after)
        let (all, others) = (orderedActions, other.orderedActions)
        for field in OracleField.allCases where field != .order {
            let (ownActions, otherActions) = (
                all.filter { $0.field == field }, others.filter { $0.field == field }
            )
            if !Self.agree(ownActions, otherActions) { fields.insert(field) }
        }
        let ownActions = all.filter { !fields.contains($0.field) }
        let otherActions = others.filter { !fields.contains($0.field) }
        if !Self.agree(ownActions, otherActions) { fields.insert(.order) }
        return fields
    }

    /// The actions in a comparable order. One command may change the rooms of both sides, so
    /// consecutive writes are sorted.
    private var orderedActions: [Action] {
        var actions = actions
        for index in actions.indices.dropFirst() {
            if case .room(.start, _) = actions[index], case .room(.end, _) = actions[index - 1] {
                actions.swapAt(index, index - 1)
            }
        }
        return actions
    }

    private static func agree(_ a: [Action], _ b: [Action]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { $0.agrees(with: $1) }
    }

    /// The text of this moment in `field`.
    func text(of field: OracleField) -> String {
        let shown = field == .order ? actions : actions.filter { $0.field == field }
        return "\(shown.map { "\($0)" }) after \(after.text(of: field))"
    }
}

extension Moment.Snapshot {
    fileprivate func differences(from other: Self) -> Set<OracleField> {
        var fields: Set<OracleField> = []
        if pull.isEnabled != other.pull.isEnabled { fields.insert(.refreshEnabled) }
        if approach.isEnabled != other.approach.isEnabled { fields.insert(.moreEnabled) }
        if !pull.state.agrees(with: other.pull.state) { fields.insert(.refreshState) }
        if !approach.state.agrees(with: other.approach.state) { fields.insert(.moreState) }
        if !close(room.start, other.room.start) || !close(room.end, other.room.end) {
            fields.insert(.inset)
        }
        if wrapperState != other.wrapperState { fields.insert(.wrapper) }
        if stage != other.stage { fields.insert(.stage) }
        if !close(drawn ?? -1, other.drawn ?? -1) { fields.insert(.drawn) }
        if isAnimating != other.isAnimating { fields.insert(.animation) }
        return fields
    }

    fileprivate func text(of field: OracleField) -> String {
        switch field {
        case .refreshState, .refreshEnabled: "\(pull.state)\(pull.isEnabled ? "" : ", off")"
        case .moreState, .moreEnabled: "\(approach.state)\(approach.isEnabled ? "" : ", off")"
        case .inset: "\(room.start), \(room.end)"
        case .wrapper: wrapperState ?? "-"
        case .stage: stage.map { "\($0)" } ?? "-"
        case .drawn: drawn.map { "\($0)" } ?? "-"
        case .animation: isAnimating.map { "\($0)" } ?? "-"
        case .haptic, .trigger, .request, .offset, .order: "-"
        }
    }
}

extension Moment.PeerState {
    func agrees(with other: Self) -> Bool {
        if case .pulling(let a) = self, case .pulling(let b) = other { return close(a, b) }
        return self == other
    }
}

extension Moment.Action {
    var field: OracleField {
        switch self {
        case .state(.refresh, _): .refreshState
        case .state(.loadMore, _): .moreState
        case .haptic: .haptic
        case .room: .inset
        case .callback: .trigger
        case .request: .request
        case .wrapperState, .models: .wrapper
        case .draw: .drawn
        case .startAnimation, .stopAnimation: .animation
        case .move: .offset
        }
    }

    func agrees(with other: Self) -> Bool {
        switch (self, other) {
        case (.state(let a, let from), .state(let b, let to)): a == b && from.agrees(with: to)
        case (.haptic(let a), .haptic(let b)): a == b
        case (.room(let a, let x), .room(let b, let y)): a == b && close(x, y)
        case (.callback(let a, let s), .callback(let b, let t)): a == b && s == t
        case (.request(let a, let x), .request(let b, let y)): a == b && x == y
        case (.wrapperState(let a), .wrapperState(let b)): a == b
        case (.models(let a, let x), .models(let b, let y)): a == b && x == y
        case (.draw(let a), .draw(let b)): close(a, b)
        case (.move(let a), .move(let b)): close(a, b)
        case (.startAnimation, .startAnimation), (.stopAnimation, .stopAnimation): true
        default: false
        }
    }
}

private func close(_ a: Double, _ b: Double) -> Bool {
    abs(a - b) <= Moment.tolerance || (a.isNaN && b.isNaN)
}
