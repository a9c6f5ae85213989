/// The limits of a programme. Source: docs/indicators.md, "Bounds".
package enum ProgrammeLimits {
    /// The maximum number of bytes of a programme's text.
    package static let bytes = 65_536
    package static let layers = 64
    /// The maximum number of tracks of all parts together. A track of a colour counts once.
    package static let tracks = 512
    /// The maximum number of keys of all tracks together.
    package static let keys = 4096
    /// The maximum number of bytes of one path's text.
    package static let pathBytes = 16_384
    /// The maximum number of bytes of one text.
    package static let textBytes = 256
    package static let strings = 256
    /// The minimum and the maximum of a duration, in milliseconds. The time from `loopFrom` to the
    /// end of a run has the same minimum.
    package static let timeMin = 1.0
    package static let timeMax = 60_000.0
    /// The ranges of the damping and the periods of a spring.
    package static let dampings = 0.01...0.99
    package static let periods = 0.01...50.0
    package static let stepsMax = 1000
    /// The largest pull at a key.
    package static let pullMax = 10.0
    /// The largest absolute value of a length, a position or a scale.
    package static let lengthMax = 10_000.0

    /// The maximum number of bytes of the name of a layer or image.
    package static let nameBytes = 32

    /// All limits by name with their meaning, in the order of the documentation.
    package static let table: [(name: String, value: Int, meaning: String)] = [
        (
            "bytes", bytes,
            "bytes of a programme, both as a file and in its expanded form with absolute paths"
        ),
        (
            "layers", layers,
            "layers"
        ),
        (
            "tracks", tracks,
            "tracks of all parts together"
        ),
        (
            "keys", keys,
            "keys of all tracks together"
        ),
        (
            "pathBytes", pathBytes,
            "bytes of one path's text"
        ),
        (
            "pathSegments", PathLimits.segmentsMax,
            "segments of one path"
        ),
        (
            "textBytes", textBytes,
            "bytes of one text, or of a font's name"
        ),
        (
            "nameBytes", nameBytes,
            "bytes of a layer's or picture's name"
        ),
        (
            "strings", strings,
            "entries of `strings`"
        ),
        (
            "timeMin", Int(timeMin),
            "ms: the minimum of `duration`, of `step`, and from `loopFrom` to `duration`"
        ),
        (
            "timeMax", Int(timeMax),
            "ms: the maximum of `duration` and `step`"
        ),
        (
            "pullMax", Int(pullMax),
            "the maximum position of a key in `pull`"
        ),
        (
            "lengthMax", Int(lengthMax),
            "absolute value of a length, position, angle or scale"
        ),
        (
            "coordinateMax", Int(PathLimits.coordinateMax),
            "absolute value of a path's coordinate"
        ),
    ]
}
