import RefreshProtocol

/// IQPullToRefresh's activity indicator. It fades in with the pull, and grows when the pull is so
/// far that a release would fire the edge. During a refresh, it makes half a turn, and its light
/// rotates. Every change begins from the current look.
struct ActivityIndicator {
    /// The diameter, in points.
    var size = 24.0
    /// The scale while the edge waits for the release.
    var eligibleScale = 1.5
    /// The colour; nil for the client's tint.
    var color: RGBColor?
    /// The distance to the threshold, in points. If it is nil, the profile's distance applies.
    var length: Double?

    static let fields = ["size", "eligibleScale", "color", "length"]

    private static let ticks = 8
    private static let period = 1000.0

    init() {}

    init(_ options: PlacedValue) throws(ProgrammeError) {
        if let size = try options.member("size") {
            self.size = try size.positiveNumber(upTo: IndicatorBounds.size)
        }
        if let scale = try options.member("eligibleScale") {
            eligibleScale = try scale.positiveNumber(upTo: IndicatorBounds.scale)
        }
        color = try options.member("color")?.color()
        length = try options.member("length")?.positiveNumber(upTo: ProgrammeLimits.lengthMax)
    }

    var programme: Programme {
        let wheel = SpokeWheel(
            size: size, ticks: Self.ticks, period: Self.period, color: color)
        let names = wheel.names
        var programme = Programme(layers: wheel.layers)
        programme.size = Size(width: size, height: size)
        programme.pull = names.enumerated().map { index, name in
            Track(name, .opacity, [Key(0, 0), Key(1, wheel.brightness(index))])
        }
        programme.run = Programme.Run(
            duration: Self.period, step: Self.period / Double(Self.ticks), tracks: wheel.lightTracks
        )
        programme.setFinish(.atOnce, over: 200, [])

        programme.setEnterTransitions(
            of: Programme.resting + Programme.ended, Transition(duration: 200, easing: .easeInOut))
        programme.setEnterTransitions(
            of: [.pulling, .approaching, .eligible], Transition(duration: 100, easing: .easeInOut))
        programme.addSettings(
            to: [.eligible],
            [StateLook.Setting(Track.everyLayer, .scale, .number(eligibleScale))]
                + names.enumerated().map {
                    StateLook.Setting($1, .opacity, .number(wheel.brightness($0)))
                })
        programme.setEnterTransitions(
            of: Programme.running,
            Transition(duration: 2000, easing: .easeOut, properties: [.rotation, .scale]))
        programme.addSettings(
            to: Programme.running,
            names.enumerated().map {
                StateLook.Setting($1, .rotation, .number(wheel.angle($0) + .pi))
            })
        if let length { programme.edge = [OptionSetting(.length, .number(length))] }
        return programme
    }
}
