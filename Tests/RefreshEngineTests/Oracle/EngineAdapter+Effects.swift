import RefreshEngine
import RefreshProtocol

/// Converts the engine's effects to actions, and sends the answers of the delegate to the engine.
/// The delegate is the app's code that a trace simulates.
extension EngineAdapter {
    mutating func record(_ effect: Effect) {
        switch effect {
        case .showEdge(let role, let state, let progress, _, _):
            show(role, ServerOutput(state: state, progress: progress))
        case .play(let haptic): actions.append(.haptic(haptic.rawValue))
        case .setInset(let command):
            if let room = command.refresh { actions.append(.room(.start, room)) }
            if let room = command.loadMore { actions.append(.room(.end, room)) }
        case .moveContent(let command): actions.append(.move(command.target))
        case .startLoad(let order): begin(order)
        case .endLoad(_, _, let result): end(result)
        case .showList(let count, _): showItems(count)
        case .showFloor, .showNewer, .showNewerCount, .showAway, .showRevealed, .announce,
            .joinRefresh, .reportLateAnswer, .reportStall, .showOperations, .repeatLoad, .endPage,
            .refuse, .ignore:
            break
        }
    }

    /// An edge that waits for its delegate, has failed or is done shows nothing.
    private static func state(_ state: EdgeState, progress: Double) -> Moment.PeerState {
        switch state {
        case .pulling, .approaching: .pulling(progress)
        case .eligible: .eligible
        case .refreshing, .loading: .refreshing
        // The refresh is over, but its end is not shown yet.
        case .finishing: .refreshing
        case .disabled, .idle, .triggered, .succeeded, .failed, .noMore: .none
        }
    }

    private mutating func show(_ role: EdgeRole, _ output: ServerOutput) {
        if role == .loadMore { moreShown += 1 }
        let isKnown = sentOutputs[role] == output
        sentOutputs[role] = output
        let new = Self.state(output.state, progress: output.progress)
        // A repeated message is recorded again. The recording of the library (the original) has
        // only one message, so the repetition is a difference.
        if isKnown { return actions.append(.state(role == .refresh ? .refresh : .loadMore, new)) }
        // An edge that waits for its delegate shows nothing.
        guard output.state != .triggered else { return }
        switch role {
        case .refresh where setup.peer == .mrefresh: draw(new)
        case .refresh: showPull(new)
        case .loadMore: showApproach(new)
        }
    }

    /// Whether `effect` repeats the progress 1 directly before the edge is armed. Such a repetition
    /// is known, and is not recorded.
    func isKnownRepetition(_ effect: Effect, before next: Effect?) -> Bool {
        guard case .showEdge(let role, let state, 1, _, _) = effect,
            case .showEdge(role, .eligible, _, _, _) = next
        else { return false }
        return sentOutputs[role] == ServerOutput(state: state, progress: 1)
    }

    /// If several states of the engine are one state of the original, a change between them is not
    /// recorded.
    private mutating func showPull(_ new: Moment.PeerState) {
        guard new != pull else { return }
        pull = new
        actions.append(.state(.refresh, new))
    }

    private mutating func showApproach(_ new: Moment.PeerState) {
        guard new != approach else { return }
        approach = new
        actions.append(.state(.loadMore, new))
    }

    /// MRefresh shows a figure: first drawn in part, then complete and animated, then hidden.
    private mutating func draw(_ new: Moment.PeerState) {
        let old = pull
        pull = new
        switch new {
        case .refreshing where old != .refreshing:
            draw(1)
            actions.append(.startAnimation)
        case .pulling(let progress): draw(progress)
        case .none where old == .refreshing:
            drawn = 0
            actions.append(.stopAnimation)
        case .none: draw(0)
        case .refreshing, .eligible, .unknown: break
        }
    }

    private mutating func draw(_ proportion: Double) {
        guard drawn != proportion else { return }
        drawn = proportion
        actions.append(.draw(proportion))
    }

    private mutating func begin(_ order: LoadOrder) {
        loads.append(order.id)
        let control: Moment.Control = order.kind == .refresh ? .refresh : .loadMore
        if let wrapper = setup.wrapper {
            actions.append(.wrapperState(order.kind == .refresh ? "refreshing" : "moreLoading"))
            let number = wrapper.number(of: order)
            hasCancelled = false
            actions.append(.request(page: number, size: order.size))
            return
        }
        let type = setup.peer == .mrefresh ? "actionHandler" : order.trigger.rawValue
        actions.append(.callback(control, type: type))
        if let accepts = setup.acceptsBegin { send(.loadBegan(order.id, accepted: accepts)) }
        if setup.finishesAtOnce { send(.loadEnded(order.id, LoadEnding(.success, count: 10))) }
    }

    private mutating func end(_ result: LoadResult) {
        results.append(result)
        guard setup.wrapper != nil else { return }
        // A load that replaces a cancelled one is reported instead of the cancellation.
        guard result != .cancelled else { return hasCancelled = true }
        actions.append(.wrapperState("none"))
        if !result.isAccepted { actions.append(.models(success: false, count: nil)) }
    }

    private mutating func showItems(_ count: Int) {
        guard setup.wrapper != nil else { return }
        recordCancellation()
        actions.append(.models(success: true, count: count))
    }

    /// Records the final state of the step, but no intermediate states.
    mutating func finishStep() {
        recordCancellation()
        if engine.refresh.phase.state == .triggered { showPull(.none) }
        if engine.loadMore.phase.state == .triggered { showApproach(.none) }
    }

    private mutating func recordCancellation() {
        if hasCancelled { actions.append(.wrapperState("none")) }
        hasCancelled = false
    }
}
