import Foundation
import FoundationNetworking
import Testing
import Workbench

@Suite("refreshd", .ownThread, .limit)
struct RefreshdTests {
    @Test("The help of the daemon names every flag")
    func help() throws {
        let ending = try Refreshd.run("--help")
        #expect(ending.status == 0)
        for flag in [
            "--listen <address:port>", "--loops <n>", "--config <file>", "--demo",
            "--conformance-echo", "--dpkg-status <file>", "--log-level <level>",
            "--log-format <format>", "--journal <dir>", "--version",
        ] {
            #expect(ending.output.contains(flag), "\(flag) is missing")
        }
        let text = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("A second SIGTERM or SIGINT stops it at once"))
    }

    @Test(
        "An invalid flag is a usage error",
        arguments: [
            (["--lisen", "127.0.0.1:0"], "--lisen"), (["--listen", "here"], "here"),
            (["--loops", "many"], "many"), (["--loops", "0"], "--loops: 0 is out of range"),
            (["--log-level", "loud"], "loud"), (["--listen", "example.org:80"], "example.org"),
            (["surplus"], "surplus"),
        ])
    func wrongFlag(arguments: [String], named: String) throws {
        let ending = try RunningDaemon(arguments).waitForEnd()
        #expect(ending.status == 64)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains(named))
    }

    @Test(
        "Without a configuration, an address that other machines can reach is refused with a reason",
        arguments: ["0.0.0.0:0", "[::]:0"])
    func publicListener(address: String) throws {
        let ending = try Refreshd.run("--listen", address)
        #expect(ending.status == 78)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains("\(address) can be reached from other machines"))
        #expect(ending.errors.contains("--config"))
    }

    @Test(
        "An invalid address is refused with a reason",
        arguments: [
            ("foo:0", "the only accepted name is localhost"), ("127.0.0.1", "has no port"),
            ("::1:0", "write an IPv6 address in brackets"), ("127.0.0.1:99999", "is not a port"),
        ])
    func malformedListener(address: String, reason: String) throws {
        let ending = try Refreshd.run("--listen", address)
        #expect(ending.status == 64)
        #expect(ending.errors.contains(reason))
    }

    @Test("An unknown configuration key is reported with its position")
    func unknownKey() throws {
        let file = try Refreshd.configuration("listen: 127.0.0.1:0\nlimits:\n  sessionMax: 5\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let ending = try Refreshd.run("--config", file.path)
        #expect(ending.status == 78)
        #expect(
            ending.errors == "refreshd: \(file.path):3:3: limits.sessionMax: unknown key; "
                + "did you mean `sessionsMax`?\n")
    }

    @Test("A missing configuration file is named")
    func missingConfiguration() throws {
        let ending = try Refreshd.run("--config", "/nonexistent.yaml")
        #expect(ending.status == 66)
        #expect(
            ending.errors == "refreshd: /nonexistent.yaml: cannot be read: there is no such file; "
                + "use --config to name a file that this user may read\n")
    }

    struct Place: Decodable, Equatable {
        var address: String
        var port: Int
        var url: String
    }

    struct Announcement: Decodable {
        var address: String
        var port: Int
        var url: String
        var listeners: [Place]
    }

    static func announcement(of daemon: RunningDaemon) throws -> Announcement {
        let line = try #require(daemon.firstLine())
        return try JSONDecoder().decode(Announcement.self, from: Data(line.utf8))
    }

    @Test("The first line contains the addresses, and SIGTERM ends the daemon with success")
    func firstLine() throws {
        let daemon = try RunningDaemon(
            ["--listen", "127.0.0.1:0", "--listen", "[::1]:0", "--loops", "3"])
        let announced = try Self.announcement(of: daemon)
        #expect(announced.address == "127.0.0.1")
        #expect(announced.port > 0)
        #expect(announced.url == "http://127.0.0.1:\(announced.port)/")
        #expect(announced.listeners.map(\.address) == ["127.0.0.1", "::1"])
        #expect(announced.listeners.first?.port == announced.port)
        #expect(
            announced.listeners.last?.url == "http://[::1]:\(announced.listeners.last?.port ?? 0)/")
        let digits = String(announced.port, radix: 16, uppercase: true)
        let port = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        // Each event loop has a listening socket for the port, and no other address has one.
        #expect(
            try Self.eventuallyListening("tcp", on: port) {
                $0 == [String](repeating: "0100007F" + port, count: 3)
            })
        daemon.send(SIGTERM)
        let ending = daemon.waitForEnd()
        #expect(ending.status == 0)
        #expect(ending.output.split(separator: "\n").count == 1)
        #expect(ending.errors.contains("notice stopped"))
    }

    /// Waits until the listening addresses of a port are as wanted, for at most a minute (see
    /// `patience`).
    static func eventuallyListening(
        _ table: String, on port: String, _ isWanted: ([String]) -> Bool
    ) throws -> Bool {
        for _ in 0..<6000 * patience {
            if isWanted(try KernelTable.listening(table).filter { $0.hasSuffix(port) }) {
                return true
            }
            usleep(10_000)
        }
        return false
    }

    @Test("SIGINT ends the daemon like SIGTERM, and SIGHUP without a configuration changes nothing")
    func hangup() throws {
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0", "--log-format", "json"])
        _ = try Self.announcement(of: daemon)
        daemon.send(SIGHUP)
        #expect(daemon.logs(#""message":"reloaded"}"#))
        daemon.send(SIGINT)
        let ending = daemon.waitForEnd()
        #expect(ending.status == 0)
        for line in ending.errors.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            #expect((object as? [String: String])?["message"] != nil)
        }
    }

    @Test("Even if its parent ignores SIGCHLD, the daemon notices when its child processes end")
    func childSignal() throws {
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0"], ignoring: "CHLD")
        _ = try Self.announcement(of: daemon)
        #expect(try daemon.ignores(SIGPIPE))
        #expect(try !daemon.ignores(SIGCHLD))
    }

    @Test("The error for an address in use names the address")
    func inUse() throws {
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0"])
        let port = try Self.announcement(of: daemon).port
        let ending = try Refreshd.run("--listen", "127.0.0.1:\(port)")
        #expect(ending.status == 69)
        #expect(ending.output.isEmpty)
        #expect(
            ending.errors.contains(
                "Cannot listen on 127.0.0.1:\(port): the address is in use; end the program that "
                    + "listens there, or choose another port."))
    }

    @Test("The error for an address of another machine names the address and includes advice")
    func foreignAddress() throws {
        // No machine has an address in 192.0.2.0/24 (RFC 5737).
        let file = try Refreshd.configuration(
            "auth: { mode: none }\nlisten: 192.0.2.1:0\nloops: 1\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let ending = try Refreshd.run("--config", file.path)
        #expect(ending.status == 69)
        #expect(
            ending.errors.contains(
                "it is not an address of this machine; choose one that `ip address` shows"))
    }

    @Test("The demo page is served without a configuration file, but not with an empty one")
    func demo() async throws {
        let plain = try RunningDaemon(["--listen", "127.0.0.1:0"])
        let page = try await Self.get("/", port: Self.announcement(of: plain).port)
        #expect(page.0 == 200)
        let policy = page.1.first { $0.key.lowercased() == "content-security-policy" }
        #expect(policy?.value.hasPrefix("default-src 'none'") == true)
        let file = try Refreshd.configuration("listen: 127.0.0.1:0\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let configured = try RunningDaemon(["--config", file.path])
        #expect(try await Self.get("/", port: Self.announcement(of: configured).port).0 == 404)
        let both = try RunningDaemon(["--config", file.path, "--demo"])
        #expect(try await Self.get("/", port: Self.announcement(of: both).port).0 == 200)
    }

    /// Returns the status and the headers by name.
    static func get(_ path: String, port: Int) async throws -> (Int, [String: String]) {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
        return try await withCheckedThrowingContinuation { continuation in
            let task = URLSession.shared.dataTask(with: url) { _, response, error in
                if let error { return continuation.resume(throwing: error) }
                let answer = response as? HTTPURLResponse
                let headers = answer?.allHeaderFields as? [String: String] ?? [:]
                continuation.resume(returning: (answer?.statusCode ?? 0, headers))
            }
            task.resume()
        }
    }
}
