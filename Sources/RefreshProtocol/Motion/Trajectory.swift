/// The computed segments of a flight, in order. Each segment begins at the place and with the
/// velocity at which the previous one ends.
///
/// ```
/// beyond an edge ──spring──▶ the edge, at rest
///        └──spring (flicked inwards)──▶ the edge, moving ─┐
/// inside its range ──────────────────────────────────────┴─slide──▶ at rest
///                                                            └──▶ the other edge, moving ─┐
///                          the edge, at rest ◀──spring── (a limit ◀──brake──) beyond it ◀─┘
/// ```
struct Trajectory {
    /// At most four: spring inwards, slide, brake, spring back.
    private(set) var segments: [4 of MotionSegment]
    private(set) var count = 0
    /// The offset at which the flight ends, in points.
    private(set) var rest: Double

    init(_ flight: Flight) {
        let none = MotionSegment(
            law: .slide(Deceleration(velocity: 0, rate: flight.rate)), base: 0, begin: 0, end: 0)
        segments = .init(repeating: none)
        rest = flight.origin
        var (offset, velocity) = (flight.origin, flight.velocity)
        let edge = min(max(offset, flight.lower), flight.upper)
        if edge != offset {
            let spring = Spring(displacement: offset - edge, velocity: velocity)
            guard let crossing = spring.crossing,
                spring.velocity(after: crossing).magnitude >= Flight.speedMin
            else {
                appendOvershoot(edge, offset - edge, velocity, limit: flight.limit)
                return
            }
            append(.spring(spring), base: edge, lasting: crossing)
            (offset, velocity) = (edge, spring.velocity(after: crossing))
        }
        let slide = Deceleration(velocity: velocity, rate: flight.rate)
        let end = velocity < 0 ? flight.lower : flight.upper
        let beyond = (slide.projection - (end - offset)) * (velocity < 0 ? -1 : 1)
        if beyond < Deceleration.imperceptible {
            // The slide is cut off when the remaining distance is imperceptible. The slide
            // therefore does not end beyond the edge.
            append(.slide(slide), base: offset, lasting: slide.duration)
            rest = min(max((offset + slide.projection).hundredths, flight.lower), flight.upper)
        } else {
            let time = slide.time(toTravel: end - offset) ?? 0
            append(.slide(slide), base: offset, lasting: time)
            appendOvershoot(
                end, 0, slide.velocity(havingTravelled: end - offset), limit: flight.limit)
        }
    }

    /// The duration in milliseconds.
    var duration: Double { count == 0 ? 0 : segments[count - 1].end }

    /// The current segment at `time`, in milliseconds since the beginning.
    func segment(at time: Double) -> MotionSegment? {
        for index in 0..<count where time < segments[index].end { return segments[index] }
        return nil
    }

    func offset(at time: Double) -> Double {
        segment(at: time)?.offset(at: time) ?? rest
    }

    /// Appends the movement of a list that begins `displacement` points beyond `edge` and comes to
    /// rest at the edge. If the velocity is inward, the list must not cross the edge at a speed of
    /// `Flight.speedMin` or more.
    private mutating func appendOvershoot(
        _ edge: Double, _ displacement: Double, _ velocity: Double, limit: Double
    ) {
        rest = edge
        let spring = Spring(displacement: displacement, velocity: velocity)
        // A list that is already beyond the limit may stay at its place, but does not move farther
        // out.
        if spring.maximumDistance <= max(limit, displacement.magnitude) {
            return append(.spring(spring), base: edge, lasting: spring.duration)
        }
        let brake = Braking(displacement: displacement, velocity: velocity, limit: limit)
        append(.brake(brake), base: edge, lasting: brake.duration)
        let back = Spring(displacement: brake.stop, velocity: 0)
        append(.spring(back), base: edge, lasting: back.duration)
    }

    private mutating func append(_ law: MotionSegment.Law, base: Double, lasting time: Double) {
        guard time > 0, count < segments.count else { return }
        let begin = duration
        segments[count] = MotionSegment(law: law, base: base, begin: begin, end: begin + time)
        count += 1
    }
}
