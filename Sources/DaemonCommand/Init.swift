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
        let steps = [
            template.instruction, "Check the file: refreshd check-config --config \(output)",
            "Start the daemon: refreshd --config \(output)",
        ]
        let lines = steps.compactMap { $0 }.enumerated().map { "  \($0 + 1). \($1)\n" }
        Refreshd.writeOutput("\(output) is written.\n" + lines.joined())
    }

    /// Creates the file with this text. If this fails, reports why, and ends the process.
    private func write(_ text: String) {
        let file = unsafe open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { fail() }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(file, bytes.baseAddress, bytes.count)
            }
            guard written > 0 else { fail() }
            rest = rest.dropFirst(written)
        }
        guard close(file) == 0 else { fail() }
    }

    private func fail() -> Never {
        let reason = unsafe String(cString: strerror(errno))
        try? StandardStream.error.write("refreshd: \(output): \(reason)\n")
        _exit(ExitStatus.output.rawValue)
    }
}

extension ConfigurationTemplate.Backend: ExpressibleByArgument {}
