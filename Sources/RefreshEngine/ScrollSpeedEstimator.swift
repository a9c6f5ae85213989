import RefreshProtocol

/// Estimates the scroll speed of a list towards its end, and the latency of a page. The latency is
/// the time from the beginning of the load to the arrival of the page. Speed and latency together
/// determine when the next page is requested.
struct ScrollSpeedEstimator: Hashable, Sendable, Codable {
    /// The weight of a new measurement in the estimate.
    private static let weight = 0.25
    /// If two samples are at least this many milliseconds apart, the speed is set to 0 and is not
    /// computed from them.
    private static let gapMax = 200.0

    /// The speed in points per millisecond, positive towards the end of the list.
    private(set) var speed = 0.0
    /// The latency of a page in milliseconds, estimated from the last pages; 0 before the first
    /// page.
    private(set) var latency = 0.0
    private var sampledAt = Instant.origin

    mutating func shift(byMicroseconds microseconds: Int64) {
        sampledAt = sampledAt.shifted(byMicroseconds: microseconds)
    }

    /// Records that the list moved `by` points since the last sample.
    mutating func recordMovement(by: Double, at now: Instant) {
        let time = now.milliseconds(since: sampledAt)
        sampledAt = now
        guard time < Self.gapMax else {
            speed = 0
            return
        }
        // A speed cannot be measured between samples that arrived within the same millisecond.
        guard time >= 1 else { return }
        speed += (by / time - speed) * Self.weight
    }

    /// Sets the speed from a known velocity, in points per second. The next measurement of the
    /// speed begins at `now`.
    mutating func setVelocity(_ velocity: Double, at now: Instant) {
        speed = velocity / 1000
        sampledAt = now
    }

    /// Records that the list stands still.
    mutating func recordStandstill() { speed = 0 }

    /// Records that a finger takes hold of the list, so that the list stands still.
    mutating func recordHold(at now: Instant) {
        speed = 0
        sampledAt = now
    }

    /// Records the latency of a page in milliseconds.
    mutating func recordLatency(_ new: Double) {
        latency = latency == 0 ? new : latency + (new - latency) * Self.weight
    }

    /// The distance in points, at least 0, that the list moves during the latency of a page plus
    /// `leadTime` milliseconds.
    func distance(leadTime: Double) -> Double { max(speed, 0) * (latency + leadTime) }
}
