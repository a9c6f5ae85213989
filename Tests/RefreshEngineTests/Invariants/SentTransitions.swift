import RefreshEngine
import RefreshProtocol

/// The transitions of the state machines. The element at the index of a state has one bit for each
/// successor of this state.
enum SentTransitions {
    static let refresh = bits(MachineDiagram.refresh)
    static let loadMore = bits(MachineDiagram.loadMore)
    static let floor: [UInt32] = FloorState.allCases.map { state in
        MachineDiagram.floor.successors(of: state).reduce(0) { $0 | $1.bit }
    }

    private static func bits(_ diagram: MachineDiagram<EdgeState>) -> [UInt32] {
        EdgeState.allCases.map { state in
            diagram.successors(of: state).reduce(0) { $0 | $1.bit }
        }
    }
}

extension EdgeState {
    /// The index of the state in `allCases`, found without a search.
    var index: Int {
        switch self {
        case .disabled: 0
        case .idle: 1
        case .pulling: 2
        case .eligible: 3
        case .triggered: 4
        case .refreshing: 5
        case .succeeded: 6
        case .finishing: 7
        case .approaching: 8
        case .loading: 9
        case .failed: 10
        case .noMore: 11
        }
    }

    var bit: UInt32 { 1 << UInt32(index) }
}

extension FloorState {
    var index: Int {
        switch self {
        case .closed: 0
        case .pulling: 1
        case .eligible: 2
        case .opening: 3
        case .open: 4
        case .closing: 5
        }
    }

    var bit: UInt32 { 1 << UInt32(index) }
}
