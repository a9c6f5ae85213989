/// The table of differences between the engine and MRefresh, a pull-to-refresh library for iOS.
///
/// A *verdict* judges one behaviour of the library that the engine does not copy (see `Verdict`).
/// Each verdict has one row (see `OracleRow`). The comment of a row states what the engine does.
/// The row IQ-18 is named after a verdict on the library IQPullToRefresh, because the engine
/// differs from both libraries in the same way.
enum MRTable {
    typealias Row = OracleRow<MROriginal>

    /// All fields that the start of a load changes.
    private static let load: Set<OracleField> = [
        .stage, .drawn, .animation, .inset, .trigger, .order,
    ]

    static let rows: [Row] = pullRows + roomRows + endRows

    private static let pullRows = [
        // Only a finger can fire a refresh.
        Row("MR-1", load) {
            $0.isScroll && !$0.before.state.isFingerDown && $0.before.state.phase == .triggered
        } engine: {
            $0.engineRequestsNothing
        } apart: {
            $0.engineRequestsNothing || $0.before.state.isFingerDown
        },
        // A movement by the app's code never fires a refresh, neither before the first load nor
        // after a load.
        Row("MR-2", load) {
            $0.isScroll && !$0.before.state.isFingerDown && !$0.before.state.isDecelerating
        } engine: {
            $0.engineRequestsNothing
        } apart: {
            $0.engineRequestsNothing || $0.before.state.isFingerDown
        },
        // The distance of a pull is measured from the inset plus the safe area.
        Row("MR-3", load) {
            $0.before.state.safeArea != 0
        } engine: {
            $0.engineShowsProgress
        },
        // A list that is scrolled into its content is not pulled: its distance is negative.
        Row("MR-10", [.stage, .drawn]) {
            $0.isScroll && $0.after.state.offset + $0.after.state.app + $0.after.state.safeArea > 0
        } engine: {
            $0.engine.after.drawn ?? 0 == 0
        } apart: {
            $0.engineShowsProgress
        },
        // A refresh that has ended is not drawn.
        Row("MR-11", [.stage, .drawn]) {
            $0.before.state.proportion > 0
        } engine: {
            $0.engine.after.stage == 1 && $0.engine.after.drawn == 0
        } apart: {
            $0.engineShowsProgress
        },
        // A threshold that is not larger than `start` is refused. `start` is the distance at which
        // the pull becomes visible.
        Row("MR-12", load.union([.refreshEnabled])) {
            $0.before.plan.start >= $0.before.plan.threshold
        } engine: {
            !$0.engine.after.pull.isEnabled
        },
        // The figure, which the library draws for the pull, is complete and animated when the load
        // begins.
        Row("MR-13", [.order]) {
            $0.isScroll && $0.before.state.phase == .triggered
        } engine: {
            $0.engineDrawsBeforeItRequests
        },
    ]

    private static let roomRows = [
        // The engine moves a list that rests at its start or beyond it. While the refresh is shown,
        // the list moves to the start of the room. After the refresh, it moves to its own start.
        Row("IQ-18", [.offset]) {
            !$0.before.state.isFingerDown
        } engine: {
            let rest = -($0.after.state.app + $0.after.state.safeArea)
            let isShown = $0.engine.after.stage == 3
            return $0.engineMoves == [isShown ? rest - $0.before.plan.height : rest]
        },
        // The app's inset is never changed.
        Row("MR-4", load) {
            $0.before.plan.originalInset != $0.after.state.app || $0.event.type == "setContentInset"
        } engine: {
            $0.engine.after.room.start == 0 || $0.engine.after.room.start == $0.before.plan.height
        },
        // An inset that does not change is not set.
        Row("MR-7", [.inset]) {
            $0.before.state.phase != .triggered
        } engine: {
            $0.engineSetsNoInset
        } apart: {
            $0.engineSetsNoInset || $0.engine.after.room != $0.before.after.room
        },
        // The room opens only near the top.
        Row("MR-8", [.inset, .order]) {
            $0.isScroll && $0.before.plan.isNewer && $0.before.state.phase == .loading
        } engine: {
            $0.engineSetsNoInset
        } apart: {
            $0.engineSetsNoInset || $0.engine.after.room.start == 0
                || -$0.pulled <= $0.before.plan.zone
        },
    ]

    private static let endRows = [
        // The report that a load has finished is accepted at any moment after the trigger.
        Row("MR-5", load) {
            $0.before.plan.finishesInHandler
        } engine: {
            $0.engine.after.stage == 4
        } apart: {
            $0.engine.after.stage != 3
        },
        // A cancelled pan has the same effects as a pan that ends.
        Row("MR-6", load) {
            $0.event.type == "dragCancel"
        } engine: {
            $0.engine.after.stage == 3 || $0.engine.after.isAnimating == false
        } apart: {
            $0.before.state.isFingerDown || $0.engine.after.stage == 3
                || $0.engine.after.isAnimating == false
        },
        // A disabled control shows nothing, and its load is cancelled.
        Row("MR-9", load.union([.refreshEnabled])) {
            $0.event.type == "enableRefresh"
        } engine: {
            let after = $0.engine.after
            guard $0.event.value == false else { return after.pull.isEnabled }
            return !after.pull.isEnabled && after.isAnimating == false && after.stage == 1
        } apart: {
            $0.engineHidesDisabledEdges
        },
    ]
}
