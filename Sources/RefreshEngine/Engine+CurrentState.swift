package import RefreshProtocol

/// State that a driver sends to a peer that does not know the view yet.
extension Engine {
    /// Whether the client was notified of newer data than it shows.
    package var hasNewer: Bool { changes.isTold }

    /// The complete state and cause of an edge as sent on the wire; nil if the view does not have
    /// it.
    package func edge(_ role: EdgeRole) -> EdgeUpdate? {
        guard options.hasEdge(role) else { return nil }
        var shown = EdgeUpdate()
        let request: EdgeRequest
        switch role {
        case .refresh:
            (shown.state, shown.progress) = (refresh.phase.state, refresh.phase.progress)
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
