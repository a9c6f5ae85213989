import Foundation
import Testing
import Workbench

/// The files in packaging/, checked with systemd and with the daemon.
@Suite("Packaged files", .ownThread, .limit)
struct PackagingTests {
    private static let analyzer = "/usr/bin/systemd-analyze"
    private static var hasAnalyzer: Bool {
        FileManager.default.isExecutableFile(atPath: analyzer)
    }

    private static var packaging: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("packaging")
    }

    /// Calls `body` with the paths of copies of the systemd units. The copies name the built daemon
    /// instead of the installed one.
    private static func withUnits(_ body: ([String]) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = try ["refreshd.service", "refreshd.socket"].map { name in
            let text = try String(
                contentsOf: packaging.appendingPathComponent(name), encoding: .utf8)
            let file = folder.appendingPathComponent(name)
            let built = text.replacing("/usr/bin/refreshd", with: Refreshd.executable.path)
            try Data(built.utf8).write(to: file)
            return file.path
        }
        try body(paths)
    }

    private static func analyze(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: analyzer)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitForStatus()
        return (process.waitForStatus(), String(decoding: data, as: UTF8.self))
    }

    @Test(
        "systemd accepts the units",
        .enabled(if: hasAnalyzer, "systemd-analyze (Debian: systemd) is not here"))
    func verify() throws {
        try Self.withUnits { units in
            let result = try Self.analyze(["verify", "--man=no"] + units)
            #expect(result.status == 0, "\(result.output)")
            #expect(!result.output.contains("refreshd."), "\(result.output)")
        }
    }

    @Test(
        "systemd rates the exposure of the service with at most 2.0 of 10",
        .enabled(if: hasAnalyzer, "systemd-analyze (Debian: systemd) is not here"))
    func security() throws {
        try Self.withUnits { units in
            let result = try Self.analyze(
                ["security", "--offline=true", "--threshold=20", units[0]])
            #expect(result.status == 0, "\(result.output)")
        }
    }

    @Test("The packaged configuration is valid")
    func configuration() throws {
        let file = Self.packaging.appendingPathComponent("refreshd.yaml").path
        let check = try Refreshd.run("check-config", "--config", file)
        #expect(check.status == 0)
        #expect(check.errors.isEmpty)
    }
}
