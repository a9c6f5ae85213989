internal import CProcess
internal import Glibc
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
        let status = Self.spawn(
            &process, command, environment.map { "\($0.key)=\($0.value)" }.sorted())
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

    private static func spawn(
        _ process: inout pid_t, _ command: [String], _ environment: [String]
    ) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        var all = sigset_t()
        unsafe sigfillset(&all)
        let steps = [
            unsafe posix_spawn_file_actions_addopen(
                &actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
            unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO),
            unsafe cprocess_close_from(&actions, STDERR_FILENO + 1),
            unsafe posix_spawnattr_setsigmask(&attributes, &none),
            unsafe posix_spawnattr_setsigdefault(&attributes, &all),
            unsafe posix_spawnattr_setflags(
                &attributes,
                Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | cprocess_new_session),
        ]
        if let failed = steps.first(where: { $0 != 0 }) { return failed }
        return unsafe withStrings(command) { arguments in
            unsafe withStrings(environment) { variables in
                unsafe posix_spawnp(
                    &process, command[0], &actions, &attributes, arguments, variables)
            }
        }
    }

    /// The strings as C has them, ended by a null pointer.
    private static func withStrings<R>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
    ) -> R {
        let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
            capacity: strings.count + 1)
        for (index, string) in strings.enumerated() {
            unsafe (list + index).initialize(to: strdup(string))
        }
        unsafe (list + strings.count).initialize(to: nil)
        defer {
            for index in strings.indices { unsafe free(list[index]) }
            unsafe list.deallocate()
        }
        return unsafe body(list)
    }
}
