import RefreshIndicator
import RefreshProtocol

/// A user's programme with the maximum numbers of layers, tracks and keys (keyframes). Every
/// property of every layer is animated.
enum LargestProgramme {
    /// Returns a programme whose keys are all in `pull`, or all in `run`. The limits apply to the
    /// sum over all parts of a programme, so only one part can have the maximum number.
    static func make(at moment: FrameBenchmark.Moment) throws -> Programme {
        let names = (1...ProgrammeLimits.layers).map { "l\($0)" }
        var programme = Programme(
            layers: names.map {
                Layer(
                    $0, .box(width: 4, height: 4, corner: 0), [.color: .color(RGBColor(9, 9, 9))])
            })
        let keys = ProgrammeLimits.keys / ProgrammeLimits.tracks
        let tracks = names.flatMap { name in
            LayerProperty.allCases.map { property in
                Track(name, property, (0..<keys).map { key($0, of: keys, property, moment) })
            }
        }
        if moment == .pull {
            programme.pull = tracks
        } else {
            programme.run = Programme.Run(duration: 1000, tracks: tracks)
        }
        try programme.checkBounds()
        guard programme.allTracks.count == ProgrammeLimits.tracks,
            programme.json.text.utf8.count <= ProgrammeLimits.bytes
        else {
            throw BenchmarkError.unexpected(
                "the largest programme has \(programme.allTracks.count) tracks, "
                    + "\(programme.json.text.utf8.count) bytes")
        }
        return programme
    }

    private static func key(
        _ index: Int, of count: Int, _ property: LayerProperty, _ moment: FrameBenchmark.Moment
    ) -> Key {
        let end = moment == .pull ? 1.0 : 1000.0
        let position = end * Double(index) / Double(count)
        let isOdd = index % 2 == 1
        return property == .color
            ? Key(position, isOdd ? RGBColor(0, 0, 0) : RGBColor(250, 128, 16))
            : Key(position, isOdd ? 0 : 1)
    }
}
