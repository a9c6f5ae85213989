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
        switch role {
        case .refresh:
            shown.state = refresh.state
            shown.progress = refresh.progress
            if shown.state == .refreshing || shown.state == .triggered {
                shown.cause = refreshCause
            }
            if case .held(let result) = refresh { shown.result = result }
        case .loadMore:
            shown.state = loadMore.state
            shown.progress = loadMore.progress
            if shown.state == .loading || shown.state == .triggered { shown.cause = moreCause }
        }
        return shown
    }
}
