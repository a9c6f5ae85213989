import RefreshProtocol
import Testing

/// A flight is the motion of a list after its release. Unless stated otherwise, the list has the
/// range 0...1200.
@Suite struct FlightTests {
    @Test("A flick that stays inside the range slides as far as its velocity alone determines")
    func slide() throws {
        let flight = try #require(Self.flight(from: 300, 1000))
        #expect((flight.rest - 799).magnitude < 1e-9)
        #expect((flight.duration - 3446).magnitude < 0.1)
        #expect(Self.offset(flight, 1000).distance(to: 731.7) < 0.5)
        #expect(Self.offset(flight, -50) == 300 && Self.velocity(flight, 0) == 1000)
        #expect(Self.offset(flight, 1e6) == flight.rest && Self.velocity(flight, 1e6) == 0)
        let fast = try #require(Self.flight(from: 300, -400, rate: .fast))
        #expect((fast.rest - 260.4).magnitude < 1e-9)
    }

    @Test("A slide that would end less than half a point beyond the edge ends at the edge")
    func slideToEdge() throws {
        let velocity = 1200.4 * DecelerationRate.normal.decayPerSecond
        let flight = try #require(Self.flight(from: 0, velocity))
        #expect(flight.rest == 1200)
        #expect(Self.offset(flight, flight.duration - 1) <= 1200)
        let longer = try #require(
            Flight(
                from: 0.4, velocity: velocity, start: Self.start, range: 0...1200.6, limit: 800,
                rate: .normal))
        #expect(longer.rest == 1200.6)
        #expect(Self.times(longer, step: 1).allSatisfy { Self.offset(longer, $0) <= 1200.6 })
    }

    @Test("A flick that reaches the edge overshoots it and returns to it")
    func bounce() throws {
        let flight = try #require(Self.flight(from: 1000, 2000))
        #expect(flight.rest == 1200)
        let meets = try #require(flight.instant(passing: 1200))
        let atEdge = 2000 - 200 * DecelerationRate.normal.decayPerSecond
        #expect((flight.offset(at: meets) - 1200).magnitude < 0.01)
        #expect((flight.velocity(at: meets) - atEdge).magnitude < 0.2)
        // A critically damped spring reaches v / (e * 18) after 1/18 s.
        let turn = meets.advanced(byMilliseconds: 1000.0 / 18)
        #expect((flight.offset(at: turn) - 1200 - atEdge / 48.929).magnitude < 0.01)
        #expect(flight.velocity(at: turn).magnitude < 0.5)
    }

    @Test("A list released beyond its edge springs back, starting with the finger's velocity")
    func springBack() throws {
        let still = try #require(Self.flight(from: -51.511, 0))
        #expect(still.rest == 0)
        #expect((still.duration - 371).magnitude < 2)
        // Half of the way is covered after 93 ms: (1 + wt) exp(-wt) = 0.5 at wt = 1.678.
        #expect((Self.offset(still, 93.24) + 51.511 / 2).magnitude < 0.01)
        let outwards = try #require(Self.flight(from: -51.511, -1200))
        #expect(Self.offset(outwards, 20) < -60 && outwards.rest == 0)
        let inwards = try #require(Self.flight(from: -51.511, 500))
        #expect(inwards.rest == 0 && Self.offset(inwards, 60) > Self.offset(still, 60))
    }

    @Test("A list that is flicked inwards from beyond its edge crosses the edge and slides on")
    func inwards() throws {
        let flight = try #require(Self.flight(from: -50, 3000))
        let crosses = try #require(flight.instant(passing: 0))
        let velocity = flight.velocity(at: crosses)
        // The velocity at the edge is 2100 exp(-18 * 50 / 2100), where 2100 = 3000 - 18 * 50.
        #expect((velocity - 1368).magnitude < 1)
        #expect((flight.rest - velocity * 0.499).magnitude < 0.1)
        // In this short list, both edges have the same offset.
        let short = try #require(Self.flight(from: -50, 3000, range: 0...0))
        #expect(short.rest == 0)
        #expect(Self.offset(short, 80) > 25)
    }

    @Test("A flick of any velocity turns back at the limit and never exceeds it")
    func limit() throws {
        for velocity in [1500, 3000, 20_000, 1e6, 1e9] as [Double] {
            let flight = try #require(
                Self.flight(from: -20, -velocity, limit: 40))
            let farthest = Self.times(flight, step: 0.05).map { Self.offset(flight, $0) }.min() ?? 0
            #expect(farthest >= -40 - 1e-9 && farthest < -39.5)
            #expect(flight.rest == 0 && flight.duration < 800)
        }
        let beyond = try #require(Self.flight(from: -90, -300, limit: 40))
        #expect(Self.times(beyond, step: 1).allSatisfy { Self.offset(beyond, $0) >= -90 })
    }

    @Test("A list that stays at its place has no flight")
    func still() {
        #expect(Self.flight(from: 0, 0) == nil && Self.flight(from: 700, 9.9) == nil)
        #expect(Self.flight(from: 1200, -9) == nil && Self.flight(from: 700, 10) != nil)
        #expect(Self.flight(from: -0.01, 0)?.rest == 0)
        #expect(Self.flight(from: 1200.5, -3)?.rest == 1200)
    }

    @Test("A flight passes an offset on its way out, and not on its way back")
    func passing() throws {
        let flight = try #require(Self.flight(from: 300, 4000))
        for offset in [300, 301.5, 700, 1199, 1200, 1201, 1240] {
            let now = try #require(flight.instant(passing: offset))
            #expect((flight.offset(at: now) - offset).magnitude < 0.01)
            #expect(flight.velocity(at: now) > 0, "the flight does not move outwards at \(offset)")
        }
        #expect(flight.instant(passing: 299) == nil && flight.instant(passing: 1260) == nil)
        let held = try #require(Self.flight(from: 300, 4000, limit: 20))
        let brakes = try #require(held.instant(passing: 1215))
        #expect((held.offset(at: brakes) - 1215).magnitude < 0.01 && held.velocity(at: brakes) > 0)
        #expect(held.instant(passing: 1220.5) == nil)
        #expect(try #require(Self.flight(from: 1200, 500)).instant(passing: 1200) == Self.start)
        #expect(try #require(Self.flight(from: 1230, 0)).instant(passing: 1200) == nil)
        #expect(try #require(Self.flight(from: 600, -900)).instant(passing: 100) == nil)
    }

    @Test("A flight finds when, at its velocity at that instant, an offset is a given time away")
    func within() throws {
        let flight = try #require(Self.flight(from: 300, 2500))
        let now = try #require(flight.instant(within: 200, of: 1200))
        let left = 1200 - flight.offset(at: now)
        #expect((left - flight.velocity(at: now) * 0.2).magnitude < 0.01)
        #expect(now > Self.start)
        // The first flight meets the condition from its start. The second flight never meets it,
        // because it loses velocity faster than it approaches the offset.
        #expect(flight.instant(within: 600, of: 1200) == Self.start)
        let slow = try #require(Self.flight(from: 300, 1500))
        #expect(slow.instant(within: 550, of: 1200) == nil)
        #expect(flight.instant(within: 200, of: 100) == nil)
        let back = try #require(Self.flight(from: 900, -2500))
        let met = try #require(back.instant(within: 200, of: 0))
        #expect((back.offset(at: met) + back.velocity(at: met) * 0.2).magnitude < 0.01)
    }

    @Test("A mirrored flight has the mirrored offset at every moment")
    func mirrored() throws {
        for (origin, velocity) in [(300.0, 4000.0), (-50, 3000), (600, -900), (1230, 0)] {
            let flight = try #require(Self.flight(from: origin, velocity, limit: 30))
            let image = flight.mirrored(about: 1300)
            #expect(image.mirrored(about: 1300) == flight)
            #expect(image.end == flight.end)
            for step in 0..<200 {
                let now = Self.start.advanced(byMilliseconds: Double(step) * 10)
                #expect((image.offset(at: now) + flight.offset(at: now) - 1300).magnitude < 0.011)
                #expect((image.velocity(at: now) + flight.velocity(at: now)).magnitude < 1e-6)
            }
        }
    }

    @Test("A flight and its command take few bytes")
    func size() {
        print("MemoryLayout<OffsetCommand>.size = \(MemoryLayout<OffsetCommand>.size)")
        #expect(MemoryLayout<Flight>.size <= 56)
        #expect(MemoryLayout<OffsetCommand>.size <= 56)
    }
}

// Properties of every flight.
extension FlightTests {
    @Test(
        "1,500 flights are continuous and within the limit, and the velocity is the derivative")
    func continuity() {
        var random = SeededGenerator("FlightTests.continuity", seed: 402)
        for _ in 0..<1_500 {
            guard let flight = Self.random(&random) else { continue }
            let fastest = flight.velocity.magnitude + 18 * Self.overshoot(flight)
            let outside = max(Self.overshoot(flight), flight.limit) + 1e-6
            let moments = (0..<30).map { _ in Double.random(in: 0...1, using: &random) }
            for part in moments {
                let time = flight.duration * part
                let offset = Self.offset(flight, time)
                #expect(offset > flight.lower - outside && offset < flight.upper + outside)
                let step = 0.001
                let moved = Self.offset(flight, time + step) - offset
                let isEnd = time + step >= flight.duration - step
                // A small limit stops a list abruptly. With a limit of at least 800, the velocity
                // changes by less than 1e6 per second.
                if flight.limit >= 800, !isEnd {
                    let velocity = Self.velocity(flight, time)
                    #expect((moved - velocity * step / 1000).magnitude < 2e-6)
                }
                // At the end the list may skip half a point.
                let slack = isEnd ? 0.51 : 1e-6
                guard moved.magnitude <= fastest * step / 1000 + slack else {
                    Issue.record("\(flight) jumps by \(moved) at \(time)")
                    return
                }
            }
        }
    }

    @Test("A list that is caught and immediately released continues its flight, in 1,500 cases")
    func interruption() {
        var random = SeededGenerator("FlightTests.interruption", seed: 403)
        var compared = 0
        for _ in 0..<1_500 {
            guard let flight = Self.random(&random) else { continue }
            let time = flight.duration * Double.random(in: 0...0.99, using: &random)
            let now = Self.start.advanced(byMilliseconds: time)
            guard
                let rest = Flight(
                    from: flight.offset(at: now), velocity: flight.velocity(at: now), start: now,
                    range: flight.lower...flight.upper, limit: flight.limit, rate: flight.rate)
            else { continue }
            for _ in 0..<10 {
                let later = now.advanced(
                    byMilliseconds: Double.random(in: 0...1500, using: &random))
                let difference = (rest.offset(at: later) - flight.offset(at: later)).magnitude
                // Instants are rounded to microseconds, and at its end each flight may be half a
                // point short.
                let isUnderWay = later < flight.end && later < rest.end
                guard difference < (isUnderWay ? 0.02 : 0.51) else {
                    Issue.record("\(flight) at \(time) continues differently: by \(difference)")
                    return
                }
                compared += 1
            }
        }
        #expect(compared > 10_000)
    }

    @Test("1,500 flights with values up to 1e9 are finite, end in their range and can be mirrored")
    func extremes() {
        var random = SeededGenerator("FlightTests.extremes", seed: 404)
        for _ in 0..<1_500 {
            let scale = random.element(of: [1, 1e3, 1e6, 1e9])
            let lower = Double.random(in: -scale...scale, using: &random)
            let range = lower...(lower + Double.random(in: 0...scale, using: &random))
            let origin = Double.random(in: -scale...scale, using: &random)
            let velocity = Double.random(in: -1e9...1e9, using: &random)
            let limit = random.element(of: [0, 1, 400, 1e9, .infinity])
            guard
                let flight = Flight(
                    from: origin, velocity: velocity, start: Self.start, range: range,
                    limit: limit, rate: random.element(of: DecelerationRate.allCases)),
                let mirror = Flight(
                    from: -origin, velocity: -velocity, start: Self.start,
                    range: -range.upperBound...(-range.lowerBound), limit: limit,
                    rate: flight.rate)
            else { continue }
            #expect(range.contains(flight.rest) && mirror.rest == -flight.rest)
            #expect(flight.duration.isFinite && flight.duration >= 0 && flight.duration < 30_000)
            for part in [0, 0.01, 0.3, 0.9, 1] {
                let time = flight.duration * part
                #expect(Self.offset(flight, time).isFinite && Self.velocity(flight, time).isFinite)
                #expect(Self.offset(flight, time) == -Self.offset(mirror, time))
            }
            #expect(FlightPath(flight).allSatisfy { $0.time.isFinite && $0.offset.isFinite })
        }
    }
}

extension FlightTests {
    private static let start = Instant(milliseconds: 81_532.25)

    private static func flight(
        from origin: Double, _ velocity: Double, range: ClosedRange<Double> = 0...1200,
        limit: Double = 800, rate: DecelerationRate = .normal
    ) -> Flight? {
        Flight(
            from: origin, velocity: velocity, start: start, range: range, limit: limit, rate: rate)
    }

    private static func random(_ random: inout SeededGenerator) -> Flight? {
        let end = random.element(of: [0.0, 30, 1200, 40_000])
        return flight(
            from: .random(in: -200...(end + 200), using: &random),
            random.once(in: 5) ? 0 : .random(in: -9000...9000, using: &random), range: 0...end,
            limit: random.element(of: [0, 60, 200, 800, .infinity]),
            rate: random.element(of: DecelerationRate.allCases))
    }

    private static func overshoot(_ flight: Flight) -> Double {
        max(flight.lower - flight.origin, flight.origin - flight.upper, 0)
    }

    private static func offset(_ flight: Flight, _ time: Double) -> Double {
        flight.offset(at: start.advanced(byMilliseconds: time))
    }

    private static func velocity(_ flight: Flight, _ time: Double) -> Double {
        flight.velocity(at: start.advanced(byMilliseconds: time))
    }

    private static func times(_ flight: Flight, step: Double) -> StrideThrough<Double> {
        stride(from: 0, through: flight.duration, by: step)
    }
}
