import RefreshProtocol

/// Physics for clients that have none: `pan`.
extension Engine {
    mutating func panned(_ sample: PanSample, at now: Instant, into effects: inout [Effect]) {
        switch sample.phase {
        case .began: takeHold(sample, at: now, into: &effects)
        case .dragging:
            if pan == nil || !gesture.isFingerDown { takeHold(sample, at: now, into: &effects) }
        case .ended, .cancelled:
            // The list was let go, or taken by a scroll sample.
            guard pan != nil, gesture.isFingerDown else {
                pan = nil
                return
            }
        case .decelerating, .idle: return
        }
        follow(sample, at: now, into: &effects)
        switch sample.phase {
        case .began, .dragging: followFinger(sample.cause, at: now, into: &effects)
        case .ended:
            evaluate(isSample: !sample.cause.isProgram, at: now, into: &effects)
            release(velocity: geometry.mirrored(way: sample.velocity), at: now, into: &effects)
            letGo(at: now, into: &effects)
        case .cancelled:
            cancelGesture(at: now, into: &effects)
            letGo(at: now, into: &effects)
        case .decelerating, .idle: break
        }
    }

    /// A finger takes hold of the list where it is, also in the middle of a spring back.
    private mutating func takeHold(
        _ sample: PanSample, at now: Instant, into effects: inout [Effect]
    ) {
        if let spring {
            offset = spring.offset(at: now)
            abandonSpring()
        }
        isOffsetKnown = true
        ownsPhysics = true
        beginGesture(sample.cause, at: now, into: &effects)
        let held = sample.phase == .began ? 0 : geometry.mirrored(way: sample.translation)
        pan = .holding(
            offset, translation: held, range: scrollRange, dimension: geometry.viewportLength)
    }

    private mutating func follow(
        _ sample: PanSample, at now: Instant, into effects: inout [Effect]
    ) {
        guard let pan else { return }
        let old = offset
        offset = pan.offset(
            translation: geometry.mirrored(way: sample.translation), range: scrollRange,
            dimension: geometry.viewportLength)
        guard offset != old else { return }
        noteMovement(from: old, at: now)
        effects.append(
            .moveContent(
                OffsetCommand(target: physicalOffset, timeline: .immediately(now))))
    }

    /// The finger has left: the list springs back into its range, or rests where it is.
    mutating func letGo(at now: Instant, into effects: inout [Effect]) {
        pan = nil
        // Nobody reports the way back, so an unarmed pull is over now.
        applyToFloor(.rested, at: now, into: &effects)
        applyToRefresh(.rested, at: now, into: &effects)
        guard !floor.hasTheList else { return comeToRest(at: now, into: &effects) }
        springBack(at: now, into: &effects)
    }

    /// Sends the list to the nearest offset in its range; at rest at once if it is there.
    mutating func springBack(at now: Instant, into effects: inout [Effect]) {
        let target = nearest(to: offset)
        guard target != offset else { return comeToRest(at: now, into: &effects) }
        let timeline = Timeline(start: now, duration: SpringBack.duration, curve: .spring)
        let back = SpringBack(
            from: offset, command: OffsetCommand(target: target, timeline: timeline))
        spring = back
        deadlines.settle = back.end
        effects.append(
            .moveContent(OffsetCommand(target: geometry.mirrored(target), timeline: timeline)))
    }

    /// The spring back has ended.
    mutating func settle(at now: Instant, into effects: inout [Effect]) {
        if let spring { offset = spring.command.target }
        abandonSpring()
        comeToRest(at: now, into: &effects)
    }

    /// The range changed around a list that nobody touches: it goes where it may be.
    mutating func stayInRange(at now: Instant, into effects: inout [Effect]) {
        guard ownsPhysics, !gesture.isFingerDown, revealedLength == 0, !floor.hasTheList else {
            return
        }
        if let spring {
            guard spring.command.target != nearest(to: spring.from) else { return }
            offset = spring.offset(at: now)
            abandonSpring()
        } else if nearest(to: offset) == offset {
            return
        }
        springBack(at: now, into: &effects)
    }

    mutating func abandonSpring() {
        spring = nil
        deadlines.settle = .never
    }

    private func nearest(to offset: Double) -> Double {
        min(max(offset, scrollRange.lowerBound), scrollRange.upperBound)
    }

    /// The places that the list can rest at, with the room that the daemon holds.
    private var scrollRange: ClosedRange<Double> {
        geometry.range(startShare: insets.toldRefresh, endShare: insets.toldLoadMore)
    }
}

extension Timeline {
    static func immediately(_ now: Instant) -> Timeline {
        Timeline(start: now, duration: 0, curve: .linear)
    }
}
