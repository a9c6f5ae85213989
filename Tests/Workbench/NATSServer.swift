package import Foundation
internal import Glibc
internal import Synchronization

/// A nats-server of the test's own, on a free port of 127.0.0.1. Its process is killed when no
/// reference to this object is left.
package final class NATSServer: Sendable {
    /// The server has not started.
    package struct Unusable: Error {
        package let log: String

        package init(log: String) { self.log = log }
    }

    package let port: UInt16
    private let configuration: TemporaryFile
    private let process = Mutex<Process?>(nil)

    /// The executable: that of the Debian package, or the one that scripts/setup unpacks.
    package static let executable: URL? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders =
            path.split(separator: ":").map(String.init)
            + [
                "/usr/sbin",
                FileManager.default.currentDirectoryPath + "/.build/nats-server/usr/sbin",
            ]
        return folders.map { URL(filePath: $0).appending(path: "nats-server") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }()

    package static var isInstalled: Bool { executable != nil }

    /// Starts a server with these lines of configuration.
    package init(_ lines: String = "", port: UInt16? = nil, isStarted: Bool = true) throws {
        self.port = try port ?? LocalServer.closedPort()
        configuration = try TemporaryFile(
            "nats.conf", "listen: \"127.0.0.1:\(self.port)\"\n\(lines)\n")
        if isStarted { try start() }
    }

    deinit { stop() }

    /// The lines of configuration of a server with this certificate.
    package static func tls(_ pair: CertificateFolder.Pair) -> String {
        "tls { cert_file: \"\(pair.certificate)\", key_file: \"\(pair.key)\", timeout: 10 }"
    }

    /// What the server has logged so far.
    package var log: String {
        (try? String(contentsOfFile: configuration.path + ".log", encoding: .utf8)) ?? ""
    }

    package var url: String { "nats://127.0.0.1:\(port)" }

    /// Starts the server, and waits until it accepts connections.
    package func start() throws {
        let log = URL(filePath: configuration.path + ".log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let server = Process()
        server.executableURL = Self.executable
        server.arguments = ["--config", configuration.path]
        server.standardInput = FileHandle.nullDevice
        server.standardOutput = FileHandle.nullDevice
        server.standardError = try FileHandle(forWritingTo: log)
        try server.run()
        process.withLock { $0 = server }
        for _ in 0..<6000 * patience {
            if (try? PlainSocket(port: port)) != nil { return }
            guard send(0) else { break }
            usleep(10_000)
        }
        throw Unusable(log: (try? String(contentsOf: log, encoding: .utf8)) ?? "")
    }

    /// Kills the server. Its connections end.
    package func stop() {
        process.withLock { process in
            guard let server = process else { return }
            // SIGTERM would not work, because test threads block signals, and the child inherits
            // that.
            kill(server.processIdentifier, SIGKILL)
            server.waitForStatus()
            process = nil
        }
    }

    /// Sends a signal to the server. Returns false if it does not run.
    @discardableResult
    package func send(_ signal: Int32) -> Bool {
        process.withLock { process in
            guard let server = process, server.isRunning else { return false }
            return kill(server.processIdentifier, signal) == 0
        }
    }

    /// Replaces the lines of configuration for the next start.
    package func configure(_ lines: String) throws {
        try configuration.write("listen: \"127.0.0.1:\(port)\"\n\(lines)\n")
    }
}
