import RefreshEngine
import RefreshProtocol

/// Every phase and every fact of the second floor, each with the name that tables and diagrams use.
/// A fact is an input of the state machine (see `PhaseTable`).
extension FloorPhase {
    static let samples: [(name: String, phase: FloorPhase)] = [
        ("closed", .closed), ("pulling .5", .pulling(progress: 0.5)),
        ("pulling 1", .pulling(progress: 1)), ("eligible", .eligible), ("opening", .opening),
        ("open", .open), ("closing", .closing),
    ]

    var name: String {
        switch self {
        case .closed, .eligible, .opening, .open, .closing: "\(state)"
        case .pulling(let progress): "pulling \(short(progress))"
        }
    }
}

extension FloorFact {
    static let samples: [(name: String, fact: FloorFact)] = [
        ("pulled 0", .pulled(progress: 0, mayArm: false)),
        ("pulled 0, arms", .pulled(progress: 0, mayArm: true)),
        ("pulled .25", .pulled(progress: 0.25, mayArm: false)),
        ("pulled .25, arms", .pulled(progress: 0.25, mayArm: true)),
        ("pulled .5, arms", .pulled(progress: 0.5, mayArm: true)),
        ("pulled 1", .pulled(progress: 1, mayArm: false)),
        ("pulled 1, arms", .pulled(progress: 1, mayArm: true)),
        ("released", .released(isFast: false)), ("released, fast", .released(isFast: true)),
        ("cancelled", .cancelled), ("rested", .rested), ("open requested", .openRequested),
        ("close requested", .closeRequested), ("arrived", .arrived), ("removed", .removed),
    ]

    /// The name of the fact without its values, for diagrams.
    var kind: String {
        switch self {
        case .pulled: "pulled"
        case .released: "released"
        case .cancelled: "cancelled"
        case .rested: "rested"
        case .openRequested: "open requested"
        case .closeRequested: "close requested"
        case .arrived: "arrived"
        case .removed: "removed"
        }
    }
}
