import RefreshProtocol
import Testing

@Suite struct DecelerationTests {
    @Test(
        "A flick moves as far as in UIScrollView",
        arguments: [
            (1000, .normal, 499), (-1000, .normal, -499), (1000, .fast, 99), (0, .fast, 0),
        ] as [(Double, DecelerationRate, Double)])
    func projection(velocity: Double, rate: DecelerationRate, distance: Double) {
        let slide = Deceleration(velocity: velocity, rate: rate)
        #expect((slide.projection - distance).magnitude < 1e-9)
        #expect((slide.distance(after: 1e6) - distance).magnitude < 1e-9)
    }

    @Test("A flick begins with the finger's velocity and is slow at its end", arguments: rates)
    func ends(rate: DecelerationRate) {
        for velocity in [-8000, -20, 3, 700, 1e9] as [Double] {
            let slide = Deceleration(velocity: velocity, rate: rate)
            #expect(slide.distance(after: 0) == 0 && slide.velocity(after: 0) == velocity)
            #expect(slide.distance(after: -5) == 0)
            let end = slide.duration
            #expect(slide.remaining(after: end).magnitude < 0.5 + 1e-6)
            #expect(slide.velocity(after: end).magnitude <= 5.06)
            #expect(end == 0 || slide.remaining(after: end - 1).magnitude > 0.5)
        }
    }

    @Test("The time and the velocity at which a flick passes an offset agree", arguments: rates)
    func passing(rate: DecelerationRate) throws {
        let slide = Deceleration(velocity: -2500, rate: rate)
        for part in [0, 0.001, 0.3, 0.9, 0.9999] {
            let way = slide.projection * part
            let time = try #require(slide.time(toTravel: way))
            #expect((slide.distance(after: time) - way).magnitude < 1e-8)
            let velocity = slide.velocity(havingTravelled: way)
            #expect((slide.velocity(after: time) - velocity).magnitude < 1e-8)
        }
        #expect(slide.time(toTravel: slide.projection) == nil)
        #expect(slide.time(toTravel: 1) == nil)
        #expect(Deceleration(velocity: 0, rate: rate).time(toTravel: 1) == nil)
    }

    @Test("Velocity and acceleration are derivatives of the distance", arguments: rates)
    func derivatives(rate: DecelerationRate) {
        let slide = Deceleration(velocity: 1800, rate: rate)
        for time in stride(from: 1.0, to: 2000, by: 37) {
            let step = 0.01
            let moved = slide.distance(after: time + step) - slide.distance(after: time - step)
            #expect((moved / (2 * step) * 1000 - slide.velocity(after: time)).magnitude < 1e-3)
            let slowed = slide.velocity(after: time + step) - slide.velocity(after: time - step)
            #expect((slowed / (2 * step) * 1000 - slide.acceleration(after: time)).magnitude < 1e-2)
        }
    }
}

private let rates = DecelerationRate.allCases
