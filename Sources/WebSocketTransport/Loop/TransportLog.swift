import CLWS
import Glibc
import Synchronization

/// The destination of libwebsockets' log lines. The destination is the same for all loops of the
/// process.
package enum TransportLog {
    /// The severity of a line.
    package enum Level: Int, Hashable, Sendable, Comparable {
        /// An operation of libwebsockets failed.
        case error = 1
        /// An anomaly that libwebsockets handled. `setSink` reports lines up to this level by
        /// default.
        case warning = 2
        /// A milestone of libwebsockets.
        case notice = 4
        /// Details of libwebsockets' operation.
        case info = 8

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var sink: (@Sendable (Level, String) -> Void)?
        var lastError = ""
    }

    private static let state = Mutex(State())

    /// Sends every line that is at least as severe as `limit` to `sink`. The sink is called on any
    /// thread and must not call the transport. Without a sink the lines are dropped.
    package static func setSink(
        upTo limit: Level = .warning, to sink: @escaping @Sendable (Level, String) -> Void
    ) {
        state.withLock { $0.sink = sink }
        installLibrarySink(upTo: limit)
    }

    /// The most recent error line, for the text of a `TransportError`.
    static var lastError: String { state.withLock { $0.lastError } }

    /// Redirects libwebsockets' log lines to this type. By default, libwebsockets writes them to
    /// standard error.
    static func redirectLibraryOutput() {
        _ = isRedirected
    }

    private static let isRedirected: Bool = {
        if state.withLock({ $0.sink == nil }) { installLibrarySink(upTo: .warning) }
        return true
    }()

    private static func installLibrarySink(upTo limit: Level) {
        let levels = (0..<4).map { 1 << $0 }.filter { $0 <= limit.rawValue }.reduce(0, |)
        unsafe lws_set_log_level(Int32(levels)) { level, line in
            guard let line = unsafe line else { return }
            var text = unsafe String(cString: line)
            if text.hasSuffix("\n") { text.removeLast() }
            TransportLog.forward(Level(rawValue: Int(level)) ?? .info, text)
        }
    }

    private static func forward(_ level: Level, _ line: String) {
        let sink = state.withLock { state in
            if level == .error { state.lastError = line }
            return state.sink
        }
        sink?(level, line)
    }
}
