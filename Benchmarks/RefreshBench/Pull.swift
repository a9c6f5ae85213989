import RefreshEngine

/// The endless pull of the benchmark. It never rests and never reaches the threshold.
///
/// The step is three and a half pixels on a screen with three pixels per point. The pull moves to
/// just short of the threshold of 60 points, and then back. The offsets of the two directions
/// differ, so that successive offsets always differ.
enum Pull {
    /// The content offsets in points, as a client reports them, with two decimals.
    static let offsets: [Double] = {
        let turn = 176.0
        let step = 3.5
        let steps = 0..<Int(turn / step)
        let down = steps.map { 1 + step * Double($0) }
        let back = steps.map { turn - 2 - step * Double($0) }
        return (down + back).map { pixels in
            let points = pixels.rounded(.toNearestOrEven) / 3
            return -(points * 100).rounded() / 100
        }
    }()

    /// Returns the offsets of the endless pull for another threshold. It has the same number of
    /// steps, from the start of the pull to just short of the threshold.
    static func offsets(to options: RefreshOptions?) -> [Double] {
        guard let options else { return offsets }
        let way = options.length - options.start
        return offsets.map { -options.start + $0 * way / 60 }
    }

    /// The interval between two samples at 60 Hz, in microseconds.
    static let interval: Int64 = 16_700
}
