import RefreshProtocol

/// Sizes and options that change under way.
extension Engine {
    mutating func geometryChanged(
        _ change: GeometryChange, at now: Instant, into effects: inout [Effect]
    ) {
        let before = (
            place: offset, offset: physicalOffset, rest: geometry.restingOffset,
            isMirrored: geometry.isMirrored
        )
        let rests = isAtRest(at: before.rest)
        let isRevealed = revealedLength > 0 && isAtRest(at: before.rest - revealedLength)
        geometry.apply(change)
        offset = geometry.mirrored(change.offset ?? before.offset)
        if change.offset != nil { isOffsetKnown = true }
        let rest = geometry.restingOffset
        // The platform left its offset alone, and that shows another place now: in a view that is read
        // from its far end, whenever the sizes change.
        let isLeft = change.offset == nil || change.offset == before.offset
        let drifts = isLeft && offset != before.place
        if let shift = anchorShift(change) {
            hold(at: before.place + shift, at: now, into: &effects)
        } else if isRevealed {
            // Bars came or went (rotation): the indicator stays in sight.
            hold(at: rest - revealedLength, at: now, into: &effects)
        } else if rests {
            if drifts || ownsPhysics || (geometry.isMirrored && change.offset == nil) {
                hold(at: rest, at: now, into: &effects)
            } else if change.offset == nil {
                // A platform keeps a resting list clear of its bars by itself.
                offset = rest
            }
        } else if drifts,
            (isPageLanding && change.content != nil) || geometry.isMirrored != before.isMirrored
        {
            // A page came in before what is seen, or the direction of reading changed.
            hold(at: before.place, at: now, into: &effects)
        }
        if !isOffsetKnown, !floor.hasTheList, revealedLength == 0 { offset = rest }
        if change.viewport != nil { resizeFloor(at: now, into: &effects) }
        if change.content != nil { isPageLanding = false }
        stayInRange(at: now, into: &effects)
        lookAgain(at: now, into: &effects)
        if change.content != nil { fillViewport(at: now, into: &effects) }
    }

    private func isAtRest(at place: Double) -> Bool {
        gesture.phase == .resting && spring == nil && !floor.hasTheList
            && abs(offset - place) <= Self.restingTolerance
    }

    /// How far the item moved by which the list is held, points in reading direction; nil if none is known
    /// from before.
    private mutating func anchorShift(_ change: GeometryChange) -> Double? {
        guard let new = change.anchor.map(geometry.mirrored) else { return nil }
        let old = anchor
        anchor = new
        guard old.name == new.name else { return nil }
        return new.position - old.position
    }

    /// The list shall be at `place`; if it is not, it is moved there at once. What is seen stays still so,
    /// also under a finger.
    private mutating func hold(
        at place: Double, at now: Instant, into effects: inout [Effect]
    ) {
        guard place != offset else { return }
        if let pan { self.pan = pan.moved(by: place - offset) }
        move(to: place, duration: 0, at: now, into: &effects)
    }

    mutating func edgeEnabled(
        _ role: EdgeRole, _ isEnabled: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard options.has(role) else { return effects.append(.refuse(.missingEdge)) }
        var (refresh, loadMore) = (options.refresh, options.loadMore)
        switch role {
        case .refresh: refresh?.isEnabled = isEnabled
        case .loadMore: loadMore?.isEnabled = isEnabled
        }
        configure(
            refresh: refresh, loadMore: loadMore, paging: nil, at: now, into: &effects)
    }

    /// New options hold from now on; what is shown goes on with what it began with (B-IQ-9).
    mutating func configure(
        refresh: RefreshOptions?, loadMore: LoadMoreOptions?, paging: PagingOptions?,
        at now: Instant, into effects: inout [Effect]
    ) {
        if refresh?.isEnabled != true {
            applyToFloor(.removed, at: now, into: &effects)
            applyToRefresh(.disabled, at: now, into: &effects)
            isPullSpent = false
        } else if refresh?.floor == nil {
            applyToFloor(.removed, at: now, into: &effects)
        }
        if loadMore?.isEnabled != true {
            applyToMore(.disabled, at: now, into: &effects)
        }
        options.refresh = refresh
        options.loadMore = loadMore
        if let paging, paging != options.paging {
            options.paging = paging
            forgetPages(paging, at: now, into: &effects)
        }
        if refresh?.isEnabled == true { applyToRefresh(.enabled, at: now, into: &effects) }
        if loadMore?.isEnabled == true {
            applyToMore(.enabled(hasMore: self.paging.hasMore), at: now, into: &effects)
        }
        resumeMore(at: now, into: &effects)
        lookAgain(at: now, into: &effects)
    }
}
