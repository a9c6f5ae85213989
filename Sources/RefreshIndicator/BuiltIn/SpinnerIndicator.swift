import RefreshProtocol

/// UIRefreshControl's indicator. The pull lights one tick after another, until all ticks are lit at
/// the threshold. Beyond the threshold, the indicator grows. During a refresh, its light rotates.
/// At the end of the refresh, it shrinks and fades.
struct SpinnerIndicator {
    /// The diameter, in points.
    var size = 28.0
    var ticks = 12
    /// The duration of one turn, in milliseconds.
    var period = 1000.0
    /// The scale at a pull of 2.
    var overPull = 1.2
    /// The colour; nil for the client's tint.
    var color: RGBColor?
    /// The distance to the threshold, in points. If it is nil, the profile's distance applies.
    var length: Double?

    static let fields = ["size", "ticks", "period", "overPull", "color", "length"]

    init() {}

    init(_ options: PlacedValue) throws(ProgrammeError) {
        if let size = try options.member("size") {
            self.size = try size.positiveNumber(upTo: IndicatorBounds.size)
        }
        if let ticks = try options.member("ticks") {
            self.ticks = try ticks.wholeNumber(in: IndicatorBounds.ticks)
        }
        if let period = try options.member("period") {
            self.period = try period.number(in: IndicatorBounds.period)
        }
        if let overPull = try options.member("overPull") {
            self.overPull = try overPull.positiveNumber(upTo: IndicatorBounds.scale)
        }
        color = try options.member("color")?.color()
        length = try options.member("length")?.positiveNumber(upTo: ProgrammeLimits.lengthMax)
    }

    var programme: Programme {
        let wheel = SpokeWheel(size: size, ticks: ticks, period: period, color: color)
        var programme = Programme(layers: wheel.layers)
        programme.size = Size(width: size, height: size)
        programme.pull = wheel.names.enumerated().map { index, name in
            Track(
                name, .opacity,
                [
                    Key(Double(index) / Double(ticks), 0),
                    Key(Double(index + 1) / Double(ticks), 1),
                ])
        }
        programme.pull.append(.everywhere(.scale, [Key(1, 1), Key(2, overPull)]))
        programme.run = Programme.Run(
            duration: period, step: period / Double(ticks), tracks: wheel.lightTracks)
        programme.setEnterTransitions(
            of: Programme.running,
            Transition(duration: 200, easing: .easeOut, properties: [.scale, .opacity]))
        programme.setFinish(.atOnce, over: 250, [.everywhere(.scale, 0)])
        programme.setEnterTransitions(
            of: Programme.ended,
            Transition(duration: 250, easing: .easeIn, properties: [.scale, .opacity]))
        if let length { programme.edge = [OptionSetting(.length, .number(length))] }
        return programme
    }
}
