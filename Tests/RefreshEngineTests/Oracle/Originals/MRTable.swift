/// The verdicts on MRefresh, one row each.
enum MRTable {
    typealias Row = OracleRow<MROriginal>

    /// All fields that the start of a load changes.
    private static let load: Set<OracleField> = [
        .stage, .drawn, .animation, .inset, .trigger, .order,
    ]

    static let rows: [Row] = pullRows + roomRows + endRows

    private static let pullRows = [
        // Only a finger fires.
        Row("MR-1", load) {
            $0.isScroll && !$0.before.state.isFingerDown && $0.before.state.phase == .triggered
        } ours: {
            $0.oursAsksNothing
        } apart: {
            $0.oursAsksNothing || $0.before.state.isFingerDown
        },
        // The program never fires, neither before the first load nor after one.
        Row("MR-2", load) {
            $0.isScroll && !$0.before.state.isFingerDown && !$0.before.state.isDecelerating
        } ours: {
            $0.oursAsksNothing
        } apart: {
            $0.oursAsksNothing || $0.before.state.isFingerDown
        },
        // The safe area is included in the distance.
        Row("MR-3", load) {
            $0.before.state.safeArea != 0
        } ours: {
            $0.oursShowsHowFar
        },
        // The sign of the distance is respected.
        Row("MR-10", [.stage, .drawn]) {
            $0.isScroll && $0.after.state.offset + $0.after.state.app + $0.after.state.safeArea > 0
        } ours: {
            $0.ours.after.drawn ?? 0 == 0
        } apart: {
            $0.oursShowsHowFar
        },
        // A refresh that is over is not drawn.
        Row("MR-11", [.stage, .drawn]) {
            $0.before.state.proportion > 0
        } ours: {
            $0.ours.after.stage == 1 && $0.ours.after.drawn == 0
        } apart: {
            $0.oursShowsHowFar
        },
        // A threshold at or before the start is refused.
        Row("MR-12", load.union([.refreshEnabled])) {
            $0.before.plan.start >= $0.before.plan.threshold
        } ours: {
            !$0.ours.after.pull.isEnabled
        },
        // The figure is complete and animated when the load begins.
        Row("MR-13", [.order]) {
            $0.isScroll && $0.before.state.phase == .triggered
        } ours: {
            $0.oursDrawsBeforeItAsks
        },
    ]

    private static let roomRows = [
        // When the refresh is over, a list that is left before its start moves to it. A list that
        // shows the refresh moves with its start.
        Row("IQ-18", [.offset]) {
            !$0.before.state.isFingerDown
        } ours: {
            let rest = -($0.after.state.app + $0.after.state.safeArea)
            let isShown = $0.ours.after.stage == 3
            return $0.oursMoves == [isShown ? rest - $0.before.plan.height : rest]
        },
        // The app's inset is never changed.
        Row("MR-4", load) {
            $0.before.plan.originalInset != $0.after.state.app || $0.event.type == "setContentInset"
        } ours: {
            $0.ours.after.room.start == 0 || $0.ours.after.room.start == $0.before.plan.height
        },
        // An inset that does not change is not set.
        Row("MR-7", [.inset]) {
            $0.before.state.phase != .triggered
        } ours: {
            $0.oursWritesNoInset
        } apart: {
            $0.oursWritesNoInset || $0.ours.after.room != $0.before.after.room
        },
        // The room opens only near the top.
        Row("MR-8", [.inset, .order]) {
            $0.isScroll && $0.before.plan.isNewer && $0.before.state.phase == .loading
        } ours: {
            $0.oursWritesNoInset
        } apart: {
            $0.oursWritesNoInset || $0.ours.after.room.start == 0
                || -$0.pulled <= $0.before.plan.zone
        },
    ]

    private static let endRows = [
        // A finish is accepted at any moment after the trigger.
        Row("MR-5", load) {
            $0.before.plan.finishesInHandler
        } ours: {
            $0.ours.after.stage == 4
        } apart: {
            $0.ours.after.stage != 3
        },
        // A cancelled pan ends.
        Row("MR-6", load) {
            $0.event.type == "dragCancel"
        } ours: {
            $0.ours.after.stage == 3 || $0.ours.after.isAnimating == false
        } apart: {
            $0.before.state.isFingerDown || $0.ours.after.stage == 3
                || $0.ours.after.isAnimating == false
        },
        // A disabled control shows nothing, and its load does not continue.
        Row("MR-9", load.union([.refreshEnabled])) {
            $0.event.type == "enableRefresh"
        } ours: {
            let after = $0.ours.after
            guard $0.event.value == false else { return after.pull.isEnabled }
            return !after.pull.isEnabled && after.isAnimating == false && after.stage == 1
        } apart: {
            $0.oursIsQuietWhereOff
        },
    ]
}
