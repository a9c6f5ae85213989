import RefreshIndicator
import RefreshProtocol

/// The state of an edge that was last sent to the client. Unsent changes are in the view's update.
struct LastSentEdge: Hashable, Codable {
    private var progress = 0.0
    private var indicator = IndicatorFrame.hidden
    /// This is the last property, because it does not fill its machine word. In `ViewSlot`, the
    /// properties after a `LastSentEdge` can use the rest of the word.
    private var state: EdgeState

    init(state: EdgeState) {
        self.state = state
    }

    /// Records in `update` how the edge differs from the state that was last sent. Returns whether
    /// the state has changed.
    @inline(__always)
    func recordChange(
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
        // The edge is again in the state that was last sent, so the state is not sent again.
        if update.state == state, update.cause == nil, update.result == nil { update.state = nil }
        return hasChanged
    }

    /// Prepares the whole state of the edge for a client. The state consists of `shown`, and of the
    /// pending cause and result.
    mutating func reset(to shown: EdgeUpdate, in update: inout EdgeUpdate) {
        guard let state = shown.state else { return }
        self = LastSentEdge(state: state)
        let waiting = update
        update = shown
        if !state.hasProgress { update.progress = nil }
        update.cause = waiting.cause ?? shown.cause
        update.result = waiting.result ?? shown.result
    }

    /// The difference between the indicator and the last sent frame; nil if they are equal.
    @inline(__always)
    func indicatorChange(after update: EdgeUpdate) -> IndicatorChange? {
        if update.state == nil, update.progress == nil { return nil }
        let shown = PlainSpinner.frame(update.state ?? state, progress: update.progress ?? 0)
        return shown == indicator ? nil : IndicatorChange(known: indicator, shown: shown)
    }

    /// Records that `update`, and the frame of the indicator in `presentation`, were sent.
    @inline(__always)
    mutating func recordSent(_ update: EdgeUpdate, _ presentation: IndicatorChange?) {
        if let presentation { indicator = presentation.shown }
        if let newState = update.state {
            state = newState
            progress = 0
        }
        if let newProgress = update.progress { progress = newProgress }
    }
}

extension EdgeState {
    /// Whether the state has a progress. Source: docs/protocol.md, "update".
    fileprivate var hasProgress: Bool {
        switch self {
        case .pulling, .approaching, .eligible: true
        case .disabled, .idle, .triggered, .refreshing, .succeeded, .finishing, .loading, .failed,
            .noMore:
            false
        }
    }
}
