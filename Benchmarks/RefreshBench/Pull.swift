import RefreshEngine

/// The endless pull of the benchmark: never at rest, never far enough to fire.
///
/// Steps of three and a half pixels on a screen of three pixels a point, down to just above the
/// threshold of 60 points and back between the steps; no two neighbours are equal.
enum Pull {
    /// Content offsets, points, as a client reports them: two decimals.
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

    /// The same for another threshold: as many steps, between where its pull begins and just above
    /// it.
    static func offsets(to options: RefreshOptions?) -> [Double] {
        guard let options else { return offsets }
        let way = options.length - options.start
        return offsets.map { -options.start + $0 * way / 60 }
    }

    /// Microseconds between two samples of a display of 60 Hz.
    static let interval: Int64 = 16_700
}
