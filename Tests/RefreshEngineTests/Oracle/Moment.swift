/// The effects of one event and the state after it, in terms that apply to the engine and to the
/// originals, which are the libraries IQPullToRefresh and MRefresh.
struct Moment {
    /// The actions, in the order in which they were performed.
    var actions: [Action] = []
    var after = Snapshot()

    /// An action of an original or of the engine.
    enum Action {
        case state(Control, PeerState)
        case haptic(String)
        /// The whole inset share at a side, after it was set.
        case room(Side, Double)
        /// A load is requested. `type` is the trigger.
        case callback(Control, type: String)
        case request(page: Int, size: Int)
        case wrapperState(String)
        case models(success: Bool, count: Int?)
        case draw(Double)
        case startAnimation
        case stopAnimation
        /// A command moves the list to this offset.
        case move(Double)
    }

    struct Snapshot {
        var pull = EdgeView()
        var approach = EdgeView()
        /// The inset shares that the original or the engine has added.
        var room = Sides()
        var wrapperState: String?
        /// MRefresh's stage: 1 (not pulled), 2 (pulled), 3 (loading) or 4 (the refresh has ended,
        /// and the pull is not over).
        var stage: Int?
        /// The fraction of MRefresh's figure that is drawn. Nil in the stages 3 and 4.
        var drawn: Double?
        var isAnimating: Bool?
    }

    struct EdgeView: Equatable {
        var isEnabled = false
        var state = PeerState.none
    }

    enum Control: Equatable { case refresh, loadMore }

    /// The state of an edge, as an original shows it. The JSON files of the fixtures call an
    /// original a peer.
    enum PeerState: Equatable {
        case unknown, none, eligible, refreshing
        case pulling(Double)
    }

    enum Side: Equatable { case start, end }

    struct Sides: Equatable {
        var start = 0.0
        var end = 0.0

        subscript(side: Side) -> Double {
            get { side == .start ? start : end }
            set { if side == .start { start = newValue } else { end = newValue } }
        }
    }
}

extension Moment.PeerState {
    /// The state that a recording names.
    init?(_ name: String, progress: Double?) {
        switch name {
        case "unknown": self = .unknown
        case "none": self = .none
        case "eligible": self = .eligible
        case "refreshing": self = .refreshing
        case "pulling": self = .pulling(progress ?? .nan)
        default: return nil
        }
    }
}
