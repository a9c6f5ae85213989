/// The level and the format of the log. Source: docs/logging.md.
package struct LogSettings: Hashable, Sendable {
    /// The least severe level that is logged. Each level includes all more severe levels, which
    /// follow it in this list.
    package enum Level: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// The format of a line of the log.
    package enum Format: String, CaseIterable, Sendable {
        /// For people: time, level, message, `key=value`.
        case text
        /// For machines: one JSON object per line.
        case json
    }

    package var level = Level.info
    package var format = Format.text

    package init(level: Level = .info, format: Format = .text) {
        self.level = level
        self.format = format
    }
}
