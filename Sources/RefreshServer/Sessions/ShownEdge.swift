import RefreshIndicator
import RefreshProtocol

/// What an edge was decided to show last, and which indicator its client was told of.
struct ShownEdge {
    private(set) var state: EdgeState
    private var progress = 0.0
    /// As sent.
    var indicator = IndicatorFrame.hidden

    init(state: EdgeState) {
        self.state = state
    }

    /// Takes up what the edge shows now and notes in `update` what that changes; whether the state did.
    @inline(__always)
    mutating func show(
        _ newState: EdgeState, _ newProgress: Double, _ cause: Cause?, _ result: LoadResult?,
        in update: inout EdgeUpdate
    ) -> Bool {
        let hasChanged = newState != state
        if hasChanged {
            update.state = newState
            update.cause = nil
        }
        if !newState.hasProgress {
            update.progress = nil
        } else if hasChanged || newProgress != progress {
            update.progress = newProgress
        }
        if let cause {
            update.cause = cause
            update.result = nil
        }
        if let result { update.result = result }
        update.indicator = Spinner.frame(newState, progress: newProgress)
        state = newState
        progress = newProgress
        return hasChanged
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
