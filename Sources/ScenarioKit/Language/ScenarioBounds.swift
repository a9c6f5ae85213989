/// The bounds of the scenario language. Source: docs/scenarios.md, "Bounds".
package enum ScenarioBounds {
    /// Bytes of one file: a scenario, an include or a recording.
    package static let fileBytesMax = 1_048_576
    /// Steps of a scenario, including those of blocks and includes.
    package static let stepsMax = 10_000
    /// The nesting depth of values.
    package static let depthMax = 32
    /// Clients, including the unnamed one.
    package static let clientsMax = 16
    /// The nesting depth of includes.
    package static let includeDepthMax = 8
    /// Files that a scenario includes, directly or indirectly.
    package static let includesMax = 64
    /// Samples that one gesture or one `wander` sends.
    package static let samplesMax = 20_000
    /// Gestures of one `wander`.
    package static let gesturesMax = 200
    /// The maximum of each `TIME` in a scenario, milliseconds.
    package static let timeMsMax = 3_600_000.0
    /// Terms of one number.
    package static let termsMax = 8
    /// The default time limit of a scenario, ms.
    package static let playMs = 600_000.0

    /// The rows of the table in docs/scenarios.md: the bounded quantity, and its bound.
    package static let table: [(bounded: String, bound: String)] = [
        ("bytes of a file", "\(fileBytesMax)"),
        ("steps of a scenario, including those of blocks and includes", "\(stepsMax)"),
        ("levels of nested values", "\(depthMax)"),
        ("clients, including the one without a name", "\(clientsMax)"),
        (
            "levels of nested includes, and all includes of a scenario",
            "\(includeDepthMax), \(includesMax)"
        ),
        ("samples of one gesture, or of one `wander`", "\(samplesMax)"),
        ("gestures of one `wander`", "\(gesturesMax)"),
        ("a `TIME`", "1 h"),
        ("terms of one number", "\(termsMax)"),
        ("the whole scenario, unless `limit:` sets another time", "10 min"),
    ]
}
