package import RefreshProtocol

/// What a driver tells somebody who knows nothing of the view yet.
extension Engine {
    /// Whether the client was told that there is newer data than what it shows.
    package var hasNewer: Bool { changes.isTold }

    /// What an edge shows now, and why, as it would be told whole; nil if the view does not have
    /// it.
    package func edge(_ role: EdgeRole) -> EdgeUpdate? {
        guard options.has(role) else { return nil }
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
