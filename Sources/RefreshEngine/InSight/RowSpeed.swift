import RefreshProtocol

/// The speed of a list in rows per second, measured from the first row in sight.
struct RowSpeed: Hashable, Sendable, Codable {
    /// The speed, positive towards the end of the list.
    private(set) var rowsPerSecond = 0.0
    private var row: UInt32
    private var at: Instant

    /// The time, in milliseconds, after which a measurement has lost most of its weight. Rows are
    /// whole numbers, so a single difference of a slow list would be far too coarse.
    private static let memory = 60.0
    /// Samples of one frame arrive at the same time. They count as one.
    private static let shortest = 4.0

    init(row: UInt32, at now: Instant) {
        self.row = row
        self.at = now
    }

    /// Records the first row in sight. After `gap` milliseconds, earlier measurements have no
    /// weight.
    mutating func record(_ row: UInt32, at now: Instant, gap: Double) {
        let elapsed = now.milliseconds(since: at)
        guard elapsed >= Self.shortest else { return }
        let measured = (Double(row) - Double(self.row)) / elapsed * 1000
        let turns = measured * rowsPerSecond < 0
        let weight = turns || elapsed > gap ? 1 : elapsed / (elapsed + Self.memory)
        rowsPerSecond += (measured - rowsPerSecond) * weight
        self.row = row
        at = now
    }

    mutating func stop() { rowsPerSecond = 0 }

    mutating func shift(byMicroseconds microseconds: Int64) {
        at = at.shifted(byMicroseconds: microseconds)
    }
}
