import RefreshIndicator
import RefreshProtocol

/// What a client was told that an edge shows. What it is to be told beyond that is in the view's
/// update.
struct ShownEdge: Hashable, Codable {
    private var progress = 0.0
    private var indicator = IndicatorFrame.hidden
    /// Last, for what stands behind it in a view takes the rest of its word.
    private var state: EdgeState

    init(state: EdgeState) {
        self.state = state
    }

    /// Takes up what the edge shows now and notes in `update` what that changes; whether the state
    /// did.
    @inline(__always)
    func show(
        _ newState: EdgeState, _ newProgress: Double, _ cause: Cause?, _ result: LoadResult?,
        in update: inout EdgeUpdate
    ) -> Bool {
        let hasChanged = newState != update.state ?? state
        if hasChanged {
            update.state = newState
            update.cause = nil
        }
        if !newState.hasProgress {
            update.progress = nil
        } else if hasChanged || newProgress != update.progress ?? progress {
            update.progress = newProgress
        }
        if let cause {
            update.cause = cause
            update.result = nil
        }
        if let result { update.result = result }
        // Back where the client knows it.
        if update.state == state, update.cause == nil, update.result == nil { update.state = nil }
        return hasChanged
    }

    /// The client begins anew with an edge that shows this, whole: it is told all of it, and what
    /// waits.
    mutating func beginAnew(_ shown: EdgeUpdate, in update: inout EdgeUpdate) {
        guard let state = shown.state else { return }
        self = ShownEdge(state: state)
        let waiting = update
        update = shown
        if !state.hasProgress { update.progress = nil }
        update.cause = waiting.cause ?? shown.cause
        update.result = waiting.result ?? shown.result
    }

    /// How the indicator will differ from what the client was told of it; nil if it will not.
    @inline(__always)
    func look(after update: EdgeUpdate) -> IndicatorChange? {
        if update.state == nil, update.progress == nil { return nil }
        let shown = PlainSpinner.frame(update.state ?? state, progress: update.progress ?? 0)
        return shown == indicator ? nil : IndicatorChange(known: indicator, shown: shown)
    }

    /// The client was told of `update`, and how the edge looks.
    @inline(__always)
    mutating func note(_ update: EdgeUpdate, _ look: IndicatorChange?) {
        if let look { indicator = look.shown }
        if let newState = update.state {
            state = newState
            progress = 0
        }
        if let newProgress = update.progress { progress = newProgress }
    }
}

extension EdgeState {
    /// Whether a progress belongs to the state. Source: docs/protocol.md, "update".
    fileprivate var hasProgress: Bool {
        switch self {
        case .pulling, .approaching, .eligible: true
        case .disabled, .idle, .triggered, .refreshing, .succeeded, .finishing, .loading, .failed,
            .noMore:
            false
        }
    }
}
