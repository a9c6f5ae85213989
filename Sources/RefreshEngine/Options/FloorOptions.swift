/// How the second floor behind a refresh edge behaves. Source: docs/protocol.md, "The second
/// floor".
package struct FloorOptions: Hashable, Sendable, Codable {
    /// The way to the threshold, points; above the refresh threshold's.
    package var length: Double
    private var speed: Float = 0
    /// The time that opening and closing take, milliseconds.
    package var duration: UInt32 = 300
    /// The time after which it closes by itself, milliseconds; 0: never.
    package var timeout: UInt32 = 0
    /// The way of a swipe that closes it, in ten thousandths of the viewport. Last, as the
    /// smallest.
    private var closingParts: UInt16 = 1667

    /// The speed of a release that opens it from beyond the refresh threshold, points per second;
    /// 0: none does.
    package var velocity: Double {
        get { Double(speed) }
        set { speed = Float(newValue) }
    }

    /// The way of a swipe that closes it, as a part of the viewport; above 0, at most 1, to four
    /// places.
    package var closing: Double {
        get { Double(closingParts) / 10_000 }
        set { closingParts = UInt16(min(max((newValue * 10_000).rounded(), 0), 10_000)) }
    }

    package init(length: Double) {
        self.length = length
    }
}
