/// The rules of MRefresh 0.1.1 and 0.2.1, an original: a library whose behaviour is compared with
/// the engine's. `departs(_:)` selects the behaviour that a verdict demands (see `OracleModel`).
struct MROriginal: OracleModel {
    let amendments: Set<String>
    var departures: Set<String> = []
    private(set) var loads: [Moment.Control] = []
    private(set) var state: State
    private(set) var place: ListPlace
    private var actions: [Moment.Action] = []
    let plan: Plan

    /// The values that are fixed when the view is created.
    struct Plan: Equatable {
        var isNewer: Bool
        var start: Double
        var threshold: Double
        var height: Double
        /// The maximum distance from the top at which the list counts as near its top.
        var zone: Double
        var originalInset: Double
        var finishesInHandler: Bool
    }

    enum Phase: Equatable { case triggered, loading, stopped }

    /// The state that determines all further behaviour.
    struct State: Equatable {
        var phase = Phase.triggered
        var isEnabled = true
        var isObserving = true
        var isAnimating = false
        /// The fraction of the figure that was last drawn.
        var proportion = 0.0
        /// The fraction of the figure that is visible.
        var shown = 0.0
        var isDragging = false
        var isFingerDown = false
        var isDecelerating = false
        var offset: Double
        var app: Double
        var safeArea: Double
        var inset: Double
        /// Whether the room must be closed when the finger leaves.
        var mustCloseOnRelease = false
    }

    init(
        _ trace: OracleTrace, _ config: OracleTrace.MR, version: String, amendments: Set<String>
    ) {
        self.amendments = amendments
        let isNewer = version != "0.1.1"
        let height = config.viewHeight + config.heightIncrease
        let top = trace.geometry.contentInset.top
        plan = Plan(
            isNewer: isNewer,
            start: isNewer ? config.animationStart : config.animationStartDistance,
            threshold: isNewer
                ? config.animationStart + config.animationDistance
                : height + config.animationEndDistanceOffset,
            height: isNewer ? config.loadingContentInset : height, zone: isNewer ? 20 : 0,
            originalInset: top, finishesInHandler: config.finishInHandler)
        state = State(
            offset: trace.geometry.initialOffset.y, app: top,
            safeArea: trace.geometry.safeArea.top, inset: top)
        place = ListPlace(offset: state.offset, rest: -(state.app + state.safeArea))
        refuseStart()
    }

    private mutating func refuseStart() {
        if plan.start >= plan.threshold, departs("MR-12") { state.isEnabled = false }
    }

    var after: Moment.Snapshot {
        var after = Moment.Snapshot()
        after.pull.isEnabled = state.isEnabled
        after.room.start = state.inset - state.app
        switch state.phase {
        case .loading: after.stage = 3
        case .stopped: after.stage = 4
        case .triggered: after.stage = state.proportion > 0 ? 2 : 1
        }
        if state.phase == .triggered { after.drawn = state.proportion }
        after.isAnimating = state.isAnimating
        return after
    }

    var namesLoads: Bool { false }

    func runningLoad(_ control: Moment.Control) -> Int? {
        state.phase == .loading ? loads.indices.last : nil
    }

    func isTogether(with other: MROriginal) -> Bool { state == other.state }

    /// Whether the amended behaviour of a verdict applies here. Call it only where that behaviour
    /// differs from the original's.
    private mutating func departs(_ verdict: String) -> Bool {
        guard amendments.contains(verdict) else { return false }
        departures.insert(verdict)
        return true
    }

    mutating func clamped(to offset: Double) {
        state.offset = offset
        place.clamped(to: offset)
    }

    /// Moves the list to `target`, as the engine does.
    private mutating func move(to target: Double?) {
        if let target, departs("IQ-18") { actions.append(.move(target)) }
    }

    private mutating func moveStart() { move(to: place.start(at: -(state.app + state.safeArea))) }

    mutating func handle(_ step: OracleStep) -> Moment {
        actions = []
        departures = []
        refuseStart()
        place.follow(step)
        switch step {
        case .dragBegan:
            state.isDragging = true
            state.isFingerDown = true
            state.isDecelerating = false
            panBegan()
        case .dragEnded(let decelerates, let latched):
            lift(decelerates: decelerates, latched: latched)
            panEnded()
            hideRoom()
            place.lift(isSliding: decelerates)
        case .dragCancelled(let decelerates):
            lift(decelerates: decelerates, latched: false)
            if departs("MR-6") { panEnded() }
            hideRoom()
            place.lift(isSliding: decelerates)
        case .decelerationEnded:
            state.isDragging = false
            state.isDecelerating = false
        case .flagsSet(let dragging, let tracking, let decelerating):
            state.isDragging = dragging ?? state.isDragging
            state.isFingerDown = tracking ?? state.isFingerDown
            state.isDecelerating = decelerating ?? state.isDecelerating
        case .scrolled(let offset):
            state.offset = offset
            scrolled()
        case .insetsSet(let sides):
            setAppInset(sides.start)
            moveStart()
        case .safeAreaSet(let sides):
            state.safeArea = sides.start
            moveStart()
        case .contentSet, .viewportSet: moveStart()
        case .finished: stopAnimating()
        case .enabled(_, let isEnabled): enable(isEnabled)
        default: break
        }
        return Moment(actions: actions, after: after)
    }

    // MARK: The pan

    private mutating func lift(decelerates: Bool, latched: Bool) {
        // When the finger leaves the list, the list has not come to rest yet.
        place.lift(isSliding: true)
        state.isFingerDown = false
        state.isDragging = latched
        state.isDecelerating = decelerates
    }

    private mutating func panBegan() {
        guard state.isObserving else { return }
        if state.phase == .stopped, state.proportion > 0, departs("MR-11") { state.proportion = 0 }
        if state.phase != .loading { state.phase = .triggered }
    }

    private mutating func panEnded() {
        guard state.isObserving else { return }
        if state.phase == .stopped, state.isAnimating {
            close()
        } else if state.phase == .loading, isNearTop() {
            open()
        }
    }

    /// Whether the list is near its top. The original measures from the current insets. An amended
    /// model measures from the app's insets alone.
    private mutating func isNearTop() -> Bool {
        var top = amendments.contains("MR-4") ? state.app : state.inset
        if state.safeArea != 0, departs("MR-3") { top += state.safeArea }
        return state.offset + top <= plan.zone
    }

    private var isLetGo: Bool { !state.isDragging || state.isDecelerating }

    // MARK: The offset

    private mutating func scrolled() {
        guard state.isObserving, state.isEnabled else { return }
        switch state.phase {
        case .triggered:
            if isNearTop() {
                pulled()
            } else if state.proportion > 0, departs("MR-11") {
                draw(0)
            }
        case .loading:
            guard isLetGo else { return }
            if isNearTop() || (plan.isNewer && !departs("MR-8")) { open() }
        case .stopped:
            if !state.isFingerDown, !state.isDecelerating, isNearTop(), distance() > plan.threshold
            {
                _ = departs("MR-2")
            }
        }
    }

    /// The distance by which the list is pulled. The original ignores the safe area, later insets
    /// and the sign.
    private mutating func distance() -> Double {
        var top = ownTop()
        if state.safeArea != 0, departs("MR-3") { top += state.safeArea }
        let way = state.offset + top
        if way > plan.start, departs("MR-10") { return -way }
        return abs(way)
    }

    private mutating func pulled() {
        let distance = distance()
        let part = max(distance - plan.start, 0) / (plan.threshold - plan.start)
        let proportion = min(part, 1)
        guard distance > plan.threshold else { return draw(proportion) }
        if !state.isFingerDown, !state.isDecelerating { _ = departs("MR-2") }
        if !state.isFingerDown, departs("MR-1") { return draw(proportion) }
        fire(proportion)
    }

    private mutating func fire(_ proportion: Double) {
        state.phase = .loading
        loads.append(.refresh)
        let isBetter = departs("MR-13")
        if isBetter { draw(1) }
        if !isBetter { actions.append(.callback(.refresh, type: "actionHandler")) }
        if !state.isAnimating { actions.append(.startAnimation) }
        state.isAnimating = true
        move(to: place.reveal(plan.height))
        if isBetter { actions.append(.callback(.refresh, type: "actionHandler")) }
        if !isBetter { draw(proportion) }
        if plan.finishesInHandler, departs("MR-5") { stopAnimating() }
    }

    private mutating func draw(_ proportion: Double) {
        state.proportion = proportion
        guard state.shown != proportion else { return }
        state.shown = proportion
        actions.append(.draw(proportion))
    }

    // MARK: The room

    private mutating func open() {
        state.mustCloseOnRelease = false
        write(ownTop() + plan.height)
    }

    private mutating func close() {
        state.isAnimating = false
        state.shown = 0
        actions.append(.stopAnimation)
        write(ownTop())
        move(to: place.close())
    }

    /// The app's top inset. The original uses the initial inset. An amended model uses the current
    /// inset.
    private mutating func ownTop() -> Double {
        state.app != plan.originalInset && departs("MR-4") ? state.app : plan.originalInset
    }

    private mutating func write(_ inset: Double) {
        if state.inset == inset, departs("MR-7") { return }
        state.inset = inset
        actions.append(.room(.start, inset - state.app))
    }

    private mutating func stopAnimating() {
        guard state.isAnimating, state.phase == .loading else { return }
        state.phase = .stopped
        if isLetGo { close() }
    }

    private mutating func setAppInset(_ top: Double) {
        let share = state.inset - state.app
        state.app = top
        state.inset = top
        if share != 0, departs("MR-4") { state.inset += share }
    }

    // MARK: Off and on

    private mutating func enable(_ isEnabled: Bool) {
        if plan.start >= plan.threshold, departs("MR-12") { return }
        guard !departs("MR-9") else { return enableForGood(isEnabled) }
        guard plan.isNewer else { return }
        state.isObserving = isEnabled
    }

    /// Enables the control, or disables it. A disabled control is reset and hidden.
    private mutating func enableForGood(_ isEnabled: Bool) {
        guard isEnabled != state.isEnabled else { return }
        state.isEnabled = isEnabled
        guard !isEnabled else { return }
        if state.isAnimating { actions.append(.stopAnimation) }
        if state.phase == .triggered { draw(0) }
        state.isAnimating = false
        state.phase = .triggered
        state.proportion = 0
        state.shown = 0
        state.mustCloseOnRelease = state.inset != state.app
        hideRoom()
        move(to: place.close())
    }

    /// Closes the room if no finger is down.
    private mutating func hideRoom() {
        guard state.mustCloseOnRelease, !state.isFingerDown else { return }
        state.mustCloseOnRelease = false
        write(state.app)
    }
}
