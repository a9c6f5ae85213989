/// What is logged, and how. Source: docs/logging.md.
package struct LogSettings: Hashable, Sendable {
    /// How much is said; each level includes those after it.
    package enum Level: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// How a line looks.
    package enum Format: String, CaseIterable, Sendable {
        /// For people: time, level, message, `key=value`.
        case text
        /// For machines: one object a line.
        case json
    }

    package var level = Level.info
    package var format = Format.text

    package init(level: Level = .info, format: Format = .text) {
        self.level = level
        self.format = format
    }
}
