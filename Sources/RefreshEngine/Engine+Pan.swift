import RefreshProtocol

/// Physics for clients that have none of their own and send `pan`. This file handles the list under
/// the finger. `Engine+Flight.swift` handles the movement after the release.
extension Engine {
    /// The drag anchor of the finger that holds the list by `pan`; nil if no finger holds the list.
    var dragAnchor: DragAnchor? {
        if case .held(let anchor, _) = motion { anchor } else { nil }
    }

    mutating func handlePan(_ sample: PanSample, at now: Instant, into effects: inout [Effect]) {
        switch sample.phase {
        case .began: beginDrag(sample, at: now, into: &effects)
        case .dragging:
            if dragAnchor == nil {
                beginDrag(sample, at: now, into: &effects)
            } else {
                moveWithFinger(sample, at: now, into: &effects)
            }
        case .ended, .cancelled:
            // If there is no anchor, the list was released, or the client now moves it by scroll
            // samples.
            guard dragAnchor != nil else { return }
            moveWithFinger(sample, at: now, into: &effects)
        case .decelerating, .idle: return
        }
        switch sample.phase {
        case .began, .dragging: evaluateFingerMovement(sample.cause, at: now, into: &effects)
        case .ended:
            let velocity = listVelocity(finger: sample.velocity)
            evaluate(isSample: !sample.cause.isProgram, at: now, into: &effects)
            handleRelease(
                velocity: geometry.mirrored(distance: sample.velocity), at: now, into: &effects)
            finishDrag(velocity: velocity, at: now, into: &effects)
        case .cancelled:
            cancelGesture(at: now, into: &effects)
            finishDrag(velocity: 0, at: now, into: &effects)
        case .decelerating, .idle: break
        }
    }

    /// Takes hold of the list at the position that the client shows. If the client does not send
    /// this position, the commanded position at `now` applies. The list does not jump.
    private mutating func beginDrag(
        _ sample: PanSample, at now: Instant, into effects: inout [Effect]
    ) {
        let shown = sample.offset.map { geometry.mirrored($0) } ?? currentOffset(at: now)
        let comesBack = isReturningToStart(from: shown, at: now)
        let wasMoving = interruptMotion(at: now)
        if let reported = sample.offset { offset = geometry.mirrored(reported) }
        isOffsetKnown = true
        ownsPhysics = true
        beginGesture(sample.cause, comesBack: comesBack, at: now, into: &effects)
        updateDragAnchor(travel: sample.phase == .began ? 0 : sample.translation)
        moveWithFinger(sample, isCaught: wasMoving, at: now, into: &effects)
    }

    /// Ends the movement of the list, which stays where it is now. Returns whether it was moving.
    private mutating func interruptMotion(at now: Instant) -> Bool {
        var wasMoving = false
        switch motion {
        case .flying: wasMoving = true
        case .gliding(let glide):
            wasMoving = now < glide.end
            if wasMoving { offset = glide.offset(at: now) }
        case .held, nil: break
        }
        clearMotion()
        return wasMoving
    }

    /// Holds the list at its current place under a finger that has travelled `travel` points.
    mutating func updateDragAnchor(travel: Double) {
        let anchor = DragAnchor(
            at: offset, translation: geometry.mirrored(distance: travel), range: scrollRange,
            lower: damping(at: .start), upper: damping(at: .end))
        motion = .held(anchor, travel: travel)
    }

    /// Moves the list with the finger. If `isCaught` is true, the finger has interrupted a movement
    /// that the client performs for a command, so the client needs the position.
    private mutating func moveWithFinger(
        _ sample: PanSample, isCaught: Bool = false, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard case .held(let anchor, _) = motion else { return }
        motion = .held(anchor, travel: sample.translation)
        let old = offset
        offset = dragOffset(of: anchor, travel: sample.translation)
        let isEnd = sample.phase == .ended || sample.phase == .cancelled
        if offset != old || !isEnd {
            recordMovement(from: old, velocity: isEnd ? 0 : sample.velocity, at: now)
        }
        guard offset != old || isCaught else { return }
        effects.append(
            .moveContent(
                OffsetCommand(target: physicalOffset, timeline: .immediately(now))))
    }

    /// The place at which a finger that has travelled `travel` points holds the list, computed with
    /// the current range and resistance.
    func dragOffset(of anchor: DragAnchor, travel: Double) -> Double {
        anchor.offset(
            translation: geometry.mirrored(distance: travel), range: scrollRange,
            lower: damping(at: .start), upper: damping(at: .end))
    }

    /// The velocity of the list under a finger that moves with the physical velocity `velocity`.
    private func listVelocity(finger velocity: Double) -> Double {
        guard case .held(let anchor, let travel) = motion else { return 0 }
        return anchor.velocity(
            geometry.mirrored(distance: velocity), translation: geometry.mirrored(distance: travel),
            range: scrollRange, lower: damping(at: .start), upper: damping(at: .end))
    }

    /// Handles the end of a `pan`: the list continues with the velocity of the drag.
    mutating func finishDrag(velocity: Double, at now: Instant, into effects: inout [Effect]) {
        if dragAnchor != nil { motion = nil }
        // The client does not report the list's way back, so a pull that is not armed ends now.
        applyToFloor(.rested, at: now, into: &effects)
        applyToRefresh(.rested, at: now, into: &effects)
        // If the floor has moved the list, the list does not fly.
        guard motion == nil else { return handleRest(at: now, into: &effects) }
        // If the finger has dragged the list into its content while the floor closed, the list does
        // not return to the floor's place.
        if floor.ownsList, floor != .closing || offset < geometry.restingOffset {
            returnToFloor(at: now, into: &effects)
            handleRest(at: now, into: &effects)
        } else {
            startFlight(velocity: velocity, at: now, into: &effects)
        }
    }

    /// The places at which the list can rest, including the room that the daemon holds.
    var scrollRange: ClosedRange<Double> {
        var start = insets.sentStart
        if let options = options.refresh, options.isFloating, options.holdsInset,
            refresh.phase.isShown
        {
            // The room of the refresh opens while the list moves into it.
            start = max(start, refresh.revealedLength)
        }
        var end = insets.sentEnd
        // The next page will replace the load-more room.
        if loadMore.isRoomLanding { end = max(end, options.loadMore?.length ?? 0) }
        return geometry.range(startShare: start, endShare: end)
    }

    /// How the list follows a finger beyond an end. If an end has no edge, the length of the edge
    /// at the other end is used.
    func damping(at end: ViewEnd) -> Damping {
        let lengths = (start: options.refresh?.length, end: options.loadMore?.length)
        let usual = 60.0
        return switch end {
        case .start:
            Damping(
                curve: options.pan.damping, viewport: geometry.viewportLength,
                length: lengths.start ?? lengths.end ?? usual, room: insets.sentStart,
                maximum: options.pan.maximumPull)
        case .end:
            Damping(
                curve: options.pan.damping, viewport: geometry.viewportLength,
                length: lengths.end ?? lengths.start ?? usual, room: insets.sentEnd,
                maximum: options.pan.maximumPull)
        }
    }
}

extension Timeline {
    static func immediately(_ now: Instant) -> Timeline {
        Timeline(start: now, duration: 0, curve: .linear)
    }
}
