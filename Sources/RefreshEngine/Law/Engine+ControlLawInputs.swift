package import RefreshProtocol

/// Derives the inputs of the control law from the engine's state.
extension Engine {
    /// The inputs of the control law at `now`.
    package func controlLawInputs(at now: Instant) -> ControlLawInputs {
        var ground = ControlLawInputs()
        ground.floorHasTheList = floor.ownsList
        ground.comesBack = isReturnedByPlatform
        ground.heldAt = isPullPossible ? gesture.heldAt : nil
        ground.restShift = gesture.restShift
        ground.toldRefresh = insets.sentStart
        ground.toldLoadMore = insets.sentEnd
        ground.revealed = refresh.revealedLength
        ground.isRoomLanding = loadMore.isRoomLanding
        ground.isRangeUndecided =
            ownsPhysics
            && (loadMore.load != nil || loadMore.isRoomLanding || !insets.isFullySent)
        ground.latency = scrollSpeed.latency
        ground.items = paging.itemCount
        setPullInputs(in: &ground, at: now)
        setEndInputs(in: &ground, at: now)
        return ground
    }

    private func setPullInputs(in ground: inout ControlLawInputs, at now: Instant) {
        guard let options = options.refresh else { return }
        ground.isRefreshShown = refresh.phase.isShown
        ground.isRoomUndecided =
            refresh.phase.isShown || refresh.phase == .waiting || refresh.phase.isTriggered
        ground.isPullSeen =
            isPullPossible && !ground.floorHasTheList && gesture.heldAt == nil
            && !(refresh.isPullSpent && gesture.phase != .resting) && !isShiftEnding
        ground.isCoolingDown = isCoolingDown(options, at: now)
        ground.isEndQuiet = loadMore.load == nil && insets.loadMore == 0 && insets.isFullySent
        let start = refreshStart
        ground.mayFireNow = if case .now = start { true } else { false }
        let hasFired = gesture.hasFiredRefresh && gesture.isFingerDown
        ground.mayArm =
            options.trigger != .platform && options.intents.allows(.finger)
            && !hasFired && !ground.isCoolingDown
            && (options.trigger == .release || ground.mayFireNow)
    }

    private func setEndInputs(in ground: inout ControlLawInputs, at now: Instant) {
        guard let options = options.loadMore else { return }
        ground.isMoreRenewed =
            loadMore.request.isRenewed || (options.leadTime != nil && isRequestDeferred)
        ground.isEndAskedAbout =
            loadMore.phase == .failed || (loadMore.phase.acceptsRequests && loadMore.hasRequested)
        ground.mayAskAgain = loadMore.phase == .failed && options.asksAgain
        ground.isBackingOff = now < loadMore.backOffEnd
        ground.hasEnd =
            loadMore.phase != .disabled && loadMore.phase != .noMore && geometry.isMeasured
        ground.isEndSeen =
            ground.hasEnd && loadMore.phase.acceptsRequests && !ground.floorHasTheList
            && !isEndBlocked
        // `mayAsk` ignores the wait for the layout, because a client beyond the threshold with an
        // unarmed edge sends every sample anyway. If a request because of the list's speed waits
        // for the layout, `isMoreRenewed` is set.
        ground.mayAsk =
            !isFirstPageByPull && !ground.isBackingOff
            && !(loadMore.hasRequested && options.rearm == .content)
    }

    /// Whether a pull would be visible, apart from the conditions on the gesture.
    private var isPullPossible: Bool {
        switch refresh.phase {
        case .idle, .pulling, .eligible: true
        case .disabled, .waiting, .triggered, .refreshing, .lingering, .held, .finishing: false
        }
    }

    /// Whether the next movement ends the shift of the resting offset. If so, a sample that moves
    /// the list is evaluated against other offsets than a sample that does not move it.
    var isShiftEnding: Bool { gesture.restShift != 0 && options.attention == .movement }

    /// Whether a refresh prevents the evaluation of the load-more edge. A pull can also prevent the
    /// evaluation, but is not counted here, because the client itself detects the pull.
    private var isEndBlocked: Bool {
        switch refresh.phase {
        case .idle, .pulling, .eligible:
            isLoadMoreBlockedBySilentRefresh
                || (options.attention == .movement && isFirstPageByPull)
        case .disabled, .waiting, .triggered, .refreshing, .lingering, .held, .finishing:
            isLoadMoreBlocked || isEndEvaluationSkipped
        }
    }

    /// Whether the client's platform moves the list back after the daemon has closed the inset of
    /// an indicator.
    private var isReturnedByPlatform: Bool {
        guard case .gliding = motion else { return false }
        return gesture.phase == .coasting
    }
}

extension RefreshPhase {
    fileprivate var isTriggered: Bool {
        if case .triggered = self { true } else { false }
    }
}

extension ControlLawInputs {
    /// Updates the inputs to those of `engine` at `now`, and returns whether they changed. `engine`
    /// is `inout` only so that it is not copied. It is not changed.
    package mutating func update(from engine: inout Engine, at now: Instant) -> Bool {
        let ground = engine.controlLawInputs(at: now)
        guard ground != self else { return false }
        self = ground
        return true
    }
}
