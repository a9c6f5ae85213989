/// The rules of IQPullToRefresh 3.0.3, an original: a library whose behaviour is compared with the
/// engine's. `departs(_:)` selects the behaviour that a verdict demands (see `OracleModel`). The
/// rules of the paging wrapper are in `IQOriginal+Wrapper.swift`.
struct IQOriginal: OracleModel {
    let amendments: Set<String>
    var departures: Set<String> = []
    var loads: [Moment.Control] { answers.map(\.control) }
    var state: State
    var place: ListPlace
    /// The outcome of each load, by number.
    var answers: [Load] = []
    var actions: [Moment.Action] = []

    struct Load {
        var control: Moment.Control
        var outcome = Outcome.open

        enum Outcome { case open, answered, stopped, superseded }
    }

    /// The state that determines all further behaviour.
    struct State: Equatable {
        var delegateBegins: String
        var finishesAtOnce: Bool
        var isDragging = false
        var isFingerDown = false
        var isDecelerating = false
        var offset: Double
        var contentLength: Double
        var viewportLength: Double
        var app: Moment.Sides
        var safeArea: Moment.Sides
        /// The current insets, including the inset shares of the controls.
        var inset: Moment.Sides
        /// The desired inset shares of the controls. These shares are reported.
        var wanted = Moment.Sides()
        var pull: Edge
        var approach: Edge
        var wrapper: Wrapper?
    }

    struct Edge: Equatable {
        var isEnabled: Bool
        var isSystem = false
        var isSpinning = false
        var length: Double
        var preload: Double
        var firesOnRelease: Bool
        var needsOverscroll = true
        var state = Moment.PeerState.none
        /// The load in flight, as an index into the loads of this model.
        var load: Int?
        /// Whether this gesture has fired.
        var hasFired = false
        /// Whether a load has succeeded since this gesture fired.
        var isRenewed = false
        /// Whether the list has gone back from the threshold since this gesture fired.
        var hasLeft = false
        /// Whether a refresh has replaced the list of the load.
        var isSuperseded = false
        /// Whether a page has failed and the list has not left the end since.
        var hasFailed = false
    }

    init(_ trace: OracleTrace, _ config: OracleTrace.IQ, amendments: Set<String>) {
        self.amendments = amendments
        let horizontal = trace.isHorizontal
        let sizes = trace.geometry
        func sides(_ insets: OracleTrace.Insets) -> Moment.Sides {
            horizontal
                ? Moment.Sides(start: insets.left, end: insets.right)
                : Moment.Sides(start: insets.top, end: insets.bottom)
        }
        state = State(
            delegateBegins: config.delegate.begin,
            finishesAtOnce: config.delegate.finish == "sync",
            offset: horizontal ? sizes.initialOffset.x : sizes.initialOffset.y,
            contentLength: horizontal ? sizes.contentSize.width : sizes.contentSize.height,
            viewportLength: horizontal ? sizes.viewport.width : sizes.viewport.height,
            app: sides(sizes.contentInset), safeArea: sides(sizes.safeArea),
            inset: sides(sizes.contentInset),
            pull: Edge(config.refreshControl, isEnabled: config.enableRefresh),
            approach: Edge(config.loadMoreControl, isEnabled: config.enableLoadMore),
            wrapper: config.wrapper.map(Wrapper.init))
        place = ListPlace(
            offset: state.offset, rest: -(state.app.start + state.safeArea.start))
        if state.wrapper != nil {
            state.pull.isEnabled = true
            state.approach.isEnabled = false
        }
        refuseLengths()
        if !state.pull.isEnabled, state.pull.state == .unknown, departs("IQ-9") {
            state.pull.state = .none
        }
    }

    private mutating func refuseLengths() {
        if state.pull.length <= 0, departs("IQ-16") { state.pull.isEnabled = false }
        if state.approach.length <= 0, departs("IQ-16") { state.approach.isEnabled = false }
    }

    subscript(control: Moment.Control) -> Edge {
        get { control == .refresh ? state.pull : state.approach }
        set { if control == .refresh { state.pull = newValue } else { state.approach = newValue } }
    }

    var after: Moment.Snapshot {
        var after = Moment.Snapshot()
        after.pull = Moment.EdgeView(isEnabled: state.pull.isEnabled, state: state.pull.state)
        after.approach = Moment.EdgeView(
            isEnabled: state.approach.isEnabled, state: state.approach.state)
        after.room = Moment.Sides(
            start: state.inset.start - state.app.start, end: state.inset.end - state.app.end)
        after.wrapperState = state.wrapper?.state
        return after
    }

    var namesLoads: Bool { true }

    func runningLoad(_ control: Moment.Control) -> Int? { self[control].load }

    /// The numbers of the loads may differ, but each edge must have a load in both models or in
    /// neither.
    func isTogether(with other: IQOriginal) -> Bool {
        func plain(_ state: State) -> State {
            var state = state
            state.pull.load = state.pull.load.map { _ in 0 }
            state.approach.load = state.approach.load.map { _ in 0 }
            return state
        }
        // If an inset is withheld, only one of the two models will send it later.
        let isSettled = [Moment.Side.start, .end].allSatisfy {
            state.inset[$0] == state.app[$0] + state.wanted[$0]
        }
        return isSettled && plain(state) == plain(other.state)
    }

    /// Whether the amended behaviour of a verdict applies here. Call it only where that behaviour
    /// differs from the original's.
    mutating func departs(_ verdict: String) -> Bool {
        guard amendments.contains(verdict) else { return false }
        departures.insert(verdict)
        return true
    }

    mutating func clamped(to offset: Double) {
        state.offset = offset
        place.clamped(to: offset)
    }

    /// Moves the list to `target`, as the engine does.
    mutating func move(to target: Double?) {
        if let target, departs("IQ-18") { actions.append(.move(target)) }
    }

    private mutating func moveStart() {
        move(to: place.start(at: -(state.app.start + state.safeArea.start)))
    }

    mutating func handle(_ step: OracleStep) -> Moment {
        actions = []
        departures = []
        refuseLengths()
        place.follow(step)
        switch step {
        case .dragBegan, .dragEnded, .dragCancelled, .decelerationEnded, .flagsSet, .scrolled:
            handleMovement(step)
        case .contentSet(let length):
            state.contentLength = length
            moveStart()
        case .viewportSet(let length):
            state.viewportLength = length
            moveStart()
        case .safeAreaSet(let sides):
            state.safeArea = sides
            moveStart()
        case .insetsSet(let sides):
            setAppInsets(sides)
            moveStart()
        case .requested(let control):
            if self[control].isEnabled, self[control].state != .refreshing {
                trigger(control, type: "manual")
            }
        case .stopped(let control): stop(control)
        case .began(let control, let isSuccess, let load):
            guard load != nil, isCurrent(load, of: control) else { break }
            if isSuccess { begin(control) } else { end(control, outcome: .answered) }
        case .finished(let control, let isSuccess, let load):
            guard load != nil, isCurrent(load, of: control) else { break }
            finish(control, isSuccess: isSuccess)
        case .answered(let isSuccess, let count, let load):
            if let load { answer(load, isSuccess: isSuccess, count: count) }
        case .enabled(let control, let isEnabled): enable(control, isEnabled)
        case .systemControlFired: systemControlFired()
        case .controlReplaced(let length, let own): replaceControl(length: length, state: own)
        case .lengthSet(let length): state.pull.length = length
        case .pageSizeSet(let size): setPageSize(size)
        case .nothing: break
        }
        return Moment(actions: actions, after: after)
    }
}

extension IQOriginal.Edge {
    /// The values of the library's own controls, with the trace's changes.
    init(_ control: OracleTrace.Control, isEnabled: Bool) {
        let isIndicator = control.kind == "indicator"
        let isSystem = control.kind == "system"
        self.init(
            isEnabled: isEnabled, isSystem: isSystem,
            length: control.refreshLength ?? (isIndicator ? 60 : isSystem ? 170 : 80),
            preload: control.preloadOffset ?? 0,
            firesOnRelease: control.style.map { $0 == "touchRelease" }
                ?? !(isIndicator || isSystem),
            needsOverscroll: control.mode.map { $0 == "userInteraction" } ?? !isIndicator,
            state: control.initialState.flatMap { Moment.PeerState($0, progress: nil) } ?? .none)
    }
}
