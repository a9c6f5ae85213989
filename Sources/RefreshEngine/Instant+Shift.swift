package import RefreshProtocol

/// Conversion of instants between the clocks of two processes.
extension Instant {
    /// The same moment on a clock that is ahead by `microseconds`. `.never` stays unchanged.
    package func shifted(byMicroseconds microseconds: Int64) -> Instant {
        guard self != .never else { return self }
        let (sum, isBeyond) = self.microseconds.addingReportingOverflow(microseconds)
        guard isBeyond else { return Instant(microseconds: sum) }
        // On overflow, the result is `.never` (the latest instant) or the earliest instant.
        return microseconds > 0 ? .never : Instant(microseconds: .min)
    }
}

extension Engine {
    /// Moves the engine to a clock that is ahead by `microseconds`. The engine behaves at `t` on
    /// the new clock as it would behave at `t - microseconds` on the old clock.
    package mutating func shift(byMicroseconds microseconds: Int64) {
        deadlines.shift(byMicroseconds: microseconds)
        motion = motion?.shifted(byMicroseconds: microseconds)
        scrollSpeed.shift(byMicroseconds: microseconds)
        refresh.shift(byMicroseconds: microseconds)
        loadMore.shift(byMicroseconds: microseconds)
        if inSightBox != nil { inSight?.shift(byMicroseconds: microseconds) }
        if let revealLayoutEnd {
            let until = revealLayoutEnd.shifted(byMicroseconds: microseconds)
            unread?.reveal?.step = .layingOut(until: until)
        }
    }
}

extension RefreshEdge {
    fileprivate mutating func shift(byMicroseconds microseconds: Int64) {
        updatedAt = updatedAt.shifted(byMicroseconds: microseconds)
        shownAt = shownAt.shifted(byMicroseconds: microseconds)
    }
}

extension LoadMoreEdge {
    fileprivate mutating func shift(byMicroseconds microseconds: Int64) {
        startedAt = startedAt.shifted(byMicroseconds: microseconds)
        backOffEnd = backOffEnd.shifted(byMicroseconds: microseconds)
        if layoutEnd != .origin { layoutEnd = layoutEnd.shifted(byMicroseconds: microseconds) }
    }
}

extension Deadlines {
    mutating func shift(byMicroseconds microseconds: Int64) {
        gesture = gesture.shifted(byMicroseconds: microseconds)
        refreshLoad = refreshLoad.shifted(byMicroseconds: microseconds)
        loadMoreWait = loadMoreWait.shifted(byMicroseconds: microseconds)
        completionDisplay = completionDisplay.shifted(byMicroseconds: microseconds)
        floor = floor.shifted(byMicroseconds: microseconds)
        settle = settle.shifted(byMicroseconds: microseconds)
    }
}

extension Motion {
    func shifted(byMicroseconds microseconds: Int64) -> Motion {
        switch self {
        case .held: return self
        case .flying(let flight):
            let start = flight.start.shifted(byMicroseconds: microseconds)
            return .flying(flight.starting(at: start))
        case .gliding(var glide):
            glide.timeline.start = glide.timeline.start.shifted(byMicroseconds: microseconds)
            return .gliding(glide)
        }
    }
}
