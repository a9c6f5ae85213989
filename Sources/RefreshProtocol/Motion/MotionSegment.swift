/// One segment of a flight, with a single law of motion.
struct MotionSegment {
    enum Law {
        case slide(Deceleration)
        case brake(Braking)
        case spring(Spring)
    }

    var law: Law
    /// The offset to which the law's displacements are relative, in points.
    var base: Double
    /// The beginning of the segment, in milliseconds since the flight began.
    var begin: Double
    var end: Double

    func offset(at time: Double) -> Double {
        switch law {
        case .slide(let slide): base + slide.distance(after: time - begin)
        case .brake(let brake): base + brake.displacement(after: time - begin)
        case .spring(let spring): base + spring.displacement(after: time - begin)
        }
    }

    /// The velocity in points per second.
    func velocity(at time: Double) -> Double {
        switch law {
        case .slide(let slide): slide.velocity(after: time - begin)
        case .brake(let brake): brake.velocity(after: time - begin)
        case .spring(let spring): spring.velocity(after: time - begin)
        }
    }

    /// The acceleration in points per second squared.
    func acceleration(at time: Double) -> Double {
        switch law {
        case .slide(let slide): slide.acceleration(after: time - begin)
        case .brake(let brake): brake.acceleration
        case .spring(let spring): spring.acceleration(after: time - begin)
        }
    }

    /// The time at which the list first passes `offset` in this segment, in milliseconds since the
    /// flight began. Nil if the list does not pass `offset`, or passes it only on the way back to
    /// an edge.
    func time(passing offset: Double) -> Double? {
        if case .slide(let slide) = law {
            guard let time = slide.time(toTravel: offset - base), begin + time <= end else {
                return nil
            }
            return begin + time
        }
        guard let turningTime else { return nil }
        var (low, high) = (begin, turningTime)
        let isUpwards = velocity(at: begin) > 0
        let displacement = isUpwards ? offset : -offset
        func outwardOffset(_ time: Double) -> Double {
            isUpwards ? self.offset(at: time) : -self.offset(at: time)
        }
        guard outwardOffset(low) <= displacement, displacement <= outwardOffset(high) else {
            return nil
        }
        // The list moves monotonically outwards until the turn.
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if outwardOffset(middle) < displacement { low = middle } else { high = middle }
        }
        return high
    }

    /// The time at which a list that moves outwards over an edge turns back. Nil if it does not
    /// move outwards.
    private var turningTime: Double? {
        switch law {
        case .slide: nil
        case .brake: end
        case .spring(let spring): spring.turningTime.map { min(begin + $0, end) }
        }
    }
}
