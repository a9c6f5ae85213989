internal import Glibc
internal import RefreshBackends
internal import Synchronization

/// The driver process that `refresh-probe` has started, with its child processes. All these
/// processes end when `refresh-probe` ends, even if it is killed. Source: docs/conformance.md,
/// "Grading a client".
package final class DriverProcess: Sendable {
    /// The reason why the process was not started.
    package struct NotStarted: Error {
        package var reason: String
    }

    /// The time between SIGTERM and SIGKILL, in milliseconds.
    private static let graceMs = 1_000.0

    /// The process id of the driver. The driver is the leader of a session and of a process group.
    /// The children of the driver belong to this group.
    private let processIdentifier: pid_t
    /// Whether the leader of the group was reaped. The system can reuse the process id of a reaped
    /// process. It does not reuse the id of a process group while the group has members.
    private let isReaped = Mutex(false)

    /// Starts a command. The command is looked up in `PATH`, like a command in a shell. Its
    /// standard input is empty. Its output is written to standard error, because it is not part of
    /// the report.
    package init(_ command: [String], environment: [String: String]) throws(NotStarted) {
        var process: pid_t = 0
        let status = ProcessStart(
            command, environment: environment.map { "\($0.key)=\($0.value)" }.sorted(),
            output: STDERR_FILENO, errors: STDERR_FILENO, searchesPath: true
        ).start(&process)
        guard status == 0 else {
            let reason = unsafe strerror(status).map { unsafe String(cString: $0) }
            throw NotStarted(reason: reason ?? "error \(status)")
        }
        processIdentifier = process
    }

    /// Whether the process is still running.
    package var isRunning: Bool { !reap() }

    /// Terminates the process group with SIGTERM, then with SIGKILL after the grace period. This
    /// function may be called repeatedly, and from any thread.
    package func end() {
        let deadline = GradingServer.nowMs + Self.graceMs
        _ = kill(-processIdentifier, SIGTERM)
        while !hasEnded, GradingServer.nowMs < deadline { usleep(5_000) }
        _ = kill(-processIdentifier, SIGKILL)
        while !reap(), GradingServer.nowMs < deadline + Self.graceMs { usleep(1_000) }
    }

    /// Whether the process group is empty.
    private var hasEnded: Bool { reap() && kill(-processIdentifier, 0) != 0 }

    /// Reaps the leader if the leader has ended. Returns whether the leader has ended.
    private func reap() -> Bool {
        isReaped.withLock { isReaped in
            guard !isReaped else { return true }
            var status: Int32 = 0
            isReaped = unsafe waitpid(processIdentifier, &status, WNOHANG) != 0
            return isReaped
        }
    }
}
