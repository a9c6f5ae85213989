import RefreshProtocol

/// How fast a list goes towards its end, and how long a page takes: together they say when to ask
/// for the next one.
struct Pace: Hashable, Sendable, Codable {
    /// How much a new measurement counts.
    private static let weight = 0.25
    /// Milliseconds after which the last sample says nothing about this one.
    private static let gapMax = 200.0

    /// Points per millisecond, above 0 towards the end.
    private(set) var speed = 0.0
    /// Milliseconds that a page takes, by what the last ones took; 0 before any.
    private(set) var latency = 0.0
    private var sampledAt = Instant.origin

    mutating func shift(byMicroseconds microseconds: Int64) {
        sampledAt = sampledAt.shifted(byMicroseconds: microseconds)
    }

    /// The list went `way` points since the last sample.
    mutating func note(way: Double, at now: Instant) {
        let time = now.milliseconds(since: sampledAt)
        sampledAt = now
        guard time < Self.gapMax else {
            speed = 0
            return
        }
        // Samples that came together say nothing by themselves.
        guard time >= 1 else { return }
        speed += (way / time - speed) * Self.weight
    }

    /// The list goes with a velocity that is known, points per second.
    mutating func fly(velocity: Double) { speed = velocity / 1000 }

    /// The list stands still.
    mutating func stop() { speed = 0 }

    /// A finger takes hold of the list, which stands still from then on.
    mutating func hold(at now: Instant) {
        speed = 0
        sampledAt = now
    }

    /// A page took so many milliseconds.
    mutating func note(latency new: Double) {
        latency = latency == 0 ? new : latency + (new - latency) * Self.weight
    }

    /// How far the list goes while a page comes, and `leadTime` milliseconds more; points, at least
    /// 0.
    func way(leadTime: Double) -> Double { max(speed, 0) * (latency + leadTime) }
}
