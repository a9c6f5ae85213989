import Foundation
import Testing
import Workbench

@Suite("refreshd check-config and print-config", .ownThread, .limit)
struct ConfigurationCommandTests {
    private static func withFile(
        _ text: String, _ body: (String) throws -> Void
    ) throws {
        let file = try Refreshd.configuration(text)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    @Test("The commands print their complete help")
    func help() throws {
        let check = try Refreshd.run("check-config", "--help")
        #expect(check.status == 0)
        #expect(
            check.output.hasPrefix(
                """
                OVERVIEW: Validate what the daemon reads at its start, and report every error.

                Opens no listener and connects to no server. The exit status is 0, or if there
                is an error, the status with which the daemon would exit.

                USAGE: refreshd check-config [--
                """))
        let print = try Refreshd.run("print-config", "--help")
        #expect(
            print.output.hasPrefix(
                """
                OVERVIEW: Print the configuration in effect as YAML, without its secrets.

                A comment after each value states its source: flag, environment, file or
                default.
                For a value that may be a secret, *** is printed.

                USAGE: refreshd print-config [--schema] [--show-secrets] [--
                """))
        let all = try Refreshd.run("--help")
        #expect(
            all.output.hasSuffix(
                """
                SUBCOMMANDS:
                  init                    Write a commented configuration file for a kind of
                                          backend.
                  check-config            Validate what the daemon reads at its start, and
                                          report every error.
                  print-config            Print the configuration in effect as YAML, without
                                          its secrets.

                  See 'refreshd help <subcommand>' for detailed help.

                """))
    }

    @Test("A valid file is accepted without output, and no address is bound")
    func inOrder() throws {
        try Self.withFile("listen: 127.0.0.1:1\nfeeds: { a: { backend: demo } }") { file in
            for arguments in [
                ["check-config", "--config", file], ["--config", file, "check-config"],
            ] {
                let ending = try RunningDaemon(arguments).waitForEnd()
                #expect(ending.status == 0)
                #expect(ending.output.isEmpty)
                #expect(ending.errors.isEmpty)
            }
        }
    }

    @Test("The files of a cluster are checked, and no server of it is connected to")
    func cluster() throws {
        let cluster = "name: a, servers: [nats://192.0.2.1]"
        try Self.withFile("cluster: { \(cluster) }") { file in
            let check = try Refreshd.run("check-config", "--config", file)
            #expect(check.status == 0, "\(check.errors)")
            #expect(check.errors.isEmpty)
        }
        try Self.withFile("cluster: { \(cluster), nkey: missing/file }") { file in
            let check = try Refreshd.run("check-config", "--config", file)
            #expect(check.status == 78)
            #expect(
                check.errors.contains(
                    "cluster.nkey: the file: cannot be read: there is no such file"))
        }
    }

    @Test("Every error is reported with the same text and status as when the daemon starts")
    func mistakes() throws {
        try Self.withFile("loops: 0\nlimits: { sessionMax: 5 }") { file in
            let check = try Refreshd.run("check-config", "--config", file)
            let start = try Refreshd.run("--config", file)
            #expect(check.status == 78)
            #expect(check.errors.contains("\(file):1:8: loops: 0 is out of range"))
            #expect(check.errors.contains("\(file):2:11: limits.sessionMax: unknown key"))
            #expect(check.errors == start.errors)
            #expect(check.status == start.status)
        }
        for command in ["check-config", "print-config"] {
            #expect(try Refreshd.run(command, "--config", "/nonexistent.yaml").status == 66)
            #expect(try Refreshd.run(command, "--lisen", "x").status == 64)
            #expect(try Refreshd.run(command, "--listen", "0.0.0.0:1").status == 78)
        }
    }

    @Test("Environment variables are read, and the error for an unknown variable names it")
    func environment() throws {
        let ending = try Refreshd.run(
            "check-config", environment: ["REFRESHD_LOPS": "1", "REFRESHD_DEMO": "true"])
        #expect(ending.status == 78)
        #expect(
            ending.errors
                == "refreshd: REFRESHD_LOPS: names no configuration key; did you mean "
                + "`REFRESHD_LOOPS`?\n"
        )
        try Self.withFile("loops: 2") { file in
            let print = try Refreshd.run("print-config", environment: ["REFRESHD_CONFIG": file])
            #expect(print.output.contains("loops: 2  # file\n"))
        }
    }

    @Test("Secrets are printed only on request")
    func secrets() throws {
        let feed =
            #"feeds: { a: { backend: exec, paging: none, command: [/bin/cat, "--key=hush"] } }"#
        try Self.withFile(feed) { file in
            let masked = try Refreshd.run("print-config", "--config", file)
            #expect(masked.status == 0)
            #expect(!masked.output.contains("hush"))
            let whole = try Refreshd.run("print-config", "--show-secrets", "--config", file)
            #expect(whole.status == 0)
            #expect(whole.output.contains(#"command: [/bin/cat, "--key=hush"]  # file"#))
        }
    }

    @Test("The printed configuration is a valid configuration")
    func printed() throws {
        try Self.withFile("feeds: { a: { backend: demo, size: 3 } }") { file in
            let first = try Refreshd.run("print-config", "--config", file, "--loops", "3")
            #expect(first.status == 0)
            #expect(first.errors.isEmpty)
            #expect(first.output.contains("loops: 3  # flag\n"))
            #expect(first.output.contains("    size: 3  # file\n"))
            try Self.withFile(first.output) { again in
                let second = try Refreshd.run("print-config", "--config", again)
                func values(_ text: String) -> [Substring] {
                    text.split(separator: "\n").filter { !$0.hasPrefix("#") }
                        .compactMap { $0.split(separator: "  #").first }
                }
                #expect(second.status == 0)
                #expect(values(first.output) == values(second.output))
                #expect(!second.output.contains("# default\nlimits"))
            }
        }
    }

    @Test("The printed schema is that of the documentation")
    func schema() throws {
        let ending = try Refreshd.run("print-config", "--schema")
        #expect(ending.status == 0)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appendingPathComponent("docs/configuration.schema.json")
        #expect(try ending.output == String(contentsOf: page, encoding: .utf8))
    }
}
