import RefreshProtocol

/// Sizes and options that change under way.
extension Engine {
    mutating func geometryChanged(
        _ change: GeometryChange, at now: Instant, into effects: inout [Effect]
    ) {
        let oldRest = geometry.restingOffset
        let isAtTop =
            gesture.phase == .resting && spring == nil
            && abs(offset - oldRest) <= Self.restingTolerance
        let isRevealed =
            gesture.phase == .resting && spring == nil && revealedLength > 0
            && abs(offset - (oldRest - revealedLength)) <= Self.restingTolerance
        geometry.apply(change)
        let rest = geometry.restingOffset
        if rest != oldRest {
            if isRevealed {
                // Bars came or went (rotation): the indicator stays in sight.
                move(to: rest - revealedLength, duration: 0, at: now, into: &effects)
            } else if isAtTop, ownsPhysics {
                move(to: rest, duration: 0, at: now, into: &effects)
            } else if isAtTop || !isOffsetKnown {
                offset = rest
            }
        }
        stayInRange(at: now, into: &effects)
        evaluate(isSample: false, at: now, into: &effects)
        if change.content != nil { fillViewport(at: now, into: &effects) }
    }

    mutating func edgeEnabled(
        _ edge: Edge, _ isEnabled: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        var refresh = options.refresh
        var loadMore = options.loadMore
        switch edge {
        case .top:
            guard refresh != nil else { return effects.append(.refuse(.missingEdge)) }
            refresh?.isEnabled = isEnabled
        case .bottom:
            guard loadMore != nil else { return effects.append(.refuse(.missingEdge)) }
            loadMore?.isEnabled = isEnabled
        }
        configure(refresh: refresh, loadMore: loadMore, at: now, into: &effects)
    }

    /// New options hold from now on; what is shown goes on with what it began with (B-IQ-9).
    mutating func configure(
        refresh: RefreshOptions?, loadMore: LoadMoreOptions?, at now: Instant,
        into effects: inout [Effect]
    ) {
        if refresh?.isEnabled != true {
            applyToRefresh(.disabled, at: now, into: &effects)
        }
        if loadMore?.isEnabled != true {
            applyToMore(.disabled, at: now, into: &effects)
        }
        options.refresh = refresh
        options.loadMore = loadMore
        if refresh?.isEnabled == true { applyToRefresh(.enabled, at: now, into: &effects) }
        if loadMore?.isEnabled == true {
            applyToMore(.enabled(hasMore: paging.hasMore), at: now, into: &effects)
        }
        evaluate(isSample: false, at: now, into: &effects)
    }
}
