import RefreshProtocol

/// Ticks around a centre. They light up in turn, as in UIActivityIndicatorView.
struct SpokeWheel {
    /// The diameter, in points.
    var size: Double
    /// The number of ticks.
    var ticks: Int
    /// The duration of one turn of the light, in milliseconds.
    var period: Double
    /// The colour; nil for the client's tint.
    var color: RGBColor?

    /// The opacity of the tick that was lit least recently.
    private static let faint = 0.2

    var names: [String] { (0..<ticks).map { "tick\($0 + 1)" } }

    /// The rotation of a tick from the top, clockwise, in radians.
    func angle(_ tick: Int) -> Double { 2 * .pi * Double(tick) / Double(ticks) }

    /// The layers of the ticks, clockwise from the top, with their values at rest.
    var layers: [Layer] {
        let width = size * 0.09
        let outer = Self.rounded(size / 2 - width / 2)
        let inner = Self.rounded(size * 0.27)
        let tick = SVGPath(segments: [
            .move(Point(x: 0, y: -inner)),
            .line(Point(x: 0, y: -inner), Point(x: 0, y: -outer)),
        ])
        return names.enumerated().map { index, name in
            var values: [LayerProperty: PropertyValue] = [
                .rotation: .number(angle(index)), .opacity: .number(0),
            ]
            values[.color] = color.map { .color($0) }
            return Layer(
                name,
                .path(tick, stroke: Self.rounded(width), cap: .round, isFilled: false), values)
        }
    }

    /// The brightness of a tick when the light is at the top.
    func brightness(_ tick: Int) -> Double {
        switch tick {
        case 0: 1
        case 1: Self.faint
        default: 1 - (1 - Self.faint) * Double(ticks - tick) / Double(ticks - 1)
        }
    }

    /// The tracks of the light, which makes one turn in the period and begins at the top. Each tick
    /// fades until it is lit again.
    var lightTracks: [Track] {
        names.enumerated().map { index, name in
            let lit = period * Double(index) / Double(ticks)
            let brightness = brightness(index)
            let keys =
                switch index {
                case 0:
                    [
                        Key(0, 1), Key(period * Double(ticks - 1) / Double(ticks), Self.faint),
                        Key(period, 1),
                    ]
                case 1: [Key(0, Self.faint), Key(lit, 1), Key(period, Self.faint)]
                default:
                    [
                        Key(0, brightness),
                        Key(period * Double(index - 1) / Double(ticks), Self.faint),
                        Key(lit, 1), Key(period, brightness),
                    ]
                }
            return Track(name, .opacity, keys)
        }
    }

    /// Rounds to a thousandth of a point. The rounding is finer than any screen shows, and makes
    /// the number short on the wire.
    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
