import RefreshIndicator
import RefreshProtocol

/// What an edge was decided to show last, and what its client was told that it shows.
struct ShownEdge {
    private(set) var state: EdgeState
    private var progress = 0.0
    private var toldState: EdgeState
    private var toldProgress = 0.0

    init(state: EdgeState) {
        self.state = state
        self.toldState = state
    }

    /// How the indicator differs from what the client was told of it; nil if it does not.
    @inline(__always)
    var look: IndicatorChange? {
        if state == toldState, progress == toldProgress { return nil }
        let look = IndicatorChange(
            known: Spinner.frame(toldState, progress: toldProgress),
            shown: Spinner.frame(state, progress: progress))
        return look.known == look.shown ? nil : look
    }

    @inline(__always)
    mutating func wasTold() {
        toldState = state
        toldProgress = progress
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
