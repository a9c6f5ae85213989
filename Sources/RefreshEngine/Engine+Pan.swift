import RefreshProtocol

/// Physics for clients that have none: `pan`. The finger's part; what follows is in
/// `Engine+Flight.swift`.
extension Engine {
    /// The finger that holds the list by `pan`; nil if none does.
    var grip: Grip? {
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
            // The list was let go, or taken by a scroll sample.
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

    /// A finger takes hold of the list where the client shows it or, if it does not say, where it
    /// was commanded to be by now: nothing jumps.
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

    /// Ends what moves the list; whether anything did. It stands where that had brought it.
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

    /// The finger that has travelled `travel` points holds the list where it is.
    mutating func hold(travel: Double) {
        let grip = Grip(
            at: offset, translation: geometry.mirrored(way: travel), range: scrollRange,
            lower: damping(at: .refresh), upper: damping(at: .loadMore))
        motion = .held(grip, travel: travel)
    }

    /// `isCaught`: the client plays a movement that is over now, and must be told where.
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

    /// Where a finger that has travelled so far holds the list, by the present range and
    /// resistance.
    func place(of grip: Grip, travel: Double) -> Double {
        grip.offset(
            translation: geometry.mirrored(way: travel), range: scrollRange,
            lower: damping(at: .refresh), upper: damping(at: .loadMore))
    }

    /// How fast the list moves under a finger that moves it by `velocity`, which is physical.
    private func listVelocity(finger velocity: Double) -> Double {
        guard case .held(let grip, let travel) = motion else { return 0 }
        return grip.velocity(
            geometry.mirrored(way: velocity), translation: geometry.mirrored(way: travel),
            range: scrollRange, lower: damping(at: .refresh), upper: damping(at: .loadMore))
    }

    /// The finger has left, and the list goes on as fast as it was moved.
    mutating func letGo(velocity: Double, at now: Instant, into effects: inout [Effect]) {
        if grip != nil { motion = nil }
        // Nobody reports the way back, so an unarmed pull is over now.
        applyToFloor(.rested, at: now, into: &effects)
        applyToRefresh(.rested, at: now, into: &effects)
        // The floor has sent it on its way.
        guard motion == nil else { return comeToRest(at: now, into: &effects) }
        // A list that was dragged on into its content while the floor closed is free again.
        if floor.hasTheList, floor != .closing || offset < geometry.restingOffset {
            returnToFloor(at: now, into: &effects)
            comeToRest(at: now, into: &effects)
        } else {
            fly(velocity: velocity, at: now, into: &effects)
        }
    }

    /// The places that the list can rest at, with the room that the daemon holds.
    var scrollRange: ClosedRange<Double> {
        var start = insets.toldRefresh
        if let options = options.refresh, options.isFloating, options.holdsInset, refresh.isShown {
            // That room opens as the list goes there.
            start = max(start, revealedLength)
        }
        var end = insets.toldLoadMore
        // The page will be where its room was.
        if isRoomLanding { end = max(end, options.loadMore?.length ?? 0) }
        return geometry.range(startShare: start, endShare: end)
    }

    /// How the list follows a finger beyond an edge. An edge that the view does not have has the
    /// other's length.
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
