import Cryptography
import Foundation
import RefreshConfiguration
import Testing
import Workbench

@Suite("refreshd init", .ownThread, .limit)
struct InitTests {
    @Test(
        "The daemon accepts the file of each kind of backend as it is",
        arguments: ConfigurationTemplate.Backend.allCases)
    func accepted(_ backend: ConfigurationTemplate.Backend) throws {
        let file = try TemporaryFile("refreshd.yaml")
        let path = file.path
        let written = try Refreshd.run("init", backend.rawValue, "--output", path)
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.output.hasPrefix("\(path) is written.\n  1. "))
        #expect(written.output.hasSuffix("Start the daemon: refreshd --config \(path)\n"))
        let check = try Refreshd.run("check-config", "--config", path)
        #expect(check.status == 0, "\(check.errors)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 100 })
    }

    @Test("Every kind of backend that a feed can have has a file")
    func complete() throws {
        let names = ConfigurationTemplate.Backend.allCases.map(\.rawValue)
        for kind in names where kind != "client" {
            let listed = ConfigurationSchema.text.contains("\"\(kind)\"")
            #expect(listed, "\(kind) is not a kind of backend")
        }
        let error = try Refreshd.run("init", "postgres")
        #expect(error.status == 64)
        for name in names { #expect(error.errors.contains(name)) }
    }

    @Test("An existing file is not replaced")
    func existing() throws {
        let file = try TemporaryFile("refreshd.yaml", "listen: 127.0.0.1:1\n")
        let path = file.path
        let refused = try Refreshd.run("init", "file", "--output", path)
        #expect(refused.status == 74)
        #expect(refused.errors == "refreshd: \(path): File exists\n")
        #expect(refused.output.isEmpty)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "listen: 127.0.0.1:1\n")
    }

    @Test("A write that fails leaves no file")
    func failedWrite() throws {
        let file = try TemporaryFile("refreshd.yaml")
        let folder = URL(filePath: file.path).deletingLastPathComponent().path
        // The largest file is one block. Without its signal, a longer write fails with EFBIG.
        let ending = try RunningDaemon(
            program: "/bin/sh",
            [
                "-c", #"trap "" XFSZ; ulimit -f 1; exec "$1" init http --output "$2""#, "sh",
                Refreshd.executable.path, file.path,
            ]
        ).waitForEnd()
        #expect(ending.status == 74)
        #expect(ending.errors.contains("refreshd: \(file.path): File too large\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        let next = try Refreshd.run("init", "http", "--output", file.path)
        #expect(next.status == 0, "\(next.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder) == ["refreshd.yaml"])
    }

    @Test("The printed commands work for a path with spaces and quotes")
    func quoted() throws {
        let file = try TemporaryFile("it's $HOME; a `file`.yaml")
        let written = try Refreshd.run("init", "file", "--output", file.path)
        #expect(written.status == 0, "\(written.errors)")
        let line = try #require(
            written.output.split(separator: "\n").first {
                $0.contains("check-config")
            })
        let command = try #require(line.split(separator: ": refreshd ", maxSplits: 1).last)
        let check = try RunningDaemon(
            program: "/bin/sh",
            ["-c", "exec \"$1\" \(command)", "sh", Refreshd.executable.path]
        ).waitForEnd()
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test("The printed commands work for a name that begins with -")
    func dash() throws {
        let file = try TemporaryFile("-x.yaml")
        let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
        func run(_ arguments: String...) throws -> Refreshd.Ending {
            try RunningDaemon(
                program: "/bin/sh",
                ["-c", #"cd "$1" && shift && exec "$0" "$@""#, Refreshd.executable.path, folder]
                    + arguments
            ).waitForEnd()
        }
        let written = try run("init", "file", "--output=-x.yaml")
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.output.hasPrefix("-x.yaml is written.\n"))
        #expect(written.output.hasSuffix("Start the daemon: refreshd --config ./-x.yaml\n"))
        let check = try run("check-config", "--config", "./-x.yaml")
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test("With - the file is written to standard output, and nothing else")
    func standardOutput() throws {
        let printed = try Refreshd.run("init", "file", "--output", "-")
        let template = ConfigurationTemplate(.file, key: .random())
        #expect(printed.status == 0)
        #expect(printed.output == template.text)
        #expect(printed.errors.isEmpty)
    }

    @Test("The file for workers contains the hash of a new token, and only the user sees the token")
    func token() throws {
        let first = try Refreshd.run("init", "worker", "--output", "-")
        let second = try Refreshd.run("init", "worker", "--output", "-")
        #expect(first.errors != second.errors)
        let token = try #require(first.errors.split(separator: " ").last).dropLast(2)
        #expect(token.utf8.count == 64)
        let digest = SHA256.digest(of: Array(token.utf8))
        let hexadecimal = digest.map { String(format: "%02x", $0) }.joined()
        #expect(first.output.contains("sha256: \"\(hexadecimal)\""))
        #expect(!first.output.contains(token))
    }
}
