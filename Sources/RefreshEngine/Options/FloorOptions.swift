/// The behaviour of the second floor behind a refresh edge. Source: docs/protocol.md, "The second
/// floor".
package struct FloorOptions: Hashable, Sendable, Codable {
    /// The distance to the threshold, points; larger than that of the refresh threshold.
    package var length: Double
    private var speed: Float = 0
    /// The duration of opening and of closing, milliseconds.
    package var duration: UInt32 = 300
    /// The time after which the floor closes automatically, milliseconds; 0: never.
    package var timeout: UInt32 = 0
    /// The length of a swipe that closes the floor, in ten thousandths of the viewport. Last,
    /// because it is the smallest member.
    private var closingParts: UInt16 = 1667

    /// The speed of a release beyond the refresh threshold that opens the floor, points per second.
    /// If it is 0, the speed of a release never opens the floor.
    package var velocity: Double {
        get { Double(speed) }
        set { speed = Float(newValue) }
    }

    /// The length of a swipe that closes the floor, as a fraction of the viewport; above 0, at most
    /// 1, to four decimal places.
    package var closing: Double {
        get { Double(closingParts) / 10_000 }
        set { closingParts = UInt16(min(max((newValue * 10_000).rounded(), 0), 10_000)) }
    }

    package init(length: Double) {
        self.length = length
    }
}
