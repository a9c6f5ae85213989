internal import Glibc
package import Logging
package import RefreshConfiguration

/// Writes log lines to standard error. Each line is one system call, so that lines of several
/// threads do not mix.
package struct StandardErrorLog: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    private let format: LogSettings.Format

    package init(_ settings: LogSettings) {
        logLevel = Logger.Level(rawValue: settings.level.rawValue) ?? .info
        format = settings.format
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let line = LogLine(
            time: UTCTime.now.description, level: event.level.rawValue,
            message: event.message.description,
            metadata: all.map { ($0.key, $0.value.description) }.sorted { $0.key < $1.key })
        Self.write(Array(((format == .json ? line.json : line.text) + "\n").utf8))
    }

    /// Writes the bytes. Failures are ignored, because they cannot be reported anywhere.
    private static func write(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { buffer in
            var rest = unsafe buffer[...]
            while unsafe !rest.isEmpty {
                let slice = unsafe UnsafeRawBufferPointer(rebasing: rest)
                let written = unsafe Glibc.write(STDERR_FILENO, slice.baseAddress, slice.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return }
                unsafe rest = rest.dropFirst(written)
            }
        }
    }
}
