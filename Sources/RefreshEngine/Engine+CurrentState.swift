package import RefreshProtocol

/// The state of the view for a receiver that does not have it yet. The engine's caller sends it to
/// a client, or to an operator who watches the session.
extension Engine {
    /// Whether the client was notified that the feed has newer data than the client shows.
    package var hasNewer: Bool { changes.hasNewer }

    /// The complete state and cause of an edge as sent on the wire; nil if the view does not have
    /// this edge.
    package func edge(_ role: EdgeRole) -> EdgeUpdate? {
        guard options.hasEdge(role) else { return nil }
        var shown = EdgeUpdate()
        let request: EdgeRequest
        switch role {
        case .refresh:
            (shown.state, shown.progress) = (refresh.phase.state, refresh.shownProgress)
            request = refresh.request
            if case .held(let result) = refresh.phase { shown.result = result }
        case .loadMore:
            (shown.state, shown.progress) = (loadMore.phase.state, loadMore.phase.progress)
            request = loadMore.request
        }
        switch shown.state {
        case .triggered, .refreshing, .loading: shown.cause = request.cause
        default: break
        }
        return shown
    }
}
