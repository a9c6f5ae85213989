/// How large a programme may be. Source: docs/indicators.md, "Bounds".
package enum ProgrammeLimits {
    /// Bytes of a programme's text.
    package static let bytes = 65_536
    package static let layers = 64
    /// Tracks of all parts together, colours counted once.
    package static let tracks = 512
    /// Keys of all tracks together.
    package static let keys = 4096
    /// Bytes of one path's text.
    package static let pathBytes = 16_384
    /// Bytes of one text.
    package static let textBytes = 256
    package static let strings = 256
    /// Milliseconds of any duration.
    package static let timeMax = 60_000.0
    /// The largest pull of a key.
    package static let pullMax = 10.0
    /// Absolute value of a length, position or scale.
    package static let lengthMax = 10_000.0

    /// All bounds by name, in the order of the documentation.
    package static let table: [(name: String, value: Int)] = [
        ("bytes", bytes), ("layers", layers), ("tracks", tracks), ("keys", keys),
        ("pathBytes", pathBytes), ("textBytes", textBytes), ("strings", strings),
        ("timeMax", Int(timeMax)), ("pullMax", Int(pullMax)), ("lengthMax", Int(lengthMax)),
    ]
}
