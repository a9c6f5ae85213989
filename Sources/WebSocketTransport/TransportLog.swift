import CLWS
import Glibc
import Synchronization

/// Where the lines of libwebsockets go. They belong to the process, not to one loop.
package enum TransportLog {
    /// How grave a line is.
    package enum Level: Int, Hashable, Sendable, Comparable {
        /// Something the library could not do.
        case error = 1
        /// Something odd that it coped with; the default limit.
        case warning = 2
        /// Its own milestones.
        case notice = 4
        /// What it does.
        case info = 8

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var sink: (@Sendable (Level, String) -> Void)?
        var lastError = ""
    }

    private static let state = Mutex(State())

    /// Sends every line at least as grave as `limit` to `sink`, which is called on any thread and
    /// must not call the transport. Without a sink the lines are dropped.
    package static func send(
        upTo limit: Level = .warning, to sink: @escaping @Sendable (Level, String) -> Void
    ) {
        state.withLock { $0.sink = sink }
        listen(upTo: limit)
    }

    /// The most recent error line, for the text of a `TransportError`.
    static var lastError: String { state.withLock { $0.lastError } }

    /// Takes the library's lines away from standard error, where it puts them by itself.
    static func takeOver() {
        _ = isTakenOver
    }

    private static let isTakenOver: Bool = {
        if state.withLock({ $0.sink == nil }) { listen(upTo: .warning) }
        return true
    }()

    private static func listen(upTo limit: Level) {
        let levels = (0..<4).map { 1 << $0 }.filter { $0 <= limit.rawValue }.reduce(0, |)
        unsafe lws_set_log_level(Int32(levels)) { level, line in
            guard let line = unsafe line else { return }
            var text = unsafe String(cString: line)
            if text.hasSuffix("\n") { text.removeLast() }
            TransportLog.took(Level(rawValue: Int(level)) ?? .info, text)
        }
    }

    private static func took(_ level: Level, _ line: String) {
        let sink = state.withLock { state in
            if level == .error { state.lastError = line }
            return state.sink
        }
        sink?(level, line)
    }
}
