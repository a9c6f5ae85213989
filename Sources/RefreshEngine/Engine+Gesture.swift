import RefreshProtocol

/// Gestures: scrolling by the client's physics, and the reactions of the edges.
extension Engine {
    /// The tolerance in points. If a list comes to rest within this distance of an edge, it counts
    /// as being at the edge.
    static let restingTolerance = 0.5

    /// For this number of milliseconds after the end of a command, the user has possibly not seen
    /// the effect of the command.
    static let commandGrace: UInt32 = 1000

    @inline(__always)
    mutating func handleScroll(
        _ sample: ScrollSample, at now: Instant, into effects: inout [Effect]
    ) {
        let place = geometry.mirrored(sample.offset)
        let comesBack = motion != nil && transferListToClient(at: place, at: now)
        // If the first sample reports a list that coasts, the engine assumes that the list began to
        // move at its resting offset.
        let old =
            isOffsetKnown
            ? offset : sample.phase == .decelerating ? geometry.restingOffset : place
        offset = place
        isOffsetKnown = true
        ownsPhysics = false
        switch sample.phase {
        case .began:
            beginGesture(sample.cause, comesBack: comesBack, at: now, into: &effects)
            deadlines.gesture = gestureDeadline(from: now)
            guard evaluatesSample(from: old) else { return }
            evaluate(isSample: !sample.cause.isProgram, at: now, into: &effects)
        case .dragging:
            if !gesture.isFingerDown {
                beginGesture(sample.cause, comesBack: comesBack, at: now, into: &effects)
            }
            recordMovement(from: old, velocity: sample.velocity, at: now)
            evaluateFingerMovement(sample.cause, at: now, into: &effects)
        case .ended:
            guard gesture.isFingerDown else { return }
            recordLastMovement(from: old, at: now)
            if evaluatesSample(from: old) {
                evaluate(isSample: !sample.cause.isProgram, at: now, into: &effects)
            }
            handleRelease(
                velocity: geometry.mirrored(distance: sample.velocity), at: now, into: &effects)
        case .cancelled:
            guard gesture.isFingerDown else { return }
            recordLastMovement(from: old, at: now)
            if isCancelTreatedAsRelease, sample.cause == .finger {
                handleRelease(velocity: 0, at: now, into: &effects)
            } else {
                cancelGesture(at: now, into: &effects)
            }
        case .decelerating:
            if gesture.isFingerDown { handleMissedRelease(sample.cause, at: now, into: &effects) }
            gesture.recordCoasting(cause: sample.cause)
            deadlines.gesture = gestureDeadline(from: now)
            recordMovement(from: old, velocity: sample.velocity, at: now)
            evaluate(isSample: true, at: now, into: &effects)
        case .idle:
            if gesture.isFingerDown { handleMissedRelease(sample.cause, at: now, into: &effects) }
            if sample.cause == .code { gesture.recordCoasting(cause: .code) }
            recordLastMovement(from: old, at: now)
            // Usually, `handleRest` evaluates the position of a list that rests. If `attention` is
            // `movement`, it does not, so the last movement is evaluated here.
            if options.attention == .movement, offset != old {
                evaluate(isSample: false, at: now, into: &effects)
            }
            handleRest(hasMoved: offset != old, at: now, into: &effects)
        }
    }

    /// Whether a cancelled gesture counts as a release. The policy of the armed edge decides this.
    private var isCancelTreatedAsRelease: Bool {
        let policy =
            refresh.phase == .eligible ? options.refresh?.onCancel : options.loadMore?.onCancel
        return policy == .release
    }

    /// Whether the edges evaluate a sample. The list was at `old` before the sample. A sample can
    /// repeat the place of the sample before it.
    private func evaluatesSample(from old: Double) -> Bool {
        options.attention == .everything || offset != old
    }

    /// Handles a finger that has left the list, but whose `ended` sample was lost. If the program,
    /// a wheel or a key has begun to move the list, the gesture counts as cancelled. In all other
    /// cases, the finger counts as released.
    private mutating func handleMissedRelease(
        _ cause: Cause, at now: Instant, into effects: inout [Effect]
    ) {
        if cause == .finger {
            handleRelease(velocity: 0, at: now, into: &effects)
        } else {
            cancelGesture(at: now, into: &effects)
        }
    }

    @inline(__always)
    mutating func recordMovement(from old: Double, velocity: Double, at now: Instant) {
        gesture.recordMovement(from: old, to: offset, rest: geometry.restingOffset)
        // If sizes have changed under the finger, the pulled distance counts from a shifted place.
        // If `attention` is `movement`, the first movement after the change ends this shift, as in
        // the iOS libraries that the profiles reproduce.
        if gesture.restShift != 0, options.attention == .movement, offset != old {
            gesture.restShift = 0
        }
        guard options.loadMore?.leadTime != nil else { return }
        updateScrollSpeed(from: old, velocity: velocity, at: now)
    }

    /// Updates the scroll speed. If the client reports a velocity, the engine uses this velocity,
    /// because the client knows more samples than the daemon.
    private mutating func updateScrollSpeed(from old: Double, velocity: Double, at now: Instant) {
        if velocity != 0 {
            scrollSpeed.setVelocity(geometry.mirrored(distance: velocity), at: now)
        } else {
            scrollSpeed.recordMovement(by: offset - old, at: now)
        }
    }

    /// Records the last movement. A sample without movement carries no information about the speed.
    private mutating func recordLastMovement(from old: Double, at now: Instant) {
        guard offset != old else { return }
        recordMovement(from: old, velocity: 0, at: now)
    }

    /// The deadline for the next sample of a gesture, set at each sample.
    @inline(__always)
    func gestureDeadline(from now: Instant) -> Instant {
        now.advanced(byMilliseconds: options.gestureSilence)
    }

    @inline(__always)
    mutating func evaluateFingerMovement(
        _ cause: Cause, at now: Instant, into effects: inout [Effect]
    ) {
        deadlines.gesture = gestureDeadline(from: now)
        evaluate(isSample: !cause.isProgram, at: now, into: &effects)
    }

    /// Begins a gesture. The completion display of a refresh ends, but the room of the refresh
    /// stays open until the finger leaves.
    mutating func beginGesture(
        _ cause: Cause, comesBack: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        let slop = options.refresh?.slop ?? 0
        let isHeld = refresh.revealedLength > 0 || comesBack
        gesture.begin(cause: cause, heldAt: isHeld && slop > 0 ? offset : nil)
        scrollSpeed.recordHold(at: now)
        guard !cause.isProgram else { return }
        refresh.isPullSpent = false
        refresh.request.isRenewed = false
        loadMore.request.isRenewed = false
        applyToRefresh(.touched, at: now, into: &effects)
        if options.loadMore?.rearm == .gesture {
            applyToLoadMore(.rearmed, at: now, into: &effects)
        }
    }

    /// Ends the engine's movement of the list, because the client now moves the list. `place` is
    /// the current place of the list. Returns whether the list is on its way back to its start.
    private mutating func transferListToClient(at place: Double, at now: Instant) -> Bool {
        let comesBack = isReturningToStart(from: place, at: now)
        if gesture.phase == .coasting { deadlines.gesture = gestureDeadline(from: now) }
        clearMotion()
        return comesBack
    }

    /// Whether a list at `place` can still be on its way back to its start. The answer depends on
    /// how recently the list was sent to its start.
    func isReturningToStart(from place: Double, at now: Instant) -> Bool {
        guard case .gliding(let glide) = motion, glide.origin < glide.target else { return false }
        return place < geometry.restingOffset - Self.restingTolerance
            && glide.target >= geometry.restingOffset - Self.restingTolerance
            && now < glide.end.advanced(byMilliseconds: Self.commandGrace)
    }

    /// Handles a list that has come to rest. `hasMoved` is true if the sample that reports the rest
    /// has moved the list.
    ///
    /// With `everything` as `attention`, a list that comes to rest at its end (`restsAtEnd`) by the
    /// user's intent requests the next page in two cases:
    ///
    /// - `hasMoved` is true.
    /// - The list has not reached the load-more threshold. No sample at this place has requested a
    ///   page (`OriginalDefectTests`: B-IQ-4, O-IQ-17).
    ///
    /// In all other cases, the sample with which the list reached this place has already requested
    /// a page, or was not permitted to request one.
    mutating func handleRest(
        hasMoved: Bool = false, at now: Instant, into effects: inout [Effect]
    ) {
        deadlines.gesture = .never
        let evaluatesAtRest = options.attention == .everything
        if evaluatesAtRest, loadMore.phase.acceptsRequests, restsAtEnd,
            hasMoved || isShortOfThreshold,
            mayRequestMore(at: now)
        {
            if waitsForLayout(at: now) {
                deferRequestUntilLayout(gesture.cause)
            } else {
                loadMore.request.cause = gesture.cause
                applyToLoadMore(
                    .approached(progress: 1, .reaching(loadMoreStart)), at: now, into: &effects)
            }
        }
        gesture.reset()
        scrollSpeed.recordStandstill()
        if deadlines.loadMoreWait != .never { cancelDeferredRequestIfElsewhere() }
        if evaluatesAtRest {
            applyToFloor(.rested, at: now, into: &effects)
            applyToRefresh(.rested, at: now, into: &effects)
            applyToLoadMore(.rested, at: now, into: &effects)
        }
        updateFloatingRoom()
        openRoomIfNear()
        sendInsets(at: now, into: &effects)
    }

    /// Whether the list lies beyond its end, or at most `restingTolerance` before it. This is false
    /// in the mode `user`, and if the content is shorter than the viewport.
    private var restsAtEnd: Bool {
        guard let options = options.loadMore, options.mode == .limit, geometry.isMeasured else {
            return false
        }
        return !geometry.isContentShort
            && offset >= geometry.endOffset - Self.restingTolerance
    }

    /// Whether the list has not reached the load-more threshold. A sample at such a place cannot
    /// request the next page.
    private var isShortOfThreshold: Bool {
        guard let options = options.loadMore else { return false }
        return offset < preloadThreshold(options)
    }

    /// Evaluates the list's position again after a change that is not a sample. If the client has
    /// moved the list (`afterMovement`), the position is evaluated for every value of `attention`.
    mutating func reevaluate(
        afterMovement: Bool = false, at now: Instant, into effects: inout [Effect]
    ) {
        guard afterMovement || options.attention == .everything else { return }
        evaluate(isSample: false, at: now, into: &effects)
    }

    /// Evaluates the list's position at both edges. `isSample` is true if a movement caused the
    /// evaluation. A change of sizes or options can arm an edge, but is not an intent to fire it.
    @inline(__always)
    mutating func evaluate(isSample: Bool, at now: Instant, into effects: inout [Effect]) {
        guard !floor.ownsList else { return }
        evaluatePull(isSample: isSample, at: now, into: &effects)
        evaluateApproach(isSample: isSample, at: now, into: &effects)
    }
}
