internal import CProcess
internal import Glibc

/// Starts processes of an `exec` backend, each as clean as if a person had typed its command in a
/// fresh session: no signal blocked or ignored, no file but the three, an environment of its own.
struct ExecCommand: Sendable {
    /// A process that was started, and our ends of its pipes, which never block.
    struct Started {
        let process: pid_t
        let input: Int32
        let output: Int32
        let errors: Int32
    }

    struct Failure: Error {
        let message: String

        init(_ status: Int32) { message = unsafe String(cString: strerror(status)) }
    }

    private let command: [String]
    private let folder: String
    private let environment: [String]

    init(_ options: ExecOptions) {
        command = options.command
        folder = options.folder
        var variables = [
            "PATH": Self.own("PATH") ?? "/usr/local/bin:/usr/bin:/bin",
            "LANG": Self.own("LANG") ?? "C.UTF-8",
        ]
        variables.merge(options.environment) { _, given in given }
        environment = variables.map { "\($0.key)=\($0.value)" }.sorted()
    }

    func start() throws(Failure) -> Started {
        guard let input = ProcessPipe() else { throw Failure(errno) }
        guard let output = ProcessPipe() else {
            input.closeBoth()
            throw Failure(errno)
        }
        guard let errors = ProcessPipe() else {
            input.closeBoth()
            output.closeBoth()
            throw Failure(errno)
        }
        var process: pid_t = 0
        let status = spawn(
            &process, input: input.reading, output: output.writing, errors: errors.writing)
        close(input.reading)
        close(output.writing)
        close(errors.writing)
        let ours = [input.writing, output.reading, errors.reading]
        guard status == 0 else {
            for end in ours { close(end) }
            throw Failure(status)
        }
        for end in ours { ProcessPipe.makeNonBlocking(end) }
        return Started(
            process: process, input: input.writing, output: output.reading,
            errors: errors.reading)
    }

    private func spawn(
        _ process: inout pid_t, input: Int32, output: Int32, errors: Int32
    ) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var steps = [
            unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO),
            unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO),
            unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO),
            unsafe cprocess_close_from(&actions, STDERR_FILENO + 1),
            unsafe cprocess_change_folder(&actions, folder),
        ]
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        var all = sigset_t()
        unsafe sigfillset(&all)
        steps += [
            unsafe posix_spawnattr_setsigmask(&attributes, &none),
            unsafe posix_spawnattr_setsigdefault(&attributes, &all),
            // The leader of a session can leave neither it nor its group, so it cannot hide in the
            // daemon's.
            unsafe posix_spawnattr_setflags(
                &attributes,
                Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | cprocess_new_session),
        ]
        if let failed = steps.first(where: { $0 != 0 }) { return failed }
        return unsafe Self.withStrings(command) { arguments in
            unsafe Self.withStrings(environment) { variables in
                unsafe posix_spawn(
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

    private static func own(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
