import RefreshEngine
import RefreshProtocol

/// The adapter between traces, which were recorded with a library, and the engine. It converts the
/// settings of a trace to options, the steps of the trace to events, and the effects of the engine
/// to actions.
struct EngineAdapter: OraclePlayer {
    /// The loads so far, by number.
    var loads: [LoadID] = []
    /// The results of the loads that ended in this step.
    var results: [LoadResult] = []
    /// The number of messages about the load-more edge in this step.
    var moreShown = 0

    private(set) var engine: Engine
    let setup: Setup
    private var now = Instant.origin
    private var offset: Double
    private var isFingerDown = false
    private var isDecelerating = false
    var actions: [Moment.Action] = []
    /// For each edge, the state that the client has received last.
    var pull = Moment.PeerState.none
    var approach = Moment.PeerState.none
    /// The last reported message of each edge.
    var sentOutputs: [EdgeRole: ServerOutput] = [:]
    /// Whether a load was cancelled in this step and not replaced.
    var hasCancelled = false
    /// For MRefresh: the drawn fraction of the figure.
    var drawn = 0.0

    struct ServerOutput: Equatable {
        var state: EdgeState
        var progress: Double
    }

    init(_ trace: OracleTrace, _ setup: Setup) {
        self.setup = setup
        let sizes = trace.geometry
        offset = trace.isHorizontal ? sizes.initialOffset.x : sizes.initialOffset.y
        engine = Engine(
            generation: 1, options: setup.options, geometry: Self.change(sizes), offset: offset)
    }

    mutating func clamped(to offset: Double, at t: Double) {
        self.offset = offset
        send(scroll(.idle, cause: .code))
    }

    /// Returns the engine's reaction to `step`, which happens at `t` milliseconds.
    mutating func handle(_ step: OracleStep, at t: Double) -> Moment {
        actions = []
        results = []
        moreShown = 0
        now = Instant(milliseconds: t)
        hasCancelled = false
        for event in events(for: step) { send(event) }
        finishStep()
        return Moment(actions: actions, after: after)
    }

    var after: Moment.Snapshot {
        var after = Moment.Snapshot()
        after.pull.isEnabled = engine.refresh.phase != .disabled
        after.room = Moment.Sides(
            start: engine.insets.sentStart, end: engine.insets.sentEnd)
        guard setup.peer == .iqpulltorefresh else { return stages(after) }
        after.pull.state = pull
        after.approach = Moment.EdgeView(isEnabled: isMoreOn, state: approach)
        if setup.wrapper != nil {
            after.wrapperState =
                engine.refresh.load != nil
                ? "refreshing" : engine.loadMore.load != nil ? "moreLoading" : "none"
        }
        return after
    }

    /// With the wrapper, load more is enabled as long as another page may be requested.
    private var isMoreOn: Bool {
        guard engine.loadMore.phase != .disabled else { return false }
        guard setup.wrapper != nil else { return true }
        return engine.paging.hasPage && engine.loadMore.phase != .noMore
            && engine.refresh.load == nil
    }

    /// Adds the stage that MRefresh would have in the engine's phase (see `Moment.Snapshot`).
    private func stages(_ after: Moment.Snapshot) -> Moment.Snapshot {
        var after = after
        after.isAnimating = pull == .refreshing
        switch engine.refresh.phase {
        case .waiting, .triggered, .refreshing: after.stage = 3
        case .lingering, .held, .finishing: after.stage = 4
        case .disabled, .idle, .pulling, .eligible:
            if engine.refresh.isPullSpent {
                after.stage = 4
            } else {
                after.stage = engine.refresh.phase.progress > 0 ? 2 : 1
                after.drawn = engine.refresh.phase.progress
            }
        }
        return after
    }

    // MARK: Events

    mutating func send(_ event: Event) {
        var effects: [Effect] = []
        engine.handle(event, at: now, into: &effects)
        for (index, effect) in effects.enumerated() {
            let next = effects.dropFirst(index + 1).first
            if !isKnownRepetition(effect, before: next) { record(effect) }
        }
    }

    private mutating func events(for step: OracleStep) -> [Event] {
        switch step {
        case .dragBegan:
            isFingerDown = true
            isDecelerating = false
            return [touch(.began)]
        case .scrolled(let offset):
            self.offset = offset
            if isFingerDown { return [scroll(.dragging)] }
            if isDecelerating { return [scroll(.decelerating)] }
            // The app's code sets the offset.
            return [scroll(.decelerating, cause: .code), scroll(.idle, cause: .code)]
        case .dragEnded(let decelerates, _):
            isFingerDown = false
            isDecelerating = decelerates
            return left(.ended)
        case .dragCancelled(let decelerates):
            isFingerDown = false
            isDecelerating = decelerates
            return left(.cancelled)
        case .decelerationEnded:
            isDecelerating = false
            return [touch(.idle)]
        // These steps set flags of UIKit's scroll view. The engine does not know these flags, and
        // receives the finger's events.
        case .flagsSet, .nothing: return []
        case .contentSet, .viewportSet, .insetsSet, .safeAreaSet: return [geometry(step)]
        case .requested(.refresh): return [.refreshRequested(cause: .code, animated: true)]
        // With the wrapper, load more is disabled before the first page and receives no requests.
        case .requested(.loadMore) where setup.wrapper != nil && !engine.paging.hasPage: return []
        case .requested(.loadMore): return [.loadMoreRequested(cause: .code)]
        case .stopped(let control):
            return [.cancelRequested(Self.role(control))]
        case .began(_, let isSuccess, let load): return [.loadBegan(id(load), accepted: isSuccess)]
        case .finished(_, let isSuccess, let load):
            return [.loadEnded(id(load), LoadEnding(isSuccess ? .success : .failed, count: 10))]
        case .answered(let isSuccess, let count, let load):
            return [.loadEnded(id(load), LoadEnding(isSuccess ? .success : .failed, count: count))]
        case .enabled(let control, let isEnabled):
            return [.edgeEnabled(Self.role(control), isEnabled)]
        case .systemControlFired: return [.refreshRequested(cause: .finger, animated: true)]
        case .controlReplaced(let length, _):
            // The old edge is removed and a new one is added.
            return [
                .edgesConfigured(refresh: nil, loadMore: engine.options.loadMore),
                reconfigured(length: length),
            ]
        case .lengthSet(let length): return [reconfigured(length: length)]
        case .pageSizeSet(let size):
            let old = engine.options.paging
            let paging = PagingOptions(style: old.style, first: old.first, size: size)
            guard paging != old else { return [.resetRequested(.loadMore)] }
            return [reconfigured(length: nil, paging: paging)]
        }
    }

    private func scroll(_ phase: ScrollPhase, cause: Cause = .finger) -> Event {
        .scrolled(ScrollSample(offset: offset, phase: phase, cause: cause))
    }

    /// A sample without movement, at the engine's own offset.
    private func touch(_ phase: ScrollPhase) -> Event {
        .scrolled(ScrollSample(offset: engine.physicalOffset, phase: phase))
    }

    /// The samples after the finger has left. A list that does not decelerate comes to rest.
    private func left(_ phase: ScrollPhase) -> [Event] {
        isDecelerating ? [touch(phase)] : [touch(phase), touch(.idle)]
    }

    private func reconfigured(length: Double?, paging: PagingOptions? = nil) -> Event {
        var refresh = engine.options.refresh
        if let length { refresh?.length = length }
        return .edgesConfigured(
            refresh: refresh, loadMore: engine.options.loadMore, paging: paging)
    }

    private static func role(_ control: Moment.Control) -> EdgeRole {
        control == .refresh ? .refresh : .loadMore
    }

    /// The identity of a load. A load that does not exist gets a number that no load has.
    private func id(_ load: Int?) -> LoadID {
        guard let load, loads.indices.contains(load) else {
            return LoadID(generation: 1, number: .max)
        }
        return loads[load]
    }

    private func geometry(_ step: OracleStep) -> Event {
        var change = GeometryChange()
        switch step {
        case .contentSet(let length): change.content = size(length)
        case .viewportSet(let length): change.viewport = size(length)
        case .insetsSet(let sides): change.insets = insets(sides)
        case .safeAreaSet(let sides): change.safeArea = insets(sides)
        default: break
        }
        return .geometryChanged(change)
    }

    private var isHorizontal: Bool { setup.options.layout.axis == .horizontal }

    private func size(_ length: Double) -> SizeChange {
        isHorizontal
            ? SizeChange(width: length, height: 390) : SizeChange(width: 390, height: length)
    }

    private func insets(_ sides: Moment.Sides) -> EdgeInsets {
        isHorizontal
            ? EdgeInsets(left: sides.start, right: sides.end)
            : EdgeInsets(top: sides.start, bottom: sides.end)
    }

    private static func change(_ sizes: OracleTrace.Geometry) -> GeometryChange {
        func size(_ extent: OracleTrace.Extent) -> SizeChange {
            SizeChange(width: extent.width, height: extent.height)
        }
        func sides(_ insets: OracleTrace.Insets) -> EdgeInsets {
            EdgeInsets(
                top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
        }
        var change = GeometryChange()
        change.viewport = size(sizes.viewport)
        change.content = size(sizes.contentSize)
        change.insets = sides(sizes.contentInset)
        change.safeArea = sides(sizes.safeArea)
        return change
    }
}
