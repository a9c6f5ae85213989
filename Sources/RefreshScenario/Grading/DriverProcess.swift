internal import Glibc
internal import RefreshBroker
internal import Synchronization

/// The driver that the probe has started, and whatever that starts: they end with it, however it
/// ends. Source: docs/conformance.md, "Grading a client".
package final class DriverProcess: Sendable {
    /// Why there is none.
    package struct NotStarted: Error {
        package var reason: String
    }

    /// How long it has to end by itself when it is told to, milliseconds.
    private static let graceMs = 1_000.0

    /// The leader of a session and of a group, in which its children are.
    private let processIdentifier: pid_t
    /// Whether the leader was waited for: its number may be another's then, the group's not while
    /// anybody is in it.
    private let isReaped = Mutex(false)

    /// Starts a command, found as the shell finds it. It reads nothing, and what it prints goes to
    /// standard error: it is no part of the report.
    package init(_ command: [String], environment: [String: String]) throws(NotStarted) {
        var process: pid_t = 0
        let status = ProcessStart(
            command, environment: environment.map { "\($0.key)=\($0.value)" }.sorted(),
            output: STDERR_FILENO, errors: STDERR_FILENO, isLookedFor: true
        ).begin(&process)
        guard status == 0 else {
            let reason = unsafe strerror(status).map { unsafe String(cString: $0) }
            throw NotStarted(reason: reason ?? "error \(status)")
        }
        processIdentifier = process
    }

    /// Whether it has not ended by itself.
    package var isRunning: Bool { !reap() }

    /// Tells all of them to end, waits a moment for it, and then makes them. May be called again,
    /// from any thread.
    package func end() {
        let deadline = GradingServer.nowMs + Self.graceMs
        _ = kill(-processIdentifier, SIGTERM)
        while !hasEnded, GradingServer.nowMs < deadline { usleep(5_000) }
        _ = kill(-processIdentifier, SIGKILL)
        while !reap(), GradingServer.nowMs < deadline + Self.graceMs { usleep(1_000) }
    }

    /// Whether nobody is in the group any more.
    private var hasEnded: Bool { reap() && kill(-processIdentifier, 0) != 0 }

    /// Whether the leader has ended; its remains are taken away then.
    private func reap() -> Bool {
        isReaped.withLock { isReaped in
            guard !isReaped else { return true }
            var status: Int32 = 0
            isReaped = unsafe waitpid(processIdentifier, &status, WNOHANG) != 0
            return isReaped
        }
    }
}
