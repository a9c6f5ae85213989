import RefreshProtocol

@testable import RefreshEngine

/// What must hold after every event, whatever it was. Reports the first breach, with the seed.
struct InvariantWatch {
    private(set) var breach: String?
    private var inFlight: [LoadID: LoadKind] = [:]
    private var ended: Set<LoadID> = []
    private var told: [EdgeRole: (state: EdgeState, progress: Double)]
    private var share: [EdgeRole: Double] = [.refresh: 0, .loadMore: 0]
    private var triggers: [LoadKind: Int] = [:]

    init(_ engine: Engine) {
        told = [
            .refresh: (engine.refresh.state, engine.refresh.progress),
            .loadMore: (engine.loadMore.state, engine.loadMore.progress),
        ]
    }

    mutating func note(
        _ event: Event, before: Engine, after: Engine, effects: [Effect], at now: Instant
    ) {
        if beginsGesture(event, before) { triggers = [:] }
        let toldBefore = told
        for effect in effects {
            note(effect, of: event, before: before, after: after)
        }
        checkTold(before: toldBefore, after: after, effects: effects)
        checkLoads(after)
        checkRest(after)
        if event == .timePassed, let next = after.nextDeadline {
            check(next > now, "a deadline of \(next) is not after \(now)")
        }
        check(after.offset.isFinite, "offset \(after.offset)")
    }

    private mutating func check(_ holds: Bool, _ message: @autoclosure () -> String) {
        if !holds, breach == nil { breach = message() }
    }

    /// A touch, or the first sample of a wheel or key.
    private func beginsGesture(_ event: Event, _ before: Engine) -> Bool {
        switch event {
        case .scrolled(let sample):
            switch sample.phase {
            case .began: true
            case .dragging: !before.gesture.isFingerDown
            case .decelerating:
                [.wheel, .key, .accessibility].contains(sample.cause)
                    && !(before.gesture.isOpen && before.gesture.cause == sample.cause)
            case .ended, .cancelled, .idle: false
            }
        case .panned(let sample):
            sample.phase == .began
                || (sample.phase == .dragging
                    && (before.grip == nil || !before.gesture.isFingerDown))
        default: false
        }
    }

    private mutating func note(
        _ effect: Effect, of event: Event, before: Engine, after: Engine
    ) {
        switch effect {
        case .showEdge(let edge, let state, let progress, _, _):
            told[edge] = (state, progress)
            check((0...1).contains(progress), "progress \(progress)")
        case .setInset(let command):
            check(!after.gesture.isFingerDown, "an inset under a finger")
            if let top = command.refresh { share[.refresh] = top }
            if let bottom = command.loadMore { share[.loadMore] = bottom }
            check(command.timeline.duration >= 0, "inset in \(command.timeline.duration)")
        case .moveContent(let command):
            if after.gesture.isFingerDown {
                guard case .panned = event else {
                    return check(false, "an offset under a finger")
                }
            }
            check(command.target.isFinite, "offset to \(command.target)")
        case .startLoad(let order): start(order, event: event, before: before, after: after)
        case .endLoad(let load, let kind, _):
            check(inFlight[load] == kind, "\(load) ended without running")
            inFlight[load] = nil
            check(ended.insert(load).inserted, "\(load) ended twice")
        case .dropLateAnswer(let load):
            check(inFlight[load] == nil, "the answer to \(load) was dropped")
        case .play, .refuse, .announce, .showList, .showFloor: break
        }
    }

    private mutating func start(
        _ order: LoadOrder, event: Event, before: Engine, after: Engine
    ) {
        check(inFlight[order.id] == nil && !ended.contains(order.id), "\(order.id) twice")
        inFlight[order.id] = order.kind
        if order.kind == .more {
            check(before.refresh.load == nil, "load more in a refresh")
            check(before.options.paging.style != .none, "load more of one page")
        }
        guard order.trigger != .manual, order.cause != .fill else { return }
        triggers[order.kind, default: 0] += 1
        check(triggers[order.kind] == 1, "a gesture fired \(order.kind) twice")
        check(order.cause != .code, "program code fired \(order.kind)")
        if order.kind == .more {
            check(!before.refresh.isActive || !after.refresh.isActive, "load more under a pull")
        }
        switch event {
        // A finger that lifts has lifted, whoever moved the list last.
        case .scrolled(let sample):
            check(sample.cause != .code || sample.phase == .ended, "code fired \(order.kind)")
        case .panned(let sample):
            check(sample.cause != .code || sample.phase == .ended, "code fired \(order.kind)")
        default: check(false, "\(event) fired \(order.kind)")
        }
    }

    private mutating func checkTold(
        before: [EdgeRole: (state: EdgeState, progress: Double)], after: Engine, effects: [Effect]
    ) {
        for (edge, state, progress) in [
            (EdgeRole.refresh, after.refresh.state, after.refresh.progress),
            (.loadMore, after.loadMore.state, after.loadMore.progress),
        ] {
            let known = told[edge] ?? (.disabled, 0)
            check(
                known.state == state && known.progress == progress,
                "\(edge) is \(state) \(progress), told \(known)")
        }
        if effects.count == 1,
            case .showEdge(let edge, let state, let progress, nil, nil)? = effects.first
        {
            let known = before[edge] ?? (.disabled, 0)
            check(
                known.state != state || known.progress != progress,
                "\(edge) \(state) \(progress) is no news")
        }
    }

    private mutating func checkLoads(_ after: Engine) {
        var named: [LoadID: LoadKind] = [:]
        if let load = after.refresh.load { named[load] = .refresh }
        if let load = after.loadMore.load { named[load] = .more }
        let running = inFlight
        check(named == running, "in flight \(running), named \(named)")
        check(named.count <= 1, "refresh and load more together")
    }

    private mutating func checkRest(_ after: Engine) {
        let (top, bottom) = (after.insets.toldRefresh, after.insets.toldLoadMore)
        check(share[.refresh] == top && share[.loadMore] == bottom, "told shares")
        check(top.isFinite && bottom.isFinite, "shares \(top) \(bottom)")
        guard !after.gesture.isFingerDown else { return }
        if after.refresh.state != .refreshing { check(top == 0, "top share \(top) is left") }
        if after.loadMore.load == nil { check(bottom == 0, "bottom share \(bottom) is left") }
    }
}
