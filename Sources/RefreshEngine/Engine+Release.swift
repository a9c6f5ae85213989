import RefreshProtocol

/// The release of the finger: an armed edge fires its load, and withheld inset commands are sent. A
/// cancelled gesture fires nothing. If the option `onCancel` of the armed edge is `release`, the
/// gesture counts as released and not as cancelled.
extension Engine {
    /// Handles the release of the finger. An armed edge fires, with or without inertia (B-IQ-2,
    /// O-IQ-13), and withheld inset commands are sent. `velocity` is in points per second, positive
    /// towards the end.
    mutating func handleRelease(velocity: Double, at now: Instant, into effects: inout [Effect]) {
        // If no further sample arrives until this deadline, the list counts as at rest. A flight
        // needs no deadline, because its end is known.
        deadlines.gesture = dragAnchor == nil ? gestureDeadline(from: now) : .never
        gesture.phase = .coasting
        if gesture.isOpen {
            if options.refresh?.hasFloor == true {
                handleFloorRelease(velocity: velocity, at: now, into: &effects)
            }
            applyToRefresh(.released(refreshStart), at: now, into: &effects)
            if loadMore.phase == .eligible, !isEndEvaluationSkipped {
                loadMore.request.cause = gesture.cause
                applyToLoadMore(.released(loadMoreStart), at: now, into: &effects)
            }
        }
        handleFingerUp(at: now, into: &effects)
    }

    /// Handles a cancelled gesture: armed edges are disarmed, and withheld inset commands are sent
    /// (B-MR-3).
    mutating func cancelGesture(at now: Instant, into effects: inout [Effect]) {
        deadlines.gesture = dragAnchor == nil ? gestureDeadline(from: now) : .never
        applyToFloor(.cancelled, at: now, into: &effects)
        applyToRefresh(.cancelled, at: now, into: &effects)
        applyToLoadMore(.cancelled, at: now, into: &effects)
        gesture.cancel()
        reevaluate(at: now, into: &effects)
        handleFingerUp(at: now, into: &effects)
    }

    private mutating func handleFingerUp(at now: Instant, into effects: inout [Effect]) {
        // An indicator whose policy was to close at the release closes now, even if this policy has
        // changed meanwhile.
        if refresh.phase == .finishing, deadlines.completionDisplay == .never {
            applyToRefresh(.timeUp(.rest), at: now, into: &effects)
        }
        openRoomIfNear()
        let closes = insets.desiredStart < insets.sentStart
        sendInsets(at: now, into: &effects)
        if closes, motion == nil { recordReturnGlide(at: now) }
    }

    /// Records that a list returns to its start because its room closes. The platform moves the
    /// list back, and may still be moving it when the next finger comes down.
    private mutating func recordReturnGlide(at now: Instant) {
        guard offset < geometry.restingOffset, let duration = options.refresh?.insetDuration else {
            return
        }
        let timeline = Timeline(start: now, duration: Double(duration), curve: .easeInOut)
        motion = .gliding(
            Glide(origin: offset, target: geometry.restingOffset, timeline: timeline))
    }
}
