import RefreshProtocol
import Testing

@Suite struct SpringTests {
    private static let springs: [Spring] = [-300, -51.5, -0.2, 0, 12, 800].flatMap { displacement in
        [-9000, -940, -5, 0, 30, 4000].map { Spring(displacement: displacement, velocity: $0) }
    }

    @Test("A spring begins at the given position and velocity, and its velocity is the derivative")
    func continuity() {
        for spring in Self.springs {
            #expect(spring.displacement(after: 0) == spring.displacement)
            #expect(spring.velocity(after: 0) == spring.velocity)
            for time in stride(from: 0.5, to: 900, by: 13.7) {
                let step = 0.001
                let moved =
                    spring.displacement(after: time + step)
                    - spring.displacement(after: time - step)
                let slope = moved / (2 * step) * 1000
                #expect((slope - spring.velocity(after: time)).magnitude < 0.01)
                let gained =
                    spring.velocity(after: time + step) - spring.velocity(after: time - step)
                let bend = gained / (2 * step) * 1000
                #expect((bend - spring.acceleration(after: time)).magnitude < 1)
            }
        }
    }

    @Test("After its duration, a spring stays within half a point of its edge and is slow")
    func settles() {
        for spring in Self.springs {
            for late in stride(from: 0.0, to: 500, by: 5) {
                let time = spring.duration + late
                #expect(spring.displacement(after: time).magnitude <= 0.5 + 1e-9)
                #expect(spring.velocity(after: time).magnitude <= 18)
            }
            #expect(spring.duration < 1000)
        }
        #expect(Spring(displacement: 1e9, velocity: -1e9).duration < 3000)
    }

    @Test("A spring crosses its edge once if its inward velocity is high enough, and else never")
    func crossing() throws {
        for spring in Self.springs {
            let times = stride(from: 0.0, through: spring.duration, by: 0.5)
            let signs = times.map { spring.displacement(after: $0) }.filter { $0 != 0 }.map(\.sign)
            let turns = zip(signs, signs.dropFirst()).count { $0 != $1 }
            #expect(turns == (spring.crossing.map { $0 < spring.duration } == true ? 1 : 0))
            if let time = spring.crossing {
                #expect(spring.displacement(after: time).magnitude < 1e-9)
            }
        }
        #expect(Spring(displacement: 50, velocity: -900).crossing == nil)
        #expect(Spring(displacement: 50, velocity: -901).crossing != nil)
        #expect(Spring(displacement: 0, velocity: 500).crossing == nil)
    }

    @Test("A spring reaches its maximum distance and never exceeds it")
    func reach() {
        for spring in Self.springs {
            let outside = stride(from: 0.0, through: spring.crossing ?? 2000, by: 0.25)
            let farthest = outside.map { spring.displacement(after: $0).magnitude }.max() ?? 0
            #expect((farthest - spring.maximumDistance).magnitude < 0.01)
        }
    }
}
