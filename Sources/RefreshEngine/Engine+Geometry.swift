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
        let speed = flight.map { $0.velocity(at: now) }
        let wasShort = geometry.isContentShort
        let length = geometry.contentLength
        geometry.apply(change)
        offset = geometry.mirrored(change.offset ?? before.offset)
        shiftGlide(by: offset - before.place)
        if change.offset != nil {
            isOffsetKnown = true
            if speed == nil, grip == nil { abandonMotion() }
        }
        let rest = geometry.restingOffset
        // The platform left its offset alone, and that shows another place now: in a view that is
        // read from its far end, whenever the sizes change.
        let isLeft = change.offset == nil || change.offset == before.offset
        let drifts = isLeft && offset != before.place
        if let shift = anchorShift(change) {
            hold(at: before.place + shift, at: now, into: &effects)
        } else if isRevealed {
            // Bars came or went (rotation): the indicator stays in sight.
            self.rest(at: rest - revealedLength, at: now, into: &effects)
        } else if rests {
            if drifts || ownsPhysics || (geometry.isMirrored && change.offset == nil) {
                self.rest(at: rest, at: now, into: &effects)
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
        // An offset alone says where the finger has taken the list: also when a client comes back.
        if change.offset == nil || change.anchor != nil || rest != before.rest {
            keepPull(from: before.place, before.rest)
        }
        if change.viewport != nil { resizeFloor(at: now, into: &effects) }
        let becomesShort = noteShortness(wasShort: wasShort)
        if change.content != nil { contentLaidOut(change, from: length) }
        if let speed, offset != before.place || physicalOffset != before.offset {
            goOn(velocity: speed, at: now, into: &effects)
        } else {
            adaptMotion(at: now, into: &effects)
        }
        stayInRange(at: now, into: &effects)
        lookAgain(at: now, into: &effects)
        if change.content != nil || becomesShort { fillViewport(at: now, into: &effects) }
    }

    /// The client has laid out what it was sent; content of the old length was laid out before.
    /// Without an anchor the place of the last one is not known any more.
    private mutating func contentLaidOut(_ change: GeometryChange, from length: Double) {
        isPageLanding = false
        isRoomLanding = false
        if geometry.contentLength != length {
            noteLayout(isLonger: geometry.contentLength > length)
        }
        if change.anchor == nil { anchor = .none }
    }

    /// Whether the content does not fill the viewport any more, because rows were deleted: a list
    /// that has more does not stay so.
    private mutating func noteShortness(wasShort: Bool) -> Bool {
        guard !wasShort, geometry.isContentShort, !isPageLanding else { return false }
        if paging.hasPage { mayFill = paging.hasMore }
        return true
    }

    /// A finger has not moved because sizes did: what it has pulled stays as much, counted from a
    /// place that moves with the list and not with the sizes. `place`, `rest`: of the list, and
    /// where it rested, before.
    private mutating func keepPull(from place: Double, _ rest: Double) {
        // Where movement alone is looked at, the next one counts by the new sizes, as originals do.
        guard options.attention == .everything, options.refresh?.isEnabled == true else { return }
        guard gesture.isFingerDown || gesture.restShift != 0 else { return }
        let moved = offset - place
        if let heldAt = gesture.heldAt { return gesture.heldAt = heldAt + moved }
        let wasPulled = place < rest + gesture.restShift
        gesture.restShift += moved - (geometry.restingOffset - rest)
        // What came in before the list has ended its pull, or there is none.
        if offset >= geometry.restingOffset, !wasPulled || moved != 0 { gesture.restShift = 0 }
    }

    private func isAtRest(at place: Double) -> Bool {
        gesture.phase == .resting && flight == nil && !floor.hasTheList
            && abs(offset - place) <= Self.restingTolerance
    }

    /// How far the item moved by which the list is held, points in reading direction; nil if none
    /// is known from before.
    private mutating func anchorShift(_ change: GeometryChange) -> Double? {
        guard let new = change.anchor.map(geometry.mirrored) else { return nil }
        let old = anchor
        anchor = new
        guard old.name == new.name else { return nil }
        return new.position - old.position
    }

    /// The list shall be at `place`; if it is not, it is moved there at once. What is seen stays
    /// still so, also under a finger. One in flight goes on from there.
    private mutating func hold(
        at place: Double, at now: Instant, into effects: inout [Effect]
    ) {
        guard place != offset else { return }
        guard flight == nil else { return offset = place }
        move(to: place, duration: 0, at: now, into: &effects)
    }

    /// The list shall rest at `place`. If it is still on its way to where it rested before, it
    /// arrives in the same time.
    private mutating func rest(
        at place: Double, at now: Instant, into effects: inout [Effect]
    ) {
        guard place != offset else { return }
        var left = 0.0
        if case .gliding(let glide) = motion { left = max(glide.end.milliseconds(since: now), 0) }
        move(to: place, duration: UInt32(left.rounded(.up)), at: now, into: &effects)
    }

    /// Places are counted from elsewhere now.
    private mutating func shiftGlide(by way: Double) {
        guard case .gliding(let glide) = motion else { return }
        motion = .gliding(glide.shifted(by: way))
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
        pan: PanOptions? = nil, at now: Instant, into effects: inout [Effect]
    ) {
        if refresh?.isEnabled != true {
            applyToFloor(.removed, at: now, into: &effects)
            applyToRefresh(.disabled, at: now, into: &effects)
            if silentLoad != nil { endSilently(.cancelled, at: now, into: &effects) }
            isPullSpent = false
            gesture.restShift = 0
        } else if refresh?.floor == nil {
            applyToFloor(.removed, at: now, into: &effects)
        }
        if loadMore?.isEnabled != true {
            applyToMore(.disabled, at: now, into: &effects)
        }
        let wasFloating = options.refresh?.isFloating == true
        options.refresh = refresh
        options.loadMore = loadMore
        if wasFloating, refresh?.isFloating == false { holdRoom(at: now, into: &effects) }
        if let pan { options.pan = pan }
        adaptMotion(at: now, into: &effects)
        if let paging, paging != options.paging {
            // What runs asks by what the next page would not follow.
            if paging.style != options.paging.style { endRefreshEarly(at: now, into: &effects) }
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
