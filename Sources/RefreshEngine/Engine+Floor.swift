import RefreshProtocol

/// The secondary page (`floor`) of the refresh edge. A pull brings the secondary page into view.
extension Engine {
    mutating func handleFloorRequest(
        isOpen: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard options.refresh?.isEnabled == true, options.refresh?.floor != nil else {
            return effects.append(.refuse(.missingEdge))
        }
        applyToFloor(isOpen ? .openRequested : .closeRequested, at: now, into: &effects)
    }

    /// Evaluates the list's position between the refresh threshold and the threshold of the
    /// secondary page.
    mutating func evaluateFloor(
        at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.refresh, let floor = options.floor else { return }
        let threshold = pullOrigin - floor.length
        let begin = pullOrigin + options.preload - options.length
        var progress = 0.0
        if refresh.phase.progress >= 1 {
            progress =
                offset <= threshold
                ? 1 : min(max((begin - offset) / (begin - threshold), 0), Self.belowOne)
        }
        let mayArm = gesture.isFingerDown && gesture.isOpen && !gesture.hasFiredRefresh
        applyToFloor(.pulled(progress: progress, mayArm: mayArm), at: now, into: &effects)
    }

    /// Handles the release of the finger. If the pull is far enough, or fast enough beyond the
    /// refresh threshold, the release opens the floor. If the floor is open, and the list was moved
    /// back far or fast enough, the release closes it.
    mutating func handleFloorRelease(
        velocity: Double, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.refresh?.floor else { return }
        let isFast = options.velocity > 0
        switch floor {
        case .closed, .pulling, .eligible:
            let isFlung = isFast && refresh.phase == .eligible && velocity <= -options.velocity
            applyToFloor(.released(isFast: isFlung), at: now, into: &effects)
        case .opening, .open:
            let displacement = offset - openFloorOffset
            let isSwiped =
                displacement >= options.closing * geometry.viewportLength
                || (isFast && velocity >= options.velocity)
            // If a request has opened the floor during this gesture, the finger holds the list at
            // its old place. This place is not the result of a swipe.
            let isFirst = gesture.hasFiredRefresh
            if isSwiped, !isFirst {
                applyToFloor(.closeRequested, at: now, into: &effects)
            } else if displacement != 0 {
                move(to: openFloorOffset, duration: options.duration, at: now, into: &effects)
            }
        case .closing:
            guard offset != closedFloorOffset else { return }
            move(to: closedFloorOffset, duration: options.duration, at: now, into: &effects)
        }
    }

    /// The place of the list after the floor has closed. It is the start of the list, or, while a
    /// refresh is shown, the place at which its room is visible.
    private var closedFloorOffset: Double {
        geometry.restingOffset - (refresh.phase.isShown ? refresh.revealedLength : 0)
    }

    /// Moves a list that belongs to the floor back to its place. This is done when a finger is
    /// lifted that the client has reported by `pan`. Only the engine can do this, because with
    /// `pan` the client does not move the list.
    mutating func returnToFloor(at now: Instant, into effects: inout [Effect]) {
        guard let options = options.refresh?.floor else { return }
        let place = floor == .closing ? closedFloorOffset : openFloorOffset
        guard place != offset else { return }
        move(to: place, duration: options.duration, at: now, into: &effects)
    }

    /// The place of the list while the floor fills the viewport.
    private var openFloorOffset: Double { geometry.restingOffset - geometry.viewportLength }

    /// Adapts a floor that fills the viewport to a new viewport size.
    mutating func resizeFloor(at now: Instant, into effects: inout [Effect]) {
        guard floor == .opening || floor == .open, insets.floor != geometry.viewportLength else {
            return
        }
        insets.floor = geometry.viewportLength
        sendInsets(duration: 0, at: now, into: &effects)
        moveFloor(to: openFloorOffset, duration: 0, at: now, into: &effects)
    }

    mutating func applyToFloor(
        _ fact: FloorFact, at now: Instant, into effects: inout [Effect]
    ) {
        let transition = floor.transition(for: fact)
        floor = transition.phase
        switch transition.action {
        case .nothing: break
        case .show:
            showFloor(into: &effects)
            if fact == .arrived, floor == .closed { releaseListFromFloor(at: now, into: &effects) }
            if floor == .open, let timeout = options.refresh?.floor?.timeout, timeout > 0 {
                deadlines.floor = now.advanced(byMilliseconds: timeout)
            }
        case .arm:
            showFloor(into: &effects)
            play(.selection, into: &effects)
        case .disarm:
            play(.selection, into: &effects)
            showFloor(into: &effects)
        case .open: openFloor(at: now, into: &effects)
        case .close: closeFloor(at: now, into: &effects)
        case .remove:
            insets.floor = 0
            deadlines.floor = .never
            sendInsets(duration: 0, at: now, into: &effects)
            showFloor(into: &effects)
            moveFloor(to: closedFloorOffset, duration: 0, at: now, into: &effects)
            announce(.floorClosed, into: &effects)
            releaseListFromFloor(at: now, into: &effects)
        }
    }

    /// After the floor has closed, the list belongs to the edges again: they evaluate its movement.
    /// If a finger still holds the list, the position of the list does not count as a pull. If the
    /// refresh has ended while the floor closed, the list moves on to its start.
    private mutating func releaseListFromFloor(at now: Instant, into effects: inout [Effect]) {
        if gesture.isFingerDown {
            gesture.heldAt = offset
        } else if gesture.phase == .resting || isAtCommandedTarget, offset < closedFloorOffset {
            move(
                to: closedFloorOffset, duration: options.refresh?.offsetDuration ?? 0, at: now,
                into: &effects)
        }
    }

    private func showFloor(into effects: inout [Effect]) {
        effects.append(.showFloor(floor.state, progress: floor.progress))
    }

    /// Opens the floor. The list then belongs to the floor, so a pull in progress ends.
    private mutating func openFloor(at now: Instant, into effects: inout [Effect]) {
        guard let options = options.refresh?.floor else { return }
        gesture.markFired(.refresh)
        if !gesture.isFingerDown {
            // The movement of the list ends, and the list stays where it is.
            offset = currentOffset(at: now)
            clearMotion()
            gesture.reset()
            scrollSpeed.recordStandstill()
            deadlines.gesture = .never
        }
        applyToRefresh(.cancelled, at: now, into: &effects)
        applyToRefresh(.rested, at: now, into: &effects)
        applyToLoadMore(.cancelled, at: now, into: &effects)
        applyToLoadMore(.rested, at: now, into: &effects)
        play(.impact, into: &effects)
        showFloor(into: &effects)
        insets.floor = geometry.viewportLength
        sendInsets(duration: options.duration, at: now, into: &effects)
        moveFloor(to: openFloorOffset, duration: options.duration, at: now, into: &effects)
        deadlines.floor = now.advanced(byMilliseconds: options.duration)
        announce(.floorOpened, into: &effects)
    }

    private mutating func closeFloor(at now: Instant, into effects: inout [Effect]) {
        let duration = options.refresh?.floor?.duration ?? 0
        showFloor(into: &effects)
        insets.floor = 0
        sendInsets(duration: duration, at: now, into: &effects)
        moveFloor(to: closedFloorOffset, duration: duration, at: now, into: &effects)
        deadlines.floor = now.advanced(byMilliseconds: duration)
        announce(.floorClosed, into: &effects)
    }

    private mutating func moveFloor(
        to place: Double, duration: UInt32, at now: Instant, into effects: inout [Effect]
    ) {
        // While a finger is down, the list stays under it. The release moves the list to its place.
        guard !gesture.isFingerDown else { return }
        move(to: place, duration: duration, at: now, into: &effects)
    }

    mutating func handleFloorDeadline(at now: Instant, into effects: inout [Effect]) {
        deadlines.floor = .never
        switch floor {
        case .opening, .closing: applyToFloor(.arrived, at: now, into: &effects)
        case .open: applyToFloor(.closeRequested, at: now, into: &effects)
        case .closed, .pulling, .eligible: break
        }
    }
}
