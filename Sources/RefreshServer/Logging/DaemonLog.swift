package import Logging

/// The daemon's log: fixed messages, known keys.
package struct DaemonLog: Sendable {
    private let logger: Logger

    /// Writes to standard error.
    package init(_ settings: LogSettings) {
        self.init(Logger(label: "refreshd") { _ in StandardErrorLog(settings) })
    }

    /// Writes to `logger`.
    package init(_ logger: Logger) { self.logger = logger }

    /// Says nothing; for tests.
    package static let silent = DaemonLog(
        Logger(label: "refreshd") { _ in SwiftLogNoOpLogHandler() })

    /// Writes one line. `values` are not made while their level is off.
    package func callAsFunction(
        _ message: LogMessage, _ values: @autoclosure () -> [LogKey: String] = [:]
    ) {
        let level = Logger.Level(rawValue: message.level.rawValue) ?? .info
        guard level >= logger.logLevel else { return }
        logger.log(
            level: level, "\(message.rawValue)",
            metadata: Logger.Metadata(
                uniqueKeysWithValues: values().map { ($0.key.rawValue, .string($0.value)) }))
    }
}
