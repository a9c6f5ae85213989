import RefreshProtocol

/// Where the list is on the way to the refresh threshold, and what that means.
extension Engine {
    /// The largest progress that is not 1.
    static let belowOne = 1.0.nextDown

    @inline(__always)
    mutating func evaluatePull(
        isSample: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        switch refresh {
        case .idle, .pulling, .eligible: break
        case .refreshing, .lingering, .held:
            return followRoom(at: now, into: &effects)
        case .disabled, .waiting, .triggered, .finishing: return
        }
        guard let options = options.refresh else { return }
        if gesture.heldAt != nil { noteHold() }
        let progress = pullProgress(options)
        if progress == 0, refresh == .idle { return }
        // What a platform's control shows beyond its threshold is its own affair.
        if progress == 1, options.trigger == .platform { return }
        applyToRefresh(
            .pulled(progress: progress, pull(options, isSample: isSample, at: now)), at: now,
            into: &effects)
        if options.floor != nil { evaluateFloor(options, at: now, into: &effects) }
    }

    @inline(__always)
    private func pull(
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
        // A fling that overshoots the start asks only where a profile says so (O-IQ-S7).
        guard isSample, gesture.cause == .finger, options.intents.contains(.fling),
            !isCoolingDown(options, at: now)
        else { return .showing }
        return .reaching(refreshStart)
    }

    /// Whether the finger, wheel or key that holds the list may refresh now.
    @inline(__always)
    private func mayPull(_ options: RefreshOptions, at now: Instant) -> Bool {
        // A strict threshold is not passed by being reached (MR-S1).
        if options.isStrict, offset == threshold(options) { return false }
        let isIntended =
            options.intents == .allButInertia
            || gesture.cause.intent(isFingerDown: true).map {
                options.intents.contains(Intents($0))
            } ?? false
        return isIntended && !isCoolingDown(options, at: now)
    }

    /// When a list in flight comes to the refresh threshold, where a profile lets a fling refresh; nil if it
    /// does not.
    func instantOfPulling(in flight: Flight) -> Instant? {
        guard let options = options.refresh, options.intents.contains(.fling), gesture.isOpen,
            flight.velocity < 0
        else { return nil }
        return flight.instant(passing: threshold(options))
    }

    /// Whether the last refresh is too fresh for another by the user.
    func isCoolingDown(_ options: RefreshOptions, at now: Instant) -> Bool {
        guard options.coolDown > 0, let lastUpdated else { return false }
        return now < lastUpdated.advanced(byMilliseconds: options.coolDown)
    }

    /// A finger on a list that a refresh has moved pulls only when it has moved it farther, or has
    /// been back at the start: what lies beyond the threshold by itself is position, not intent (rule 1).
    private mutating func noteHold() {
        guard let heldAt = gesture.heldAt else { return }
        if heldAt - offset >= options.refresh?.slop ?? 0 || offset >= geometry.restingOffset {
            gesture.heldAt = nil
        }
    }

    @inline(__always)
    private func threshold(_ options: RefreshOptions) -> Double {
        geometry.restingOffset + options.preload - options.length
    }

    /// 0 at rest, 1 at the threshold. Exact: no rounding of insets, no tolerance (B-IQ-4, B-IQ-5). An armed
    /// pull stays at 1 until it has gone back by the hysteresis.
    @inline(__always)
    private func pullProgress(_ options: RefreshOptions) -> Double {
        // A list on its way back is not pulled any more, nor one that flies, where flings do not refresh.
        guard gesture.heldAt == nil, !isPullSpent else { return 0 }
        guard options.intents.contains(.fling) || flight == nil else { return 0 }
        guard gesture.phase != .resting, !gesture.cause.isProgram || options.seesProgram else {
            return 0
        }
        let threshold = threshold(options)
        // The offsets decide, not the rounding of a quotient.
        if offset <= threshold { return 1 }
        if refresh == .eligible, offset < threshold + options.hysteresis { return 1 }
        let begin = geometry.restingOffset + options.preload - options.start
        return min(
            max((begin - offset) / (options.length - options.start), 0), Self.belowOne)
    }
}
