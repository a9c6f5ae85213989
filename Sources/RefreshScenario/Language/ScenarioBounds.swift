/// The bounds of the scenario language. Source: docs/scenarios.md, "Bounds".
package enum ScenarioBounds {
    /// Bytes of one file: a scenario, an include, a recording.
    package static let fileBytesMax = 1_048_576
    /// Steps of a scenario, those of blocks and includes with them.
    package static let stepsMax = 10_000
    /// Values inside values.
    package static let depthMax = 32
    /// Clients, the one without a name with them.
    package static let clientsMax = 16
    /// Files inside files.
    package static let includeDepthMax = 8
    /// Files that a scenario includes, those of its includes with them.
    package static let includesMax = 64
    /// Samples that one gesture sends, or one `wander`.
    package static let samplesMax = 20_000
    /// Gestures of one `wander`.
    package static let gesturesMax = 200
    /// Any `TIME`, ms.
    package static let timeMsMax = 3_600_000.0
    /// Terms of one number.
    package static let termsMax = 8
    /// How long a scenario plays unless it says so, ms.
    package static let playMs = 600_000.0

    /// What the page shows: what is bounded, and how.
    package static let table: [(bounded: String, bound: String)] = [
        ("bytes of a file", "\(fileBytesMax)"),
        ("steps of a scenario, those of blocks and includes with them", "\(stepsMax)"),
        ("values inside values", "\(depthMax)"),
        ("clients, the one without a name with them", "\(clientsMax)"),
        (
            "files inside files, and all includes of a scenario",
            "\(includeDepthMax), \(includesMax)"
        ),
        ("samples of one gesture, or of one `wander`", "\(samplesMax)"),
        ("gestures of one `wander`", "\(gesturesMax)"),
        ("a `TIME`", "1 h"),
        ("terms of one number", "\(termsMax)"),
        ("the whole scenario, unless `limit:` says otherwise", "10 min"),
    ]
}
