internal import Glibc

/// Starts processes of an `exec` backend, each in its own POSIX session, with three pipes.
struct ExecCommand: Sendable {
    /// A started process and the daemon's non-blocking ends of its pipes.
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
            "PATH": Self.inheritedVariable("PATH") ?? "/usr/local/bin:/usr/bin:/bin",
            "LANG": Self.inheritedVariable("LANG") ?? "C.UTF-8",
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
        let status = ProcessStart(
            command, environment: environment, folder: folder, input: input.readEnd,
            output: output.writeEnd, errors: errors.writeEnd
        ).start(&process)
        close(input.readEnd)
        close(output.writeEnd)
        close(errors.writeEnd)
        let parentEnds = [input.writeEnd, output.readEnd, errors.readEnd]
        guard status == 0 else {
            for end in parentEnds { close(end) }
            throw Failure(status)
        }
        for end in parentEnds { ProcessPipe.makeNonBlocking(end) }
        return Started(
            process: process, input: input.writeEnd, output: output.readEnd,
            errors: errors.readEnd)
    }

    private static func inheritedVariable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
