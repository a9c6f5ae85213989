import RefreshProtocol

/// Changes of sizes and options at run time.
extension Engine {
    mutating func handleGeometryChange(
        _ change: GeometryChange, at now: Instant, into effects: inout [Effect]
    ) {
        let before = (
            place: offset, offset: physicalOffset, rest: geometry.restingOffset,
            range: scrollRange, length: geometry.contentLength, room: refresh.revealedLength,
            isShort: geometry.isContentShort, isMirrored: geometry.isMirrored
        )
        let rests = isAtRest(at: before.rest)
        let isRevealed = before.room > 0 && isAtRest(at: before.rest - before.room)
        let returnEnd = rests && change.anchor != nil ? endOfReturn(at: now) : nil
        let speed = flight.map { $0.velocity(at: now) }
        geometry.apply(change)
        offset = geometry.mirrored(change.offset ?? before.offset)
        shiftGlide(by: offset - before.place)
        if change.offset != nil { recordReportedOffset(isFlying: speed != nil) }
        let rest = geometry.restingOffset
        // If the platform has kept the physical offset, the place of the list (its position in
        // reading direction) can have changed.
        let drifts = change.offset ?? before.offset == before.offset && offset != before.place
        if let shift = anchorShift(change), returnEnd == nil {
            let place = heldPlace(before.place + shift, from: before.place, in: before.range)
            pinContent(at: place, at: now, into: &effects)
        } else if isRevealed {
            // Bars appeared or disappeared. The indicator must stay visible.
            self.moveToRest(at: rest - before.room, at: now, into: &effects)
        } else if rests {
            let isMoved = geometry.isMirrored && change.offset == nil
            if returnEnd != nil || drifts || ownsPhysics || isMoved {
                self.moveToRest(at: rest, by: returnEnd, at: now, into: &effects)
                if returnEnd != nil { markRevealOfStart() }
            } else if change.offset == nil {
                // A platform moves a resting list so that no bar covers it.
                offset = rest
            }
        } else if drifts,
            (loadMore.isPageLanding && change.content != nil)
                || geometry.isMirrored != before.isMirrored
        {
            // A page was inserted before the visible content, or the direction of reading changed.
            pinContent(at: before.place, at: now, into: &effects)
        }
        if !isOffsetKnown, !floor.ownsList, refresh.revealedLength == 0 { offset = rest }
        preservePullDistance(after: change, from: before.place, before.rest)
        if change.viewport != nil { resizeFloor(at: now, into: &effects) }
        let becomesShort = updateFillAfterShrinking(wasShort: before.isShort)
        if change.content != nil { handleContentLayout(change, from: before.length) }
        if let speed, offset != before.place || physicalOffset != before.offset {
            continueFlight(velocity: speed, at: now, into: &effects)
        } else {
            adaptMotion(at: now, into: &effects)
        }
        returnToRange(at: now, into: &effects)
        let isMovement = keepsPlace && change.offset ?? before.offset != before.offset
        reevaluate(afterMovement: isMovement, at: now, into: &effects)
        guard change.content != nil || becomesShort else { return }
        fillViewport(isEmptied: becomesShort, at: now, into: &effects)
    }

    /// Records that the client has reported the offset of the list, which ends a glide.
    private mutating func recordReportedOffset(isFlying: Bool) {
        isOffsetKnown = true
        if !isFlying, dragAnchor == nil { clearMotion() }
    }

    /// Records that the client has laid out its content, whose length was `length` before. If the
    /// change has no anchor, the place of the last anchor becomes unknown.
    private mutating func handleContentLayout(_ change: GeometryChange, from length: Double) {
        loadMore.isPageLanding = false
        loadMore.isRoomLanding = false
        if !geometry.isContentShort, loadMore.load == nil { loadMore.filledPages = 0 }
        if geometry.contentLength != length {
            handleContentLengthChange(isLonger: geometry.contentLength > length)
        }
        if change.anchor == nil { anchor = .none }
    }

    /// Returns whether deleted rows have made the content too short for the viewport. If they have,
    /// and the list has more pages, the viewport is filled again.
    private mutating func updateFillAfterShrinking(wasShort: Bool) -> Bool {
        guard !wasShort, geometry.isContentShort, !loadMore.isPageLanding else { return false }
        if paging.hasPage { loadMore.mayFill = paging.hasMore }
        return true
    }

    /// Keeps the pulled distance when sizes change under a finger, because the finger has not
    /// moved. From then on, the distance is counted from `pullOrigin`, which moves only with the
    /// list, and not with the resting offset. `place` and `rest` are the list's place and resting
    /// offset before the change.
    private mutating func preservePullDistance(
        after change: GeometryChange, from place: Double, _ rest: Double
    ) {
        // If a change has an offset and no anchor, and the resting offset is the same, the finger
        // has moved the list. The same rule applies when a client resumes.
        guard change.offset == nil || change.anchor != nil || geometry.restingOffset != rest else {
            return
        }
        guard options.refresh?.isEnabled == true else { return }
        guard gesture.isFingerDown || gesture.restShift != 0 else { return }
        let moved = offset - place
        if let heldAt = gesture.heldAt { return gesture.heldAt = heldAt + moved }
        let wasPulled = place < rest + gesture.restShift
        gesture.restShift += moved - (geometry.restingOffset - rest)
        // The list is not pulled now. If it was not pulled before the change, or if the content has
        // moved it, the shift (`restShift`) ends.
        if offset >= geometry.restingOffset, !wasPulled || moved != 0 { gesture.restShift = 0 }
    }

    private func isAtRest(at place: Double) -> Bool {
        gesture.phase == .resting && flight == nil && !floor.ownsList
            && abs(offset - place) <= Self.restingTolerance
    }

    /// The time at which a reveal brings the list to its start; nil if no reveal does, or if this
    /// was more than `commandGrace` ago. An anchor does not stop this movement, because the user
    /// must see the start.
    private func endOfReturn(at now: Instant) -> Instant? {
        guard case .gliding(let glide) = motion, glide.revealsStart == true,
            now < glide.end.advanced(byMilliseconds: Self.commandGrace)
        else { return nil }
        return glide.end
    }

    /// Forgets where the last anchor was, so that the next one does not move the list.
    package mutating func forgetAnchor() { anchor = .none }

    /// How far the anchor, an item of the list, has moved, in points in reading direction. Nil if
    /// the earlier position of the item is not known.
    private mutating func anchorShift(_ change: GeometryChange) -> Double? {
        guard let new = change.anchor.map(geometry.mirrored) else { return nil }
        let old = anchor
        anchor = new
        guard old.name == new.name else { return nil }
        return new.position - old.position
    }

    /// The place at which a list with an anchor stays. If the content has become too short for
    /// `place`, the result is the nearest place at which the list can rest. If the list was beyond
    /// its range before the change, it stays beyond the new range by the same distance. `before`
    /// and `range` are the place and the range before the change.
    private func heldPlace(
        _ place: Double, from before: Double, in range: ClosedRange<Double>
    ) -> Double {
        // A list whose movement the engine decides returns to its range by itself.
        guard keepsPlace, !ownsPhysics, flight == nil, !floor.ownsList else { return place }
        let lower = scrollRange.lowerBound - max(range.lowerBound - before, 0)
        let upper = scrollRange.upperBound + max(before - range.upperBound, 0)
        return min(max(place, lower), upper)
    }

    /// Sets the offset of the list to `place` immediately, if it differs. The visible content
    /// therefore stays where it is on the screen, even under a finger. A list in flight continues
    /// from `place`.
    private mutating func pinContent(
        at place: Double, at now: Instant, into effects: inout [Effect]
    ) {
        guard place != offset else { return }
        guard flight == nil else { return offset = place }
        move(to: place, duration: 0, at: now, into: &effects)
    }

    /// Lets the list rest at `place`. If the list is on its way to another resting place, it
    /// arrives at `place` at the time that was planned for the other place. `end` is that time if
    /// the movement is no longer known.
    private mutating func moveToRest(
        at place: Double, by end: Instant? = nil, at now: Instant, into effects: inout [Effect]
    ) {
        guard place != offset else { return }
        var end = end
        if case .gliding(let glide) = motion { end = glide.end }
        let left = max(end?.milliseconds(since: now) ?? 0, 0)
        move(to: place, duration: UInt32(left.rounded(.up)), at: now, into: &effects)
    }

    /// Shifts a glide (a movement that follows a command) by as much as the list's place changed.
    private mutating func shiftGlide(by distance: Double) {
        guard case .gliding(let glide) = motion else { return }
        motion = .gliding(glide.shifted(by: distance))
    }

    mutating func handleEdgeEnabled(
        _ role: EdgeRole, _ isEnabled: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard options.hasEdge(role) else { return effects.append(.refuse(.missingEdge)) }
        var (refresh, loadMore) = (options.refresh, options.loadMore)
        switch role {
        case .refresh: refresh?.isEnabled = isEnabled
        case .loadMore: loadMore?.isEnabled = isEnabled
        }
        configure(
            refresh: refresh, loadMore: loadMore, paging: nil, at: now, into: &effects)
    }

    /// Applies new options at once, also to a refresh or a load that is being shown. Only the
    /// length of an open room stays the same (B-IQ-9), and a deadline of a load, of the completion
    /// display or of a floor that has been set is not moved.
    mutating func configure(
        refresh: RefreshOptions?, loadMore: LoadMoreOptions?, paging: PagingOptions?,
        pan: PanOptions? = nil, at now: Instant, into effects: inout [Effect]
    ) {
        if refresh?.isEnabled != true {
            applyToFloor(.removed, at: now, into: &effects)
            applyToRefresh(.disabled, at: now, into: &effects)
            // If the refresh edge was enabled until now, its invisible load ends. If it was not, an
            // invisible load is not a load of this edge, and continues.
            if silentLoad != nil, options.refresh?.isEnabled == true {
                endSilentRefresh(.cancelled, at: now, into: &effects)
            }
            self.refresh.isPullSpent = false
            gesture.restShift = 0
        } else if refresh?.floor == nil {
            applyToFloor(.removed, at: now, into: &effects)
        }
        if loadMore?.isEnabled != true {
            applyToLoadMore(.disabled, at: now, into: &effects)
        }
        let wasFloating = options.refresh?.isFloating == true
        let oldPollMs = options.refresh?.pollMs ?? 0
        options.refresh = refresh
        options.loadMore = loadMore
        watchArrivals()
        limitOverPull(into: &effects)
        if wasFloating, refresh?.isFloating == false { holdRoomOpen(at: now, into: &effects) }
        if let pan { options.pan = pan }
        adaptMotion(at: now, into: &effects)
        if let paging, paging != options.paging {
            // The running refresh uses the old paging style. After this refresh, a request in the
            // new style could not find the next page of the list.
            if paging.style != options.paging.style { cancelRefreshLoad(at: now, into: &effects) }
            options.paging = paging
            discardPages(paging, at: now, into: &effects)
        }
        if refresh?.isEnabled == true { applyToRefresh(.enabled, at: now, into: &effects) }
        adaptPolling(from: oldPollMs, at: now)
        if loadMore?.isEnabled == true, !hasRandomAccess {
            applyToLoadMore(.enabled(hasMore: self.paging.hasMore), at: now, into: &effects)
        }
        resumeLoadMore(at: now, into: &effects)
        reevaluate(at: now, into: &effects)
    }
}
