import RefreshProtocol

/// The table of differences between the engine and IQPullToRefresh, a pull-to-refresh library for
/// iOS.
///
/// A *verdict* judges one behaviour of the library that the engine does not copy (see `Verdict`).
/// Each verdict has one row (see `OracleRow`), and so has R10, the rule that nothing moves under a
/// finger. The comment of a row states what the engine does. The *wrapper* is the library's class
/// that requests pages and counts items.
enum IQTable {
    typealias Row = OracleRow<IQOriginal>

    /// All fields that the start of a load changes. With the wrapper, a refresh disables load more.
    private static let load: Set<OracleField> = [
        .refreshState, .moreState, .moreEnabled, .haptic, .inset, .trigger, .request, .wrapper,
        .order,
    ]
    static let rows: [Row] = wrapperRows + loadRows + edgeRows + movementRows

    private static let wrapperRows = [
        // In a view without further pages load more is disabled, whatever the first page contained.
        Row("IQ-1", load) {
            $0.before.state.wrapper?.style == "none" && $0.isAnswer
        } engine: {
            !$0.engine.after.approach.isEnabled
        },
        // If load more was enabled before a failed refresh, it is enabled again.
        Row("IQ-2", load) {
            $0.isAnswer && $0.event.success == false && $0.before.state.wrapper?.wasEnabled == true
        } engine: {
            $0.engine.after.approach.isEnabled
        },
        // The answer to the load of a page changes nothing if a refresh has superseded this load.
        Row("IQ-3", load) {
            $0.event.type == "respond"
        } engine: {
            $0.engine.actions.isEmpty
        },
        // An answer affects only its own load.
        Row("IQ-4", load) {
            $0.isAnswer || $0.event.type.hasSuffix("Begin")
        } engine: {
            $0.engine.actions.isEmpty
        } apart: {
            let (pull, approach) = ($0.before.state.pull, $0.before.state.approach)
            return !$0.isAnswer || $0.engine.actions.isEmpty || pull.load != nil
                || approach.load != nil
        },
        // A cancellation resets the state of the wrapper at once, and a late answer changes
        // nothing.
        Row("IQ-6", load) {
            $0.before.state.wrapper != nil
        } engine: {
            $0.event.type == "respond"
                ? $0.engine.actions.isEmpty : $0.engine.after.wrapperState == "none"
        } apart: {
            $0.engineReportsItsLoad && $0.engineRestoresInsets
        },
        // Pages are counted, and a page is full if it has at least the requested number of items.
        Row("IQ-20", load) {
            $0.before.state.wrapper.map { $0.count != $0.pages * $0.pageSize } == true
                || ($0.event.count ?? 0) > ($0.before.state.wrapper?.pageSize ?? 0)
        } engine: {
            $0.engine.after.approach.isEnabled
        } apart: {
            $0.engine.after.approach.isEnabled || $0.engine.after.pull.state == .refreshing
        },
        // An answer causes one change of the load-more edge. A repeated answer causes no change.
        Row("IQ-21", [.wrapper]) {
            $0.event.type == "respond"
        } engine: {
            $0.moreShown <= 1
        },
    ]

    private static let loadRows = [
        // An edge has one load at a time. A load is in flight from its trigger on. A waiting load
        // shows nothing.
        Row("IQ-5", load) {
            $0.before.state.pull.load != nil || $0.before.state.approach.load != nil
                || $0.event.type == "refresh" || $0.event.type == "loadMore"
        } engine: {
            let (before, engine) = ($0.before.state, $0.engine.after)
            return switch $0.event.type {
            case "refresh" where before.pull.load == nil: engine.pull.state == .none
            case "loadMore" where before.approach.load == nil: engine.approach.state == .none
            default:
                !(before.pull.load != nil && $0.engineCalls(.refresh))
                    && !(before.approach.load != nil && $0.engineCalls(.loadMore))
            }
        },
        // Exactly the added inset is removed.
        Row("IQ-7", load) {
            $0.event.type.hasPrefix("set") || $0.isAnswer || $0.event.type.hasSuffix("Begin")
                || $0.event.type.hasPrefix("stop")
                || $0.event.type == "replaceRefreshControl" || $0.event.type.hasPrefix("enable")
        } engine: {
            $0.engineRestoresInsets
        },
        // If a load that has not begun is reported as finished, the display and the load end.
        Row("IQ-10", load) {
            $0.before.state.pull.isSystem
        } engine: {
            $0.engine.after.pull.state == .none
        } apart: {
            $0.engine.after.pull.state != .refreshing || $0.after.state.pull.load != nil
        },
        // A refresh that begins at the top moves the list to show the indicator. The list moves
        // back when the refresh ends.
        Row("IQ-18", [.offset]) {
            !$0.before.state.isFingerDown
        } engine: {
            let rest = -($0.after.state.app.start + $0.after.state.safeArea.start)
            let pull = $0.after.state.pull
            let wanted = $0.after.state.wanted.start
            let shown = rest - (pull.isSystem || wanted == 0 ? pull.length : wanted)
            if $0.engine.after.pull.state == .refreshing { return $0.engineMoves == [shown] }
            let began = $0.before.state.pull.state != .refreshing
            return $0.engineMoves == (began && $0.before.place.restsAtTop ? [shown, rest] : [rest])
        },
        // A load that fails is reported as failed.
        Row("IQ-19", []) {
            $0.isAnswer && $0.event.success == false
        } engine: {
            $0.results == [.failed]
        },
        // The engine moves nothing under a finger. It sends the withheld commands at the release.
        Row("R10", [.inset, .order]) {
            $0.before.state.isFingerDown || $0.isRelease
        } engine: {
            $0.isRelease ? $0.engine.after.room == $0.after.state.wanted : $0.engineSetsNoInset
        } apart: {
            $0.before.state.isFingerDown && !$0.isRelease
                ? $0.engineSetsNoInset : $0.engineRestoresInsets
        },
    ]

    private static let edgeRows = [
        // A disabled edge is not pulled.
        Row("IQ-8", load) {
            ($0.event.type.hasPrefix("enable") && $0.event.value == false)
                || $0.event.type == "respond"
        } engine: {
            let off = Moment.EdgeView(isEnabled: false, state: .none)
            return off
                == ($0.event.type == "enableRefresh"
                    ? $0.engine.after.pull : $0.engine.after.approach)
        } apart: {
            $0.engineHidesDisabledEdges
        },
        // A disabled control has no state that could block the other edge.
        Row("IQ-9", load) {
            $0.event.type == "replaceRefreshControl" && !$0.before.state.pull.isEnabled
        } engine: {
            $0.engine.after.pull.state == .none
        },
        // A length of 0 is refused.
        Row("IQ-16", load.union([.refreshEnabled, .moreEnabled])) {
            $0.before.state.pull.length <= 0 || $0.before.state.approach.length <= 0
        } engine: {
            ($0.before.state.pull.length > 0 || !$0.engine.after.pull.isEnabled)
                && ($0.before.state.approach.length > 0 || !$0.engine.after.approach.isEnabled)
        },
    ]

    private static let movementRows = [
        // Short content is always at its end, so only a movement beyond it requests a page.
        Row("IQ-11", load) {
            $0.isScroll
                && $0.after.state.offset
                    <= -($0.after.state.app.start + $0.after.state.safeArea.start)
        } engine: {
            $0.engineRequestsNothing && $0.engine.after.approach.state == .pulling(1)
        } apart: {
            !($0.isScroll && $0.after.state.offset <= $0.rest && $0.requestsLoad(.loadMore))
        },
        // A gesture that has fired an edge does not fire it again while the list stays beyond the
        // threshold. After a page has failed, no gesture fires before the list has left the end.
        Row("IQ-12", load) {
            $0.isScroll
                && ($0.before.state.pull.hasFired || $0.before.state.approach.hasFired
                    || $0.before.state.approach.hasFailed)
        } engine: {
            $0.engineRequestsNothing
        } apart: {
            $0.mayRequest || $0.engineRequestsNothing
        },
        // The release of the finger fires an armed edge. A movement after the release does not.
        Row("IQ-13", load) {
            ($0.isRelease || ($0.isScroll && !$0.before.state.isFingerDown))
                && ($0.before.state.pull.state == .eligible
                    || $0.before.state.approach.state == .eligible)
        } engine: {
            $0.engineRequestsNothing != $0.isRelease
        } apart: {
            $0.mayRequest || $0.engineRequestsNothing
        },
        // The list is dragged if a finger is on it, whatever the list's flags are. A fling does not
        // arm an edge.
        Row("IQ-14", load) {
            $0.isScroll && $0.before.state.isDragging && !$0.before.state.isFingerDown
        } engine: {
            $0.engine.after.pull.state != .eligible
        } apart: {
            $0.before.state.isFingerDown || $0.engine.after.pull.state != .eligible
        },
        // A fling that reaches the end requests a page, whatever the list's flags are.
        Row("IQ-15", load) {
            $0.isScroll && !$0.before.state.isFingerDown
                && !$0.before.state.approach.needsOverscroll
        } engine: {
            $0.engineLoadsAtTheEnd
        } apart: {
            $0.engineLoadsAtTheEnd
        },
        // Insets may have fractions of points.
        Row("IQ-17", load) {
            let sides = $0.before.state
            return [sides.app.start + sides.safeArea.start, sides.app.end + sides.safeArea.end]
                .contains { $0 != $0.rounded() }
        } engine: {
            $0.engineShowsProgress
        },
    ]
}
