import RefreshBroker
import RefreshEngine
import RefreshIndicator
import RefreshProtocol

/// What engines order is carried out here: the one switch over effects.
extension Session {
    /// Tells the view's engine and does what it orders. `seq` belongs to the client's message that
    /// brought the event, `outcome` to the broker's answer that did.
    @inline(__always)
    func tell(
        _ event: Event, toViewAt index: Int, seq: UInt64? = nil, outcome: LoadOutcome? = nil,
        at now: Instant
    ) {
        let services = services
        services.effects.removeAll(keepingCapacity: true)
        views[index].engine.handle(event, at: now, into: &services.effects)
        guard !services.effects.isEmpty else { return }
        for position in services.effects.indices {
            switch services.effects[position] {
            case .showEdge(let edge, let state, let progress, let cause, let result):
                show(edge, state, progress, cause, result, ofViewAt: index)
            case .play(let haptic): views[index].update.append(haptic)
            case .setInset(let command): views[index].update.merge(command)
            case .moveContent(let command): views[index].update.offset = command
            case .startLoad(let order): startLoad(order, forViewAt: index)
            case .endLoad(let load, let kind, let result):
                endLoad(
                    load, kind, result, ofViewAt: index, isClients: seq != nil && isAnswer(event),
                    outcome: outcome)
            case .dropLateAnswer:
                services.metrics.staleLoad()
                guard let seq else { break }
                report(
                    Fault(.unknownLoad, field: .load, seq: seq, view: views[index].id), at: now)
            case .refuse(let code):
                report(Fault(code, seq: seq, view: views[index].id), at: now)
            }
        }
        queueUpdate(ofViewAt: index)
    }

    private func isAnswer(_ event: Event) -> Bool {
        switch event {
        case .loadEnded, .loadBegan: true
        default: false
        }
    }

    @inline(__always)
    private func show(
        _ edge: Edge, _ state: EdgeState, _ progress: Double, _ cause: Cause?,
        _ result: LoadResult?, ofViewAt index: Int
    ) {
        let shown = views[index][edge]
        if state != shown.state {
            views[index].update[edge].state = state
            views[index].update[edge].cause = nil
            services.metrics.entered(state, edge: edge)
        }
        if state.hasProgress {
            if state != shown.state || progress != shown.progress {
                views[index].update[edge].progress = progress
            }
        } else {
            views[index].update[edge].progress = nil
        }
        if let cause {
            views[index].update[edge].cause = cause
            views[index].update[edge].result = nil
        }
        if let result { views[index].update[edge].result = result }
        views[index].update[edge].indicator = Spinner.frame(state, progress: progress)
        views[index][edge].state = state
        views[index][edge].progress = progress
    }

    private func startLoad(_ order: LoadOrder, forViewAt index: Int) {
        services.metrics.loadStarted(feed: views[index].feed)
        queueUpdate(ofViewAt: index)
        guard let feed = views[index].feed else {
            return enqueue(
                .text(
                    ServerText.load(
                        order, view: views[index].id,
                        deadline: views[index].engine.options.loadDeadline)))
        }
        enqueue(.text(ServerText.loadingBegan(order, view: views[index].id)))
        services.loads.start(
            ticket(for: order.id, ofViewAt: index),
            LoadRequest(
                feed: feed, kind: order.kind, page: order.page, offset: order.offset,
                size: order.size, cursor: order.cursor, parameters: views[index].parameters))
    }

    /// `isClients`: the client itself said so, and need not be told.
    private func endLoad(
        _ load: LoadID, _ kind: LoadKind, _ result: LoadResult, ofViewAt index: Int,
        isClients: Bool, outcome: LoadOutcome?
    ) {
        let slot = views[index]
        services.metrics.loadEnded(feed: slot.feed, result: result)
        queueUpdate(ofViewAt: index)
        switch outcome {
        case .page(let page):
            let head = ServerText.itemsHead(load, kind, page, of: slot)
            return enqueue(.items(generation: slot.generation, head: head, page: page))
        case .failed(let failure):
            return enqueue(.text(ServerText.loadingFailed(load, kind, failure, view: slot.id)))
        case .cancelled, .timedOut, nil: break
        }
        if slot.feed != nil, outcome == nil {
            services.loads.cancel(ticket(for: load, ofViewAt: index))
        }
        switch result {
        case .cancelled, .timedOut:
            guard !isClients else { return }
            enqueue(.text(ServerText.loadingEnded(load, kind, result, view: slot.id)))
        case .success, .empty, .noMore, .failed, .refused: break
        }
    }
}

extension EdgeState {
    /// Whether a progress belongs to the state. Source: docs/protocol.md, "update".
    fileprivate var hasProgress: Bool {
        switch self {
        case .pulling, .approaching, .eligible: true
        case .disabled, .idle, .triggered, .refreshing, .loading, .failed, .noMore: false
        }
    }
}
