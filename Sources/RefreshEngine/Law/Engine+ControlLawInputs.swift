package import RefreshProtocol

/// Derives the inputs of the control law from the engine's state.
extension Engine {
    /// The inputs of the control law at `now`.
    package func controlLawInputs(at now: Instant) -> ControlLawInputs {
        var inputs = ControlLawInputs()
        inputs.floorHasTheList = floor.ownsList
        inputs.comesBack = isReturnedByPlatform
        inputs.heldAt = isPullPossible ? gesture.heldAt : nil
        inputs.restShift = gesture.restShift
        inputs.sentStart = insets.sentStart
        inputs.sentEnd = insets.sentEnd
        inputs.revealed = refresh.revealedLength
        inputs.isRoomLanding = loadMore.isRoomLanding
        inputs.isRangeUndecided =
            ownsPhysics
            && (loadMore.load != nil || loadMore.isRoomLanding || !insets.isFullySent)
        inputs.latency = scrollSpeed.latency
        inputs.items = paging.itemCount
        setPullInputs(in: &inputs, at: now)
        setEndInputs(in: &inputs, at: now)
        return inputs
    }

    private func setPullInputs(in inputs: inout ControlLawInputs, at now: Instant) {
        guard let options = options.refresh else { return }
        inputs.isRefreshShown = refresh.phase.isShown
        inputs.isRoomUndecided =
            refresh.phase.isShown || refresh.phase == .waiting || refresh.phase.isTriggered
        inputs.isPullSeen =
            isPullPossible && !inputs.floorHasTheList && gesture.heldAt == nil
            && !(refresh.isPullSpent && gesture.phase != .resting) && !isShiftEnding
        inputs.isCoolingDown = isCoolingDown(options, at: now)
        inputs.isEndIdle = loadMore.load == nil && insets.loadMore == 0 && insets.isFullySent
        let start = refreshStart
        inputs.mayFireNow = if case .now = start { true } else { false }
        let hasFired = gesture.hasFiredRefresh && gesture.isFingerDown
        inputs.mayArm =
            options.trigger != .platform && options.intents.allows(.finger)
            && !hasFired && !inputs.isCoolingDown
            && (options.trigger == .release || inputs.mayFireNow)
    }

    private func setEndInputs(in inputs: inout ControlLawInputs, at now: Instant) {
        guard let options = options.loadMore else { return }
        inputs.isMoreRenewed =
            loadMore.request.isRenewed || (options.leadTime != nil && isRequestDeferred)
        inputs.isEndRequested =
            loadMore.phase == .failed || (loadMore.phase.acceptsRequests && loadMore.hasRequested)
        inputs.mayRequestAgain = loadMore.phase == .failed && options.asksAgain
        inputs.isBackingOff = now < loadMore.backOffEnd
        inputs.hasEnd =
            loadMore.phase != .disabled && loadMore.phase != .noMore && geometry.isMeasured
        inputs.isEndSeen =
            inputs.hasEnd && loadMore.phase.acceptsRequests && !inputs.floorHasTheList
            && !isEndBlocked
        // `mayRequest` ignores the wait for the layout. While the edge is not in the state
        // `eligible`, a client beyond the threshold sends every sample anyway. If the list's speed
        // caused a request, and this request waits for the layout, `isMoreRenewed` is true.
        inputs.mayRequest =
            !isFirstPageByPull && !inputs.isBackingOff
            && !(loadMore.hasRequested && options.rearm == .content)
    }

    /// Whether a pull is visible in this phase, if a gesture meets the conditions of a pull.
    private var isPullPossible: Bool {
        switch refresh.phase {
        case .idle, .pulling, .eligible: true
        case .disabled, .waiting, .triggered, .refreshing, .lingering, .held, .finishing: false
        }
    }

    /// Whether the next movement ends the shift of the resting offset. If it does, a sample that
    /// moves the list is evaluated against other offsets than a sample that does not.
    var isShiftEnding: Bool { gesture.restShift != 0 && options.attention == .movement }

    /// Whether a refresh prevents the evaluation of the load-more edge. A pull, which also prevents
    /// it, is not considered here, because the client itself detects a pull.
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
    /// is not changed: it is `inout` only to avoid a copy.
    package mutating func update(from engine: inout Engine, at now: Instant) -> Bool {
        let inputs = engine.controlLawInputs(at: now)
        guard inputs != self else { return false }
        self = inputs
        return true
    }
}
