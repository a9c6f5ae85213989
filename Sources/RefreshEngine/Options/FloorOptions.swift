/// The behaviour of the second floor behind a refresh edge. Source: docs/protocol.md, "The second
/// floor".
package struct FloorOptions: Hashable, Sendable, Codable {
    /// The distance to the floor's threshold, in points. It is larger than the distance to the
    /// refresh threshold.
    package var length: Double
    private var speed: Float = 0
    /// The duration of opening and of closing, in milliseconds.
    package var duration: UInt32 = 300
    /// The time after which the floor closes automatically, in milliseconds; 0: never.
    package var timeout: UInt32 = 0
    /// The minimum length of a swipe that closes the floor, in ten thousandths of the viewport.
    /// This member is last, because it is the smallest.
    private var closingParts: UInt16 = 1667

    /// A speed in points per second. A release beyond the refresh threshold with at least this
    /// speed opens the floor, even if the pull has not reached the floor's threshold. With at least
    /// this speed, a swipe in the other direction closes the floor. If it is 0, the speed has no
    /// effect.
    package var velocity: Double {
        get { Double(speed) }
        set { speed = Float(newValue) }
    }

    /// The minimum length of a swipe that closes the floor, as a fraction of the viewport. It is
    /// above 0 and at most 1, and has four decimal places.
    package var closing: Double {
        get { Double(closingParts) / 10_000 }
        set { closingParts = UInt16(min(max((newValue * 10_000).rounded(), 0), 10_000)) }
    }

    package init(length: Double) {
        self.length = length
    }
}
