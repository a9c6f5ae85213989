internal import ArgumentParser
internal import Cryptography
internal import Glibc
internal import RefreshConfiguration
internal import RefreshServer

/// The command `init`. It writes a commented configuration file for one kind of backend.
struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a commented configuration file for a kind of backend.",
        discussion: """
            The daemon accepts the file as it is. An existing file is never replaced. Afterwards \
            the command prints what to do next.
            """)

    @Argument(
        help: ArgumentHelp(
            "Where the items come from.",
            valueName: "backend"))
    var backend: ConfigurationTemplate.Backend

    @Option(
        help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var output = "refreshd.yaml"

    mutating func run() throws {
        let template = ConfigurationTemplate(backend, key: .random())
        guard output != "-" else {
            Refreshd.writeOutput(template.text)
            // Standard output contains only the file.
            if template.workerToken != nil, let instruction = template.instruction {
                try? StandardStream.error.write("refreshd: \(instruction)\n")
            }
            return
        }
        write(template.text)
        // As the value of an option, a name that begins with - would be taken as an option.
        let argument = Self.quotedForShell(output.hasPrefix("-") ? "./\(output)" : output)
        let steps = [
            template.instruction, "Check the file: refreshd check-config --config \(argument)",
            "Start the daemon: refreshd --config \(argument)",
        ]
        let lines = steps.compactMap { $0 }.enumerated().map { "  \($0 + 1). \($1)\n" }
        Refreshd.writeOutput("\(output) is written.\n" + lines.joined())
    }

    /// Creates the file with this text. If this fails, reports why, and ends the process.
    ///
    /// The text is written to a temporary file in the same folder. It gets its name when it is
    /// complete, so a failed write leaves no file, and an existing file is never replaced.
    private func write(_ text: String) {
        let temporary = "\(output).\(getpid()).tmp"
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { fail(errno) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(file, bytes.baseAddress, bytes.count)
            }
            guard written > 0 else { fail(errno, removing: temporary) }
            rest = rest.dropFirst(written)
        }
        guard close(file) == 0, publish(temporary) else { fail(errno, removing: temporary) }
    }

    /// Gives the temporary file its name, unless a file has this name.
    /// - Returns: Whether this succeeded. Otherwise, `errno` states the reason.
    private func publish(_ temporary: String) -> Bool {
        // Unlike rename(2), link(2) fails if the name is in use.
        if unsafe link(temporary, output) == 0 {
            _ = unsafe unlink(temporary)
            return true
        }
        // Some file systems have no hard links.
        guard errno == EPERM || errno == EOPNOTSUPP else { return false }
        guard unsafe access(output, F_OK) != 0 else {
            errno = EEXIST
            return false
        }
        return unsafe rename(temporary, output) == 0
    }

    private func fail(_ code: Int32, removing temporary: String? = nil) -> Never {
        if let temporary { _ = unsafe unlink(temporary) }
        let reason = unsafe String(cString: strerror(code))
        try? StandardStream.error.write("refreshd: \(output): \(reason)\n")
        _exit(ExitStatus.output.rawValue)
    }

    /// Returns the path as one word of a POSIX shell: as it is, or in single quotes.
    private static func quotedForShell(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-+:@%,=".utf8.contains(byte)
            }
        }
        guard !isPlain || path.isEmpty else { return path }
        return "'"
            + path.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: #"'\''"#) + "'"
    }
}

extension ConfigurationTemplate.Backend: ExpressibleByArgument {}
