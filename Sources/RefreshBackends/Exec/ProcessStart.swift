internal import CProcess
internal import Glibc

/// Starts a process with a clean state, as if its command were typed after a fresh login. No signal
/// is blocked or ignored, only the three standard files are open, and the process has its own
/// environment.
///
/// The process leads a new POSIX session. A session leader can leave neither its POSIX session nor
/// its process group, so it cannot join the daemon's process group. Source: posix_spawn(3),
/// setsid(2). Reason for this code: docs/decisions/0022-processes.md.
package struct ProcessStart {
    package var command: [String]
    /// Variables, each as `NAME=value`.
    package var environment: [String]
    /// The working directory; nil for the daemon's own.
    package var folder: String?
    /// The descriptor for standard input; nil for `/dev/null`.
    package var input: Int32?
    package var output: Int32
    package var errors: Int32
    /// Whether the program is searched in `PATH`.
    package var searchesPath = false

    package init(
        _ command: [String], environment: [String], folder: String? = nil, input: Int32? = nil,
        output: Int32, errors: Int32, searchesPath: Bool = false
    ) {
        self.command = command
        self.environment = environment
        self.folder = folder
        self.input = input
        self.output = output
        self.errors = errors
        self.searchesPath = searchesPath
    }

    /// Starts the process and stores its process id in `process`.
    /// - Returns: 0, or an error number.
    package func start(_ process: inout Int32) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        let steps = unsafe addFileActions(&actions) + setAttributes(&attributes)
        if let failed = steps.first(where: { $0 != 0 }) { return failed }
        return unsafe Self.withStrings(command) { arguments in
            unsafe Self.withStrings(environment) { variables in
                unsafe searchesPath
                    ? posix_spawnp(
                        &process, command[0], &actions, &attributes, arguments, variables)
                    : posix_spawn(
                        &process, command[0], &actions, &attributes, arguments, variables)
            }
        }
    }

    private func addFileActions(_ actions: inout posix_spawn_file_actions_t) -> [Int32] {
        var steps = [
            unsafe input.map {
                unsafe posix_spawn_file_actions_adddup2(&actions, $0, STDIN_FILENO)
            }
                ?? posix_spawn_file_actions_addopen(
                    &actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
            unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO),
            unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO),
            unsafe cprocess_close_from(&actions, STDERR_FILENO + 1),
        ]
        if let folder { steps.append(unsafe cprocess_change_folder(&actions, folder)) }
        return steps
    }

    private func setAttributes(_ attributes: inout posix_spawnattr_t) -> [Int32] {
        var none = sigset_t()
        unsafe sigemptyset(&none)
        var all = sigset_t()
        unsafe sigfillset(&all)
        return [
            unsafe posix_spawnattr_setsigmask(&attributes, &none),
            unsafe posix_spawnattr_setsigdefault(&attributes, &all),
            unsafe posix_spawnattr_setflags(
                &attributes,
                Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | cprocess_new_session),
        ]
    }

    /// Calls `body` with the strings as a null-terminated array of C strings.
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
