import RefreshProtocol

/// What the hand does: scrolling by the client's physics, and the edges' answers to it.
extension Engine {
    /// Half a point: a list that comes to rest so near to an edge is at that edge.
    static let restingTolerance = 0.5

    /// Points by which a list that is held open must be pulled farther to be pulled at all.
    static let pullSlop = 10.0

    /// The largest progress that is not 1.
    private static let belowOne = 1.0.nextDown

    @inline(__always)
    mutating func scrolled(
        _ sample: ScrollSample, at now: Instant, into effects: inout [Effect]
    ) {
        if spring != nil { abandonSpring() }
        let old = isOffsetKnown ? offset : sample.offset
        offset = sample.offset
        isOffsetKnown = true
        ownsPhysics = false
        switch sample.phase {
        case .began:
            beginGesture(sample.cause)
            followFinger(sample.cause, at: now, into: &effects)
        case .dragging:
            if !gesture.isFingerDown { beginGesture(sample.cause) }
            gesture.noteMovement(from: old, to: offset, rest: geometry.restingOffset)
            followFinger(sample.cause, at: now, into: &effects)
        case .ended:
            guard gesture.isFingerDown else { return }
            gesture.noteMovement(from: old, to: offset, rest: geometry.restingOffset)
            evaluate(isSample: !sample.cause.isProgram, at: now, into: &effects)
            release(at: now, into: &effects)
        case .cancelled:
            guard gesture.isFingerDown else { return }
            cancelGesture(at: now, into: &effects)
        case .decelerating:
            if gesture.isFingerDown { missRelease(sample.cause, at: now, into: &effects) }
            gesture.coast(cause: sample.cause)
            gesture.noteMovement(from: old, to: offset, rest: geometry.restingOffset)
            evaluate(isSample: true, at: now, into: &effects)
        case .idle:
            if gesture.isFingerDown { missRelease(sample.cause, at: now, into: &effects) }
            if sample.cause == .code { gesture.coast(cause: .code) }
            gesture.noteMovement(from: old, to: offset, rest: geometry.restingOffset)
            comeToRest(at: now, into: &effects)
        }
    }

    /// A finger whose "ended" was lost has left the list all the same; one that the program, a wheel or
    /// a key took the list from has not released anything.
    private mutating func missRelease(
        _ cause: Cause, at now: Instant, into effects: inout [Effect]
    ) {
        if cause == .finger {
            release(at: now, into: &effects)
        } else {
            cancelGesture(at: now, into: &effects)
        }
    }

    /// A sign of life of a finger on the list.
    @inline(__always)
    func gestureDeadline(from now: Instant) -> Instant {
        now.advanced(byMilliseconds: options.gestureSilence)
    }

    @inline(__always)
    mutating func followFinger(
        _ cause: Cause, at now: Instant, into effects: inout [Effect]
    ) {
        deadlines.gesture = gestureDeadline(from: now)
        evaluate(isSample: !cause.isProgram, at: now, into: &effects)
    }

    /// The finger was lifted: what is armed fires, with or without inertia (B-IQ-2, O-IQ-13), and what
    /// was withheld is told.
    mutating func release(at now: Instant, into effects: inout [Effect]) {
        deadlines.gesture = nil
        gesture.phase = .coasting
        if gesture.isOpen {
            applyToRefresh(.released(nextLoad), at: now, into: &effects)
            if loadMore == .eligible { moreCause = gesture.cause }
            applyToMore(.released(nextLoad), at: now, into: &effects)
        }
        tellInsets(at: now, into: &effects)
    }

    /// The gesture was taken away: what is armed is void, and what was withheld is told (B-MR-3).
    mutating func cancelGesture(at now: Instant, into effects: inout [Effect]) {
        deadlines.gesture = nil
        applyToRefresh(.cancelled, at: now, into: &effects)
        applyToMore(.cancelled, at: now, into: &effects)
        gesture.cancel()
        evaluate(isSample: false, at: now, into: &effects)
        tellInsets(at: now, into: &effects)
    }

    /// Nothing moves any more. A list that came to rest at its end by the user's intent asks there, even
    /// if its last sample lay a fraction of a pixel before it (B-IQ-4, O-IQ-17).
    mutating func comeToRest(at now: Instant, into effects: inout [Effect]) {
        deadlines.gesture = nil
        if restsAtEnd, mayAskForMore {
            moreCause = gesture.cause
            applyToMore(
                .neared(progress: 1, .reaching(nextLoad)), at: now, into: &effects)
        }
        gesture.rest()
        applyToRefresh(.rested, at: now, into: &effects)
        applyToMore(.rested, at: now, into: &effects)
        tellInsets(at: now, into: &effects)
    }

    private var restsAtEnd: Bool {
        guard let options = options.loadMore, options.mode == .limit, geometry.isMeasured else {
            return false
        }
        return !geometry.isContentShort
            && offset >= geometry.endOffset - Self.restingTolerance
    }

    /// Both edges look at where the list is. `isSample`: because it moved; a change of sizes or options
    /// may arm an edge but is no intent to fire it (rules 1 and 5).
    @inline(__always)
    mutating func evaluate(isSample: Bool, at now: Instant, into effects: inout [Effect]) {
        evaluatePull(isSample: isSample, at: now, into: &effects)
        evaluateApproach(isSample: isSample, at: now, into: &effects)
    }

    @inline(__always)
    private mutating func evaluatePull(
        isSample: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.refresh else { return }
        switch refresh {
        case .disabled, .triggered, .refreshing: return
        case .idle, .pulling, .eligible: break
        }
        if gesture.heldAt != nil { noteHold() }
        let progress = pullProgress(options)
        if progress == 0, refresh == .idle { return }
        let pull: RefreshFact.Pull
        if gesture.isFingerDown, gesture.isOpen, !gesture.hasFiredTop {
            switch options.trigger {
            case .release: pull = .arming
            case .reach: pull = isSample ? .reaching(nextLoad) : .showing
            }
        } else {
            pull = .showing
        }
        applyToRefresh(.pulled(progress: progress, pull), at: now, into: &effects)
    }

    mutating func beginGesture(_ cause: Cause) {
        gesture.begin(cause: cause, heldAt: revealedLength > 0 ? offset : nil)
    }

    /// A finger on a list that a refresh has moved down pulls only when it has moved it farther, or has
    /// been back at the top: what lies beyond the threshold by itself is position, not intent (rule 1).
    private mutating func noteHold() {
        guard let heldAt = gesture.heldAt else { return }
        if heldAt - offset >= Self.pullSlop || offset >= geometry.restingOffset {
            gesture.heldAt = nil
        }
    }

    /// 0 at rest, 1 at the threshold. Exact: no rounding of insets, no tolerance (B-IQ-4, B-IQ-5).
    @inline(__always)
    private func pullProgress(_ options: RefreshOptions) -> Double {
        // A list on its way back is not pulled any more.
        guard gesture.phase != .resting, !gesture.cause.isProgram, spring == nil else { return 0 }
        guard gesture.heldAt == nil else { return 0 }
        let start = geometry.restingOffset + options.preload
        let threshold = start - options.length
        // The offsets decide, not the rounding of a quotient.
        if offset <= threshold { return 1 }
        return min(max((start - offset) / options.length, 0), Self.belowOne)
    }

    @inline(__always)
    private mutating func evaluateApproach(
        isSample: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.loadMore else { return }
        switch loadMore {
        case .disabled, .loading, .noMore: return
        case .idle, .approaching, .eligible, .failed: break
        }
        let way = geometry.isMeasured ? wayToEnd(options) : nil
        if way == 0 { hasAskedForMore = false }
        // A failure stays until the list leaves the zone, whoever moves it or pulls elsewhere.
        if loadMore == .failed, way != 0 { return }
        let progress = isApproachSeen ? way ?? 0 : 0
        if progress == 0, loadMore == .idle { return }
        let approach = approach(options, isSample: isSample)
        if case .reaching = approach { moreCause = gesture.cause }
        applyToMore(.neared(progress: progress, approach), at: now, into: &effects)
    }

    /// 0 outside of the zone before the end, 1 at the threshold, wherever the list came from. Exact.
    @inline(__always)
    private func wayToEnd(_ options: LoadMoreOptions) -> Double {
        var threshold = geometry.endOffset - options.preload
        if options.mode == .user { threshold += options.length }
        if offset >= threshold { return 1 }
        return min(max((offset - (threshold - options.length)) / options.length, 0), Self.belowOne)
    }

    /// Pulling and refreshing come first (rule 6); a list at rest approaches nothing, nor does one that
    /// the program moves.
    private var isApproachSeen: Bool {
        !refresh.isActive && gesture.phase != .resting && !gesture.cause.isProgram
    }

    private func approach(
        _ options: LoadMoreOptions, isSample: Bool
    ) -> LoadMoreFact.Approach {
        guard mayAskForMore else { return .showing }
        if gesture.isFingerDown {
            switch options.trigger {
            case .release: return .arming
            case .reach: return isSample ? .reaching(nextLoad) : .showing
            }
        }
        // A fling that reaches the end asks (O-IQ-15); one that bounces beyond it is no intent to.
        return isSample && options.mode == .limit ? .reaching(nextLoad) : .showing
    }

    /// The load-more gate, but for the position: an open gesture that moves towards the end, has not
    /// fired there, and content that was not asked about (rules 1 and 6).
    var mayAskForMore: Bool {
        guard gesture.isOpen, !gesture.hasFiredBottom, !hasAskedForMore, !refresh.isActive,
            gesture.movesTowardsEnd || loadMore == .eligible,
            options.isClientBacked || paging.hasPage
        else { return false }
        // Short content is always at its end: only a pull beyond it is an intent (O-IQ-11).
        return !geometry.isContentShort || offset > geometry.restingOffset
    }
}
