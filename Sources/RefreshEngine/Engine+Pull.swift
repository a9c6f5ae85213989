import RefreshProtocol

/// The position of the list relative to the refresh threshold, and the facts (`RefreshFact`) that
/// result from it.
extension Engine {
    /// The largest progress below 1.
    static var belowOne: Double { 1 - .ulpOfOne / 2 }

    @inline(__always)
    mutating func evaluatePull(
        isSample: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        if gesture.restShift != 0 { endRestShiftIfReturned() }
        switch refresh.phase {
        case .idle, .pulling, .eligible: break
        case .refreshing, .lingering, .held:
            return updateRoom(at: now, into: &effects)
        case .disabled, .waiting, .triggered, .finishing: return
        }
        if gesture.heldAt != nil { endHoldIfMoved() }
        let progress = pullProgress()
        if progress != 1, refresh.request.isRenewed {
            refresh.request.isRenewed = false
            gesture.hasFiredRefresh = false
        }
        if progress == 0, refresh.phase == .idle { return }
        if progress < 1 {
            // In these phases, the transition for a pull is computed directly, without
            // `transition(for:)`.
            perform(refresh.phase.pulled(to: progress, .showing), at: now, into: &effects)
        } else {
            applyReachedThreshold(isSample: isSample, at: now, into: &effects)
        }
        if options.refresh?.hasFloor == true { evaluateFloor(at: now, into: &effects) }
    }

    private mutating func applyReachedThreshold(
        isSample: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.refresh else { return }
        // If the platform has its own control, this control decides what it shows under the finger
        // beyond its threshold.
        if options.trigger == .platform, gesture.isFingerDown { return }
        let phase = refresh.phase
        let isFarther = updateOverPull(upTo: options.progressMax)
        applyToRefresh(
            .pulled(progress: 1, pullCondition(options, isSample: isSample, at: now)), at: now,
            into: &effects)
        if isFarther, refresh.phase == phase { showRefresh(into: &effects) }
    }

    /// Updates the over-pull that is shown, and returns whether it has changed.
    private mutating func updateOverPull(upTo maximum: Double) -> Bool {
        guard maximum > 1 || refresh.overPull != 0 else { return false }
        let overPull = Self.overPull(at: min(pullFractionInPlace(), maximum))
        defer { refresh.overPull = overPull }
        return overPull != refresh.overPull
    }

    /// If new options lower the maximum of the shown over-pull, reduces the over-pull that is shown
    /// now.
    mutating func limitOverPull(into effects: inout [Effect]) {
        guard refresh.overPull != 0 else { return }
        let overPull = Self.overPull(at: options.refresh?.progressMax ?? 1)
        guard refresh.overPull > overPull else { return }
        refresh.overPull = overPull
        if refresh.phase.progress == 1 { showRefresh(into: &effects) }
    }

    /// By how much this progress is above 1, in thousandths; 0 if it is not above 1. The progress
    /// is at most the option `progressMax`.
    private static func overPull(at progress: Double) -> UInt16 {
        progress > 1 ? UInt16(((progress - 1) * 1000).rounded()) : 0
    }

    private func pullCondition(
        _ options: RefreshOptions, isSample: Bool, at now: Instant
    ) -> RefreshFact.Pull {
        guard gesture.isOpen, !gesture.hasFiredRefresh else { return .showing }
        if gesture.isFingerDown {
            guard mayPull(options, at: now) else { return .showing }
            switch options.trigger {
            case .release: return .arming
            case .reach: return isSample ? .reaching(refreshStart) : .showing
            case .platform: return .showing
            }
        }
        // A fling that overshoots the start refreshes only if the option `intents` allows it
        // (O-IQ-S7).
        guard isSample, gesture.cause == .finger, options.intents.allows(.fling),
            !isCoolingDown(options, at: now)
        else { return .showing }
        return .reaching(refreshStart)
    }

    /// Whether the finger, wheel or key that moves the list may refresh now.
    private func mayPull(_ options: RefreshOptions, at now: Instant) -> Bool {
        // A strict threshold must be passed, not only reached (O-MR-S1).
        if options.isStrict, offset == pullThreshold { return false }
        guard let intent = gesture.cause.intent(isFingerDown: true) else { return false }
        return options.intents.allows(Intents(intent)) && !isCoolingDown(options, at: now)
    }

    /// The instant at which a list in flight reaches the refresh threshold. Nil if the list does
    /// not reach it, or if the option `intents` does not allow flings.
    func instantOfRefreshThreshold(in flight: Flight) -> Instant? {
        guard let options = options.refresh, options.intents.allows(.fling), gesture.isOpen,
            flight.velocity < 0
        else { return nil }
        return flight.instant(passing: pullThreshold)
    }

    /// Whether the last refresh is too recent for another one by the user.
    func isCoolingDown(_ options: RefreshOptions, at now: Instant) -> Bool {
        guard options.coolDown > 0, let updated = refresh.lastUpdated else { return false }
        return now < updated.advanced(byMilliseconds: options.coolDown)
    }

    /// Ends the state in which a finger holds a list that a refresh has moved. In this state, the
    /// initial distance beyond the threshold is the list's position and not the user's intent. The
    /// finger pulls only after it has moved the list farther, or after the list has been back at
    /// its start.
    private mutating func endHoldIfMoved() {
        guard let heldAt = gesture.heldAt else { return }
        if heldAt - offset >= max(options.refresh?.slop ?? 0, 1) || offset >= geometry.restingOffset
        {
            gesture.heldAt = nil
        }
    }

    /// Ends the shift of the resting offset when the list is back at `returnOffset`. By the
    /// old sizes and by the new ones, it is then not pulled.
    private mutating func endRestShiftIfReturned() {
        if offset >= returnOffset { gesture.restShift = 0 }
    }

    /// The place at which the shift of the resting offset (`restShift`) ends. After the list has
    /// returned to this place, its pull counts from the resting offset again.
    ///
    /// With `preload`, a pull can become visible while the list has not reached its resting offset
    /// yet. The returned place is then farther towards the end by the distance that is left. At
    /// this place, the list therefore counts as not pulled, both by the old sizes and by the new
    /// ones. The end of the shift changes no state.
    var returnOffset: Double {
        let visible = (options.refresh?.preload ?? 0) - (options.refresh?.start ?? 0)
        return max(geometry.restingOffset, pullOrigin) + max(visible, 0)
    }

    /// The place from which a pull counts. Usually it is the resting offset. If sizes have changed
    /// under the finger, it moves with the list, so that the pulled distance stays the same.
    @inline(__always)
    var pullOrigin: Double { geometry.restingOffset + gesture.restShift }

    @inline(__always)
    var pullThreshold: Double {
        pullOrigin + (options.refresh?.preload ?? 0) - (options.refresh?.length ?? 0)
    }

    /// The pulled fraction of the distance to the refresh threshold: 0 where a pull becomes
    /// visible, 1 at the threshold, and more beyond the threshold. It is meant for drawing a pull.
    /// Whether the list is pulled depends on the state, and not on this fraction.
    package var pullFraction: Double {
        var engine = self
        return engine.pullFractionInPlace()
    }

    /// The same as `pullFraction`, but without a copy of the engine, which would cost more than the
    /// computation.
    @inline(__always)
    package mutating func pullFractionInPlace() -> Double {
        guard let options = options.refresh else { return 0 }
        let begin = pullOrigin + options.preload - options.start
        return max((begin - offset) / (options.length - options.start), 0)
    }

    /// The pull progress: 0 at rest, 1 at the threshold. The progress is exact, without a rounding
    /// of insets and without a tolerance (B-IQ-4, B-IQ-5). An armed pull stays at 1 until it has
    /// gone back by the hysteresis. The progress is computed in place, because a copy of the
    /// options would cost more than the computation.
    @inline(__always)
    private mutating func pullProgress() -> Double {
        guard gesture.heldAt == nil, !refresh.isPullSpent else { return 0 }
        // A list that is in flight counts as pulled only if the option `intents` permits flings.
        if flight != nil, options.refresh?.intents.allows(.fling) != true { return 0 }
        guard gesture.phase != .resting else { return 0 }
        guard let (length, start, preload) = options.refresh?.pullDistances else { return 0 }
        if gesture.cause.isProgram, options.refresh?.seesProgram == false { return 0 }
        let begin = pullOrigin + preload
        // The offsets are compared directly, because a quotient would be rounded.
        if offset <= begin - length { return 1 }
        if refresh.phase == .eligible, offset < begin - length + (options.refresh?.hysteresis ?? 0)
        {
            return 1
        }
        return min(max((begin - start - offset) / (length - start), 0), Self.belowOne)
    }
}
