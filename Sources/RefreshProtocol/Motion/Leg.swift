/// A part of a flight under one law.
struct Leg {
    enum Law {
        case slide(Deceleration)
        case brake(Braking)
        case spring(Spring)
    }

    var law: Law
    /// The offset that the law counts from, points.
    var base: Double
    /// Milliseconds since the flight began.
    var begin: Double
    var end: Double

    func offset(at time: Double) -> Double {
        switch law {
        case .slide(let slide): base + slide.distance(after: time - begin)
        case .brake(let brake): base + brake.displacement(after: time - begin)
        case .spring(let spring): base + spring.displacement(after: time - begin)
        }
    }

    /// Points per second.
    func velocity(at time: Double) -> Double {
        switch law {
        case .slide(let slide): slide.velocity(after: time - begin)
        case .brake(let brake): brake.velocity(after: time - begin)
        case .spring(let spring): spring.velocity(after: time - begin)
        }
    }

    /// Points per second squared.
    func acceleration(at time: Double) -> Double {
        switch law {
        case .slide(let slide): slide.acceleration(after: time - begin)
        case .brake(let brake): brake.acceleration
        case .spring(let spring): spring.acceleration(after: time - begin)
        }
    }
}
