package import Logging
package import RefreshConfiguration
internal import Synchronization

/// The daemon's log, with fixed messages and known keys.
package struct DaemonLog: Sendable {
    /// The log level; all copies of a log share it.
    private final class Threshold: Sendable {
        /// The index of the level in `Logger.Level.allCases`, whose levels are in order of
        /// severity.
        private let rank: Atomic<Int>

        init(_ level: Logger.Level) { rank = Atomic(Self.rank(of: level)) }

        func set(_ level: Logger.Level) { rank.store(Self.rank(of: level), ordering: .relaxed) }

        func admits(_ level: Logger.Level) -> Bool {
            Self.rank(of: level) >= rank.load(ordering: .relaxed)
        }

        private static func rank(of level: Logger.Level) -> Int {
            Logger.Level.allCases.firstIndex(of: level) ?? 0
        }
    }

    private let logger: Logger
    private let threshold: Threshold

    /// Writes to standard error.
    package init(_ settings: LogSettings) {
        self.init(Logger(label: "refreshd") { _ in StandardErrorLog(settings) })
    }

    /// Writes to `logger`.
    package init(_ logger: Logger) {
        threshold = Threshold(logger.logLevel)
        var logger = logger
        // Only `threshold` filters messages, because the level can change at run time.
        logger.logLevel = .trace
        self.logger = logger
    }

    /// Changes the level.
    package func set(_ level: LogSettings.Level) {
        threshold.set(Logger.Level(rawValue: level.rawValue) ?? .info)
    }

    /// Discards everything. It is used in tests, and when a configuration is only checked.
    package static let silent = DaemonLog(
        Logger(label: "refreshd") { _ in SwiftLogNoOpLogHandler() })

    /// Logs that the limit of open files is too low.
    package func callAsFunction(_ shortage: OpenFileLimit.Shortage) {
        self(
            .fewOpenFiles,
            [.files: String(shortage.files), .clientFiles: String(shortage.clientFiles)])
    }

    /// Writes one line. `values` are not evaluated if messages of this level are not logged.
    package func callAsFunction(
        _ message: LogMessage, _ values: @autoclosure () -> [LogKey: String] = [:]
    ) {
        let level = Logger.Level(rawValue: message.level.rawValue) ?? .info
        guard threshold.admits(level) else { return }
        logger.log(
            level: level, "\(message.rawValue)",
            metadata: Logger.Metadata(
                uniqueKeysWithValues: values().map { ($0.key.rawValue, .string($0.value)) }))
    }
}
