import RefreshEngine
import RefreshProtocol

/// Effects as deeds, and what the trace's delegate answers to them.
extension EngineAdapter {
    mutating func note(_ effect: Effect) {
        switch effect {
        case .showEdge(let role, let state, let progress, _, _):
            show(role, ServerOutput(state: state, progress: progress))
        case .play(let haptic): deeds.append(.haptic(haptic.rawValue))
        case .setInset(let command):
            if let room = command.refresh { deeds.append(.room(.start, room)) }
            if let room = command.loadMore { deeds.append(.room(.end, room)) }
        case .moveContent(let command): deeds.append(.move(command.target))
        case .startLoad(let order): begin(order)
        case .endLoad(_, _, let result): end(result)
        case .showList(let count, _): showItems(count)
        case .showFloor, .showNewer, .announce, .reportLateAnswer, .reportStall, .refuse, .ignore:
            break
        }
    }

    /// What waits for its delegate, and what failed or is done, shows nothing.
    private static func state(_ state: EdgeState, progress: Double) -> Moment.PeerState {
        switch state {
        case .pulling, .approaching: .pulling(progress)
        case .eligible: .eligible
        case .refreshing, .loading: .refreshing
        // Over, but the end is not shown yet.
        case .finishing: .refreshing
        case .disabled, .idle, .triggered, .succeeded, .failed, .noMore: .none
        }
    }

    private mutating func show(_ role: EdgeRole, _ telling: ServerOutput) {
        if role == .loadMore { moreShown += 1 }
        let isKnown = told[role] == telling
        told[role] = telling
        let new = Self.state(telling.state, progress: telling.progress)
        // What is told again is seen again: it is never taken for the one telling of the original.
        if isKnown { return deeds.append(.state(role == .refresh ? .refresh : .loadMore, new)) }
        // What waits shows nothing, if it still does at the end of the step.
        guard telling.state != .triggered else { return }
        switch role {
        case .refresh where setup.peer == .mrefresh: draw(new)
        case .refresh: showPull(new)
        case .loadMore: showApproach(new)
        }
    }

    /// Known: an edge that is armed while it is told as full is told so once more before.
    func isKnownRepetition(_ effect: Effect, before next: Effect?) -> Bool {
        guard case .showEdge(let role, let state, 1, _, _) = effect,
            case .showEdge(role, .eligible, _, _, _) = next
        else { return false }
        return told[role] == ServerOutput(state: state, progress: 1)
    }

    /// States of ours that are one of the original's are no change of it.
    private mutating func showPull(_ new: Moment.PeerState) {
        guard new != pull else { return }
        pull = new
        deeds.append(.state(.refresh, new))
    }

    private mutating func showApproach(_ new: Moment.PeerState) {
        guard new != approach else { return }
        approach = new
        deeds.append(.state(.loadMore, new))
    }

    /// MRefresh shows a figure: drawn in part, then whole and animated, then gone.
    private mutating func draw(_ new: Moment.PeerState) {
        let old = pull
        pull = new
        switch new {
        case .refreshing where old != .refreshing:
            draw(1)
            deeds.append(.startAnimation)
        case .pulling(let progress): draw(progress)
        case .none where old == .refreshing:
            drawn = 0
            deeds.append(.stopAnimation)
        case .none: draw(0)
        case .refreshing, .eligible, .unknown: break
        }
    }

    private mutating func draw(_ proportion: Double) {
        guard drawn != proportion else { return }
        drawn = proportion
        deeds.append(.draw(proportion))
    }

    private mutating func begin(_ order: LoadOrder) {
        loads.append(order.id)
        let control: Moment.Control = order.kind == .refresh ? .refresh : .loadMore
        if let wrapper = setup.wrapper {
            deeds.append(.wrapperState(order.kind == .refresh ? "refreshing" : "moreLoading"))
            let number = wrapper.number(of: order)
            hasGivenUp = false
            deeds.append(.request(page: number, size: order.size))
            return
        }
        let type = setup.peer == .mrefresh ? "actionHandler" : order.trigger.rawValue
        deeds.append(.callback(control, type: type))
        if let accepts = setup.acceptsBegin { tell(.loadBegan(order.id, accepted: accepts)) }
        if setup.finishesAtOnce { tell(.loadEnded(order.id, LoadEnding(.success, count: 10))) }
    }

    private mutating func end(_ result: LoadResult) {
        results.append(result)
        guard setup.wrapper != nil else { return }
        // What takes the place of a load that was given up is told in its place.
        guard result != .cancelled else { return hasGivenUp = true }
        deeds.append(.wrapperState("none"))
        if !result.isAccepted { deeds.append(.models(success: false, count: nil)) }
    }

    private mutating func showItems(_ count: Int) {
        guard setup.wrapper != nil else { return }
        tellGivenUp()
        deeds.append(.models(success: true, count: count))
    }

    /// Tells what the step left behind, and what it has only passed through not at all.
    mutating func finishStep() {
        tellGivenUp()
        if engine.refresh.phase.state == .triggered { showPull(.none) }
        if engine.loadMore.phase.state == .triggered { showApproach(.none) }
    }

    private mutating func tellGivenUp() {
        if hasGivenUp { deeds.append(.wrapperState("none")) }
        hasGivenUp = false
    }
}
