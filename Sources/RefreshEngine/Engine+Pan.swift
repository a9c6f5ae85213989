import RefreshProtocol

/// Physics for clients that have none: `pan`. This file has the part under the finger; the movement
/// after it is in `Engine+Flight.swift`.
extension Engine {
    /// The drag anchor of the finger that holds the list by `pan`; nil if no finger does.
    var grip: DragAnchor? {
        if case .held(let grip, _) = motion { grip } else { nil }
    }

    mutating func panned(_ sample: PanSample, at now: Instant, into effects: inout [Effect]) {
        switch sample.phase {
        case .began: takeHold(sample, at: now, into: &effects)
        case .dragging:
            if grip == nil {
                takeHold(sample, at: now, into: &effects)
            } else {
                follow(sample, at: now, into: &effects)
            }
        case .ended, .cancelled:
            // The list was released, or taken over by a scroll sample.
            guard grip != nil else { return }
            follow(sample, at: now, into: &effects)
        case .decelerating, .idle: return
        }
        switch sample.phase {
        case .began, .dragging: followFinger(sample.cause, at: now, into: &effects)
        case .ended:
            let velocity = listVelocity(finger: sample.velocity)
            evaluate(isSample: !sample.cause.isProgram, at: now, into: &effects)
            release(velocity: geometry.mirrored(way: sample.velocity), at: now, into: &effects)
            letGo(velocity: velocity, at: now, into: &effects)
        case .cancelled:
            cancelGesture(at: now, into: &effects)
            letGo(velocity: 0, at: now, into: &effects)
        case .decelerating, .idle: break
        }
    }

    /// Takes hold of the list at the position that the client shows. If the client does not send
    /// it, the commanded position at `now` applies. Nothing jumps.
    private mutating func takeHold(
        _ sample: PanSample, at now: Instant, into effects: inout [Effect]
    ) {
        let shown = sample.offset.map { geometry.mirrored($0) } ?? place(at: now)
        let comesBack = isComingBack(from: shown, at: now)
        let wasMoving = standStill(at: now)
        if let told = sample.offset { offset = geometry.mirrored(told) }
        isOffsetKnown = true
        ownsPhysics = true
        beginGesture(sample.cause, comesBack: comesBack, at: now, into: &effects)
        hold(travel: sample.phase == .began ? 0 : sample.translation)
        follow(sample, isCaught: wasMoving, at: now, into: &effects)
    }

    /// Ends the movement of the list, which stays where it is now. Returns whether it was moving.
    private mutating func standStill(at now: Instant) -> Bool {
        var wasMoving = false
        switch motion {
        case .flying: wasMoving = true
        case .gliding(let glide):
            wasMoving = now < glide.end
            if wasMoving { offset = glide.offset(at: now) }
        case .held, nil: break
        }
        abandonMotion()
        return wasMoving
    }

    /// Holds the list at its current place under a finger that has travelled `travel` points.
    mutating func hold(travel: Double) {
        let grip = DragAnchor(
            at: offset, translation: geometry.mirrored(way: travel), range: scrollRange,
            lower: damping(at: .refresh), upper: damping(at: .loadMore))
        motion = .held(grip, travel: travel)
    }

    /// Moves the list with the finger. `isCaught`: the client plays a movement that has ended, and
    /// needs the position.
    private mutating func follow(
        _ sample: PanSample, isCaught: Bool = false, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard case .held(let grip, _) = motion else { return }
        motion = .held(grip, travel: sample.translation)
        let old = offset
        offset = place(of: grip, travel: sample.translation)
        let isEnd = sample.phase == .ended || sample.phase == .cancelled
        if offset != old || !isEnd {
            noteMovement(from: old, velocity: isEnd ? 0 : sample.velocity, at: now)
        }
        guard offset != old || isCaught else { return }
        effects.append(
            .moveContent(
                OffsetCommand(target: physicalOffset, timeline: .immediately(now))))
    }

    /// The place at which a finger that has travelled `travel` points holds the list, by the
    /// current range and resistance.
    func place(of grip: DragAnchor, travel: Double) -> Double {
        grip.offset(
            translation: geometry.mirrored(way: travel), range: scrollRange,
            lower: damping(at: .refresh), upper: damping(at: .loadMore))
    }

    /// The velocity of the list under a finger that moves with the physical velocity `velocity`.
    private func listVelocity(finger velocity: Double) -> Double {
        guard case .held(let grip, let travel) = motion else { return 0 }
        return grip.velocity(
            geometry.mirrored(way: velocity), translation: geometry.mirrored(way: travel),
            range: scrollRange, lower: damping(at: .refresh), upper: damping(at: .loadMore))
    }

    /// Handles the end of a `pan`: the list continues with the velocity of the drag.
    mutating func letGo(velocity: Double, at now: Instant, into effects: inout [Effect]) {
        if grip != nil { motion = nil }
        // The client does not report the way back, so an unarmed pull ends now.
        applyToFloor(.rested, at: now, into: &effects)
        applyToRefresh(.rested, at: now, into: &effects)
        // The floor has moved the list.
        guard motion == nil else { return comeToRest(at: now, into: &effects) }
        // A list that was dragged on into its content while the floor closed is free again.
        if floor.hasTheList, floor != .closing || offset < geometry.restingOffset {
            returnToFloor(at: now, into: &effects)
            comeToRest(at: now, into: &effects)
        } else {
            fly(velocity: velocity, at: now, into: &effects)
        }
    }

    /// The places at which the list can rest, including the room that the daemon holds.
    var scrollRange: ClosedRange<Double> {
        var start = insets.toldRefresh
        if let options = options.refresh, options.isFloating, options.holdsInset, refresh.isShown {
            // That room opens as the list moves there.
            start = max(start, revealedLength)
        }
        var end = insets.toldLoadMore
        // The page will replace the room.
        if isRoomLanding { end = max(end, options.loadMore?.length ?? 0) }
        return geometry.range(startShare: start, endShare: end)
    }

    /// How the list follows a finger beyond an edge. A missing edge uses the length of the other
    /// edge.
    func damping(at role: EdgeRole) -> Damping {
        let lengths = (start: options.refresh?.length, end: options.loadMore?.length)
        let usual = 60.0
        return switch role {
        case .refresh:
            Damping(
                curve: options.pan.damping, viewport: geometry.viewportLength,
                length: lengths.start ?? lengths.end ?? usual, room: insets.toldRefresh,
                maximum: options.pan.maximumPull)
        case .loadMore:
            Damping(
                curve: options.pan.damping, viewport: geometry.viewportLength,
                length: lengths.end ?? lengths.start ?? usual, room: insets.toldLoadMore,
                maximum: options.pan.maximumPull)
        }
    }
}

extension Timeline {
    static func immediately(_ now: Instant) -> Timeline {
        Timeline(start: now, duration: 0, curve: .linear)
    }
}
