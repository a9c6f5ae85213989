import RefreshProtocol
import Testing

@Suite struct FlightPathTests {
    @Test(
        "Straight lines between the keyframes differ from the flight by less than half a point",
        arguments: [-80, 0, 300, 1200, 1290])
    func error(origin: Double) throws {
        for velocity in stride(from: -4500.0, through: 4500, by: 250) {
            guard let flight = Self.flight(from: origin, velocity) else { continue }
            let keys = Array(FlightPath(flight))
            #expect(Self.error(of: keys, flight) < 0.5, "\(velocity)")
        }
        for velocity in [-20_000, -9000, 9000, 20_000] as [Double] {
            let flight = try #require(Self.flight(from: origin, velocity, range: 0...1e6))
            // A list with this velocity moves by more than ten times this error in a frame.
            #expect(Self.error(of: Array(FlightPath(flight)), flight) < 3, "\(velocity)")
        }
    }

    @Test("The keyframes begin and end with the flight, are in order, and are few")
    func keys() throws {
        var counts: [Int] = []
        for origin in [-80, -0.3, 0, 600, 1200] as [Double] {
            for velocity in [-1e6, -3000, -40, 0, 12, 5000, 1e6] as [Double] {
                for limit in [0, 100, Double.infinity] {
                    guard let flight = Self.flight(from: origin, velocity, limit: limit) else {
                        continue
                    }
                    let path = FlightPath(flight)
                    let keys = Array(path)
                    let first = try #require(keys.first)
                    let last = try #require(keys.last)
                    #expect(
                        first.time == 0 && (first.offset - origin).magnitude <= 0.005, "\(flight)")
                    #expect(last.time == path.duration && last.offset == flight.rest)
                    #expect((path.duration - flight.duration).magnitude <= 0.005)
                    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.time < $1.time })
                    #expect(keys.count <= FlightPath.keysMax)
                    counts.append(keys.count)
                }
            }
        }
        print("keys of a path: \(counts.min() ?? 0) to \(counts.max() ?? 0)")
    }

    @Test("A return by the spring alone needs at most 14 keyframes")
    func springBack() throws {
        let flight = try #require(Self.flight(from: -51.511, 0))
        #expect(Array(FlightPath(flight)).count <= 14)
    }

    private static func flight(
        from origin: Double, _ velocity: Double, range: ClosedRange<Double> = 0...1200,
        limit: Double = 800
    ) -> Flight? {
        Flight(
            from: origin, velocity: velocity, start: .origin, range: range, limit: limit,
            rate: .normal)
    }

    /// The largest distance between the flight and the lines, in points.
    private static func error(of keys: [FlightPath.Key], _ flight: Flight) -> Double {
        var worst = 0.0
        for (from, to) in zip(keys, keys.dropFirst()) {
            for step in 0..<8 {
                let part = Double(step) / 8
                let time = from.time + (to.time - from.time) * part
                let told = from.offset + (to.offset - from.offset) * part
                let actual = flight.offset(at: Instant.origin.advanced(byMilliseconds: time))
                worst = max(worst, (told - actual).magnitude)
            }
        }
        return worst
    }
}
