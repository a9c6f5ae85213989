import RefreshProtocol

/// Numbers of the daemon's messages within bounds. The daemon is another process: a number outside
/// its range must not end the app, nor make it compute for ever.
extension JSONValue {
    /// The largest count, and the largest number of a page or an item.
    static let countMax = 1_000_000_000
    /// The absolute value of the largest length or offset, in points. It is the largest value of
    /// the daemon's limit `geometryPointsMax`.
    static let pointsMax = 1e9
    /// The longest animation in milliseconds. The animations of the daemon last about a second.
    static let durationMax = 60_000.0

    /// The number, clamped to a range; nil if this value is not a number.
    func number(in range: ClosedRange<Double>) -> Double? {
        number.map { min(max($0, range.lowerBound), range.upperBound) }
    }

    /// The number without its fraction, clamped to a range; nil if this value is not a number.
    func integer(in range: ClosedRange<Int>) -> Int? {
        number(in: Double(range.lowerBound)...Double(range.upperBound)).map { Int($0) }
    }

    /// A count of 0 or more.
    var count: Int? { integer(in: 0...Self.countMax) }

    /// A length or an offset in points.
    var points: Double? { number(in: -Self.pointsMax...Self.pointsMax) }

    /// A duration in milliseconds.
    var duration: Double? { number(in: 0...Self.durationMax) }

    /// The number of a message; nil if the value cannot be one. Larger numbers than 2^53 are not
    /// exact in JSON.
    var sequence: UInt64? {
        guard let number, (0...Double(1 << 53)).contains(number) else { return nil }
        return UInt64(number)
    }
}
