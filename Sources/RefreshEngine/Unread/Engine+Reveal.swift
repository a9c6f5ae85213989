import RefreshProtocol

/// The message `reveal`: brings an end of the list or an item into sight. If pages are missing for
/// this, the engine loads them first. Source: docs/protocol.md, "reveal".
extension Engine {
    /// Handles the message. The reveal itself begins after the engine has handled the rest of the
    /// event.
    mutating func handleRevealRequest(
        _ target: RevealTarget, animated: Bool, into effects: inout [Effect]
    ) {
        guard unreadBox != nil else { return }
        var reveal = Reveal(
            target: .start, isAnimated: animated, pagesLeft: options.pagesKeptMax)
        switch target {
        case .edge(let edge):
            guard let role = options.layout.roles(of: edge).first else {
                return effects.append(.refuse(.missingEdge))
            }
            reveal.target = role == .refresh ? .start : .end
        case .newestEnd: break
        case .item(let name, let position):
            reveal.target = .item(name)
            reveal.position = position
        }
        if unread?.reveal != nil { endReveal(.cancelled, into: &effects) }
        unread?.reveal = reveal
    }

    mutating func continueReveal(at now: Instant, into effects: inout [Effect]) {
        while let reveal = unread?.reveal {
            guard !gesture.isFingerDown, !floor.ownsList else {
                return endReveal(.cancelled, into: &effects)
            }
            switch reveal.step {
            case .loading:
                guard !isLoading(for: reveal) else { return }
                handleRevealLoadEnd(reveal, at: now, into: &effects)
            case .layingOut(let until):
                guard reveal.isLaidOut || now >= until else { return awaitLayout(until: until) }
                endLayoutDeadline(until)
                unread?.reveal?.step = .ready
            case .ready:
                guard beginRevealStep(reveal, at: now, into: &effects) else { return }
            }
        }
    }

    /// Begins the next step of a reveal that waits neither for a load nor for a layout. Returns
    /// false if the reveal has ended, or must wait for something else.
    private mutating func beginRevealStep(
        _ reveal: Reveal, at now: Instant, into effects: inout [Effect]
    ) -> Bool {
        switch reveal.target {
        case .start:
            // If the feed changes after the reveal's own load, the reveal does not load again.
            guard needsFirstPage, reveal.result?.isAccepted != true else {
                guard changes.heldCount == 0 || reveal.result != nil else {
                    // A refresh that runs shows the arrivals.
                    guard refreshLoad == nil else { return false }
                    releaseHeld(for: reveal, at: now, into: &effects)
                    return true
                }
                move(to: geometry.restingOffset, for: reveal, at: now, into: &effects)
                endReveal(.reached, into: &effects)
                return false
            }
            guard canRefreshInBackground else { return false }
            beginSilentRefresh(because: .code, at: now, into: &effects)
        case .end:
            guard canLoadMoreForReveal, reveal.pagesLeft > 0 else {
                move(to: geometry.endOffset, for: reveal, at: now, into: &effects)
                endReveal(canLoadMoreForReveal ? .limit : .reached, into: &effects)
                return false
            }
            guard requestPage(of: reveal, at: now, into: &effects) else { return false }
        case .item:
            if let position = reveal.position {
                move(to: place(ofItemAt: position), for: reveal, at: now, into: &effects)
                endReveal(.reached, into: &effects)
                return false
            }
            guard canLoadMoreForReveal, reveal.pagesLeft > 0 else {
                endReveal(canLoadMoreForReveal ? .limit : .missing, into: &effects)
                return false
            }
            guard requestPage(of: reveal, at: now, into: &effects) else { return false }
        }
        unread?.reveal?.step = .loading
        unread?.reveal?.result = nil
        return true
    }

    /// Shows the arrivals that are held back, and waits for their layout.
    private mutating func releaseHeld(
        for reveal: Reveal, at now: Instant, into effects: inout [Effect]
    ) {
        effects.append(.showOperations(releases: true))
        let until = now.advanced(byMilliseconds: options.layoutWait)
        unread?.reveal?.result = .success
        unread?.reveal?.isLaidOut = false
        unread?.reveal?.step = .layingOut(until: until)
    }

    /// Whether the list lacks the newest items, so that the first page must be loaded.
    private var needsFirstPage: Bool {
        guard paging.hasPage, options.refresh?.isEnabled == true else { return false }
        return paging.skippedPages > 0 || changes.isNotified || changes.isAwaited
            || hasWaitingChange
    }

    private var canLoadMoreForReveal: Bool {
        paging.hasMore && options.loadMore != nil && loadMore.phase != .disabled
    }

    /// Requests the next page. If that page is already being loaded, the reveal waits for this
    /// load. Returns false if the reveal waits for the end of a refresh, or has ended because the
    /// edge does not accept the request.
    private mutating func requestPage(
        of reveal: Reveal, at now: Instant, into effects: inout [Effect]
    ) -> Bool {
        if !loadMore.isBusy {
            guard loadMoreStart != .never else { return false }
            handleLoadMoreRequest(.code, at: now, into: &effects)
            guard loadMore.isBusy else {
                endReveal(.failed, into: &effects)
                return false
            }
        }
        unread?.reveal?.pagesLeft -= 1
        return true
    }

    private func isLoading(for reveal: Reveal) -> Bool {
        switch reveal.target {
        case .start: refreshLoad != nil || refresh.awaited != .none
        case .end, .item: loadMore.isBusy
        }
    }

    private mutating func handleRevealLoadEnd(
        _ reveal: Reveal, at now: Instant, into effects: inout [Effect]
    ) {
        switch reveal.result {
        case let result? where result.isAccepted:
            // If a page for a reveal of later pages has no new items, the client lays out nothing,
            // and the reveal does not wait.
            let isLaidOut =
                reveal.target != .start
                && (!loadMore.isPageLanding || loadMore.isLaidOutEarly || reveal.position != nil)
            let until = now.advanced(byMilliseconds: options.layoutWait)
            unread?.reveal?.isLaidOut = isLaidOut
            unread?.reveal?.step = .layingOut(until: until)
        // A refresh has shown that the list has no further page. So the request of the reveal,
        // which waited for the end of that refresh, loads nothing.
        case nil where reveal.target != .start && !paging.hasMore: unread?.reveal?.step = .ready
        case .cancelled, nil: endReveal(.cancelled, into: &effects)
        case .some: endReveal(.failed, into: &effects)
        }
    }

    /// Sets the deadline after which the reveal continues without the layout of the page. If
    /// the load-more edge does not need its own deadline, the reveal uses that deadline.
    private mutating func awaitLayout(until: Instant) {
        guard loadMore.load == nil, deadlines.loadMoreWait == .never else { return }
        deadlines.loadMoreWait = until
    }

    /// Whether a reveal loads pages towards the end of the list. A refresh that no user requested
    /// waits until the reveal ends, because the refresh would discard these pages.
    var revealsLaterPages: Bool {
        guard let reveal = unreadBox?.value.reveal else { return false }
        return reveal.target != .start
    }

    /// Removes the deadline that `awaitLayout` set. If the load-more edge also waits until this
    /// time (`layoutEnd`), the deadline stays.
    mutating func endLayoutDeadline(_ until: Instant) {
        guard loadMore.load == nil, deadlines.loadMoreWait == until, until != loadMore.layoutEnd
        else { return }
        deadlines.loadMoreWait = .never
    }

    /// The time until which a reveal waits for the client to lay out a page; nil if it does not
    /// wait.
    var revealLayoutEnd: Instant? {
        guard case .layingOut(let until) = unreadBox?.value.reveal?.step else { return nil }
        return until
    }

    /// Whether a reveal of the newest end is in progress. During such a reveal, a refresh requests
    /// only the first page.
    var revealsStart: Bool { unreadBox?.value.reveal?.target == .start }

    /// Records how a load has ended, for a reveal that waits for it.
    mutating func recordRevealLoad(_ kind: LoadKind, _ result: LoadResult) {
        guard let reveal = unreadBox?.value.reveal, reveal.step == .loading,
            (reveal.target == .start) == (kind == .refresh)
        else { return }
        unread?.reveal?.result = result
    }

    /// Records that the client has laid out its content, or has reported the position of an item.
    ///
    /// `length` is the length of the content before the change. If the change leaves the length the
    /// same, the client can have laid out this content before the page arrived. So a reveal of
    /// later pages continues to wait.
    mutating func recordRevealGeometry(_ change: GeometryChange, from length: Double) {
        guard let reveal = unreadBox?.value.reveal else { return }
        if change.content != nil, reveal.target == .start || geometry.contentLength != length {
            unread?.reveal?.isLaidOut = true
        }
        if case .item(let name) = reveal.target, let anchor = change.anchor, anchor.name == name {
            unread?.reveal?.position = anchor.position
            unread?.reveal?.isLaidOut = true
        }
    }

    /// Returns the place of the list at which an item is at the physical beginning of the visible
    /// part. `position` is the position of the item in the content.
    private func place(ofItemAt position: Double) -> Double {
        geometry.mirrored(
            position - (geometry.isMirrored ? geometry.endInset : geometry.startInset))
    }

    private mutating func move(
        to place: Double, for reveal: Reveal, at now: Instant, into effects: inout [Effect]
    ) {
        let least = geometry.restingOffset
        if flight != nil {
            // The list is moving after a release. The command ends this movement.
            clearMotion()
            handleRest(at: now, into: &effects)
        }
        move(
            to: min(max(place, least), max(least, geometry.endOffset)),
            duration: reveal.isAnimated ? options.refresh?.offsetDuration ?? 0 : 0, at: now,
            into: &effects)
        if reveal.target == .start { markRevealOfStart() }
    }

    /// Records that the movement of the list brings its start into sight.
    mutating func markRevealOfStart() {
        guard case .gliding(var glide) = motion else { return }
        glide.revealsStart = true
        motion = .gliding(glide)
    }

    /// Ends the reveal, if one is in progress.
    mutating func endReveal(_ result: RevealResult, into effects: inout [Effect]) {
        guard unreadBox?.value.reveal != nil else { return }
        if let revealLayoutEnd { endLayoutDeadline(revealLayoutEnd) }
        unread?.reveal = nil
        effects.append(.showRevealed(result))
    }
}
