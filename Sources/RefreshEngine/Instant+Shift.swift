package import RefreshProtocol

/// Instants of one process, told to another.
extension Instant {
    /// The same moment of a clock that shows `microseconds` more; `.never` stays what it is.
    package func shifted(byMicroseconds microseconds: Int64) -> Instant {
        guard self != .never else { return self }
        let (sum, isBeyond) = self.microseconds.addingReportingOverflow(microseconds)
        guard isBeyond else { return Instant(microseconds: sum) }
        // Of what can be told, never is the farthest; before all else it stays the earliest.
        return microseconds > 0 ? .never : Instant(microseconds: .min)
    }
}

extension Deadlines {
    mutating func shift(byMicroseconds microseconds: Int64) {
        gesture = gesture.shifted(byMicroseconds: microseconds)
        refreshLoad = refreshLoad.shifted(byMicroseconds: microseconds)
        moreLoad = moreLoad.shifted(byMicroseconds: microseconds)
        aftermath = aftermath.shifted(byMicroseconds: microseconds)
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
            return .flying(flight.begun(at: start))
        case .gliding(var glide):
            glide.timeline.start = glide.timeline.start.shifted(byMicroseconds: microseconds)
            return .gliding(glide)
        }
    }
}
