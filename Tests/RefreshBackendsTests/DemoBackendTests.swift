import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("The demo backend")
struct DemoBackendTests {
    private let bundled = Array(#"[{"name":"bundled"},{"name":"two"}]"#.utf8)

    private func request(
        _ kind: LoadKind, _ page: Int = 1, size: Int = 2, cursor: String? = nil
    ) -> LoadRequest {
        LoadRequest(
            feed: "packages", kind: kind, page: page, offset: 0, size: size, cursor: cursor)
    }

    private func names(_ page: Page) throws -> [String] {
        let value = try JSONSerialization.jsonObject(with: Data(page.items))
        return try #require(value as? [[String: Any]]).map { $0["name"] as? String ?? "?" }
    }

    private func status(_ names: [String]) -> String {
        names.map { "Package: \($0)\nStatus: install ok installed\nVersion: 1\n" }
            .joined(separator: "\n")
    }

    @Test("Fields of installed packages are read, even from irregular paragraphs of a status file")
    func parsing() {
        let text = """
            Package: zlib1g
            Status: install ok installed
            Installed-Size: 168
            Section: libs
            Version: 1:1.2.13
            Description: compression library - runtime
             zlib is a library
             .
             Version: 9.9 in a continuation line
            Homepage: http://x

            Package: gone
            Status: deinstall ok config-files
            Version: 1

            package:\tadduser\u{20}
            STATUS: install  ok installed
            Description: add and "remove" users
            Installed-Size: many
            no colon here

            Status: install ok installed
            Version: nameless

            Package: half
            Status: install ok half-configured
            \t
            Package: last
            Version: 2
            Status: install ok installed
            """
        let packages = DpkgStatus.installedPackages(in: Array(text.utf8))
        #expect(
            packages == [
                DebianPackage(name: "adduser", description: "add and \"remove\" users"),
                DebianPackage(name: "last", version: "2"),
                DebianPackage(
                    name: "zlib1g", version: "1:1.2.13",
                    description: "compression library - runtime", section: "libs", installedKiB: 168
                ),
            ])
        var json = ByteBuffer()
        packages[0].append(to: &json)
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"name":"adduser","version":"","description":"add and \"remove\" users","#
                + #""section":"","installedKiB":null}"#)
    }

    @Test("Invalid UTF-8 becomes U+FFFD, and CRLF line ends are accepted")
    func hostileBytes() {
        var bytes = Array("Package: a\r\nStatus: install ok installed\r\nDescription: x".utf8)
        bytes += [0xFF, 0xC3, 0x28, 0x00] + Array("y\r\n\r\n".utf8)
        let packages = DpkgStatus.installedPackages(in: bytes)
        #expect(packages.map(\.name) == ["a"])
        #expect(packages.map(\.description) == ["x\u{fffd}\u{fffd}(\u{0}y"])
    }

    @Test("50,000 mutated status files cause no trap, and their packages are valid JSON")
    func mutated() async throws {
        var generator = SeededGenerator(seed: 5)
        let original = Array(status(["a", "b"]).utf8)
        for number in 0..<50_000 {
            if number % 500 == 0 { await Task.yield() }
            var bytes = original
            for _ in 0..<4 {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] =
                    [0x0A, 0x3A, 0x20, 0x22, 0xFF, 0x00, 0x0D].randomElement(using: &generator) ?? 0
            }
            var json = ByteBuffer()
            json.append(UInt8(ascii: "["))
            for package in DpkgStatus.installedPackages(in: bytes) {
                if json.count > 1 { json.append(UInt8(ascii: ",")) }
                package.append(to: &json)
            }
            json.append(UInt8(ascii: "]"))
            _ = try PageReader.read(json.bytes)
        }
    }

    @Test("Packages are sorted, and each page has `total` and `more`")
    func paging() async throws {
        let file = try TemporaryFile("status", status(["c", "a", "b"]))
        let backend = try DemoBackend(statusFile: file.path, fallback: bundled)
        let first = try await backend.load(request(.refresh))
        #expect(try names(first) == ["a", "b"])
        #expect((first.count, first.more, first.total) == (2, true, 3))
        let second = try await backend.load(request(.more, 2))
        #expect(try names(second) == ["c"])
        #expect((second.more, second.total) == (false, 3))
    }

    @Test("A refresh reads the file again, and a `more` continues the list of the last refresh")
    func snapshots() async throws {
        let file = try TemporaryFile("status", status(["b", "c", "d"]))
        let backend = try DemoBackend(statusFile: file.path, fallback: bundled)
        #expect(try names(try await backend.load(request(.refresh))) == ["b", "c"])
        try file.write(status(["a", "b", "c", "d"]))
        #expect(try names(try await backend.load(request(.more, 2))) == ["d"])
        #expect(try names(try await backend.load(request(.refresh))) == ["a", "b"])
        #expect(try names(try await backend.load(request(.more, 2))) == ["c", "d"])
    }

    @Test("With cursors, another client's refresh does not change the next page")
    func cursors() async throws {
        let file = try TemporaryFile("status", status(["b", "c", "d"]))
        let backend = try DemoBackend(statusFile: file.path, fallback: bundled, paging: .cursor)
        let mine = try await backend.load(request(.refresh))
        #expect(mine.cursor != nil)
        try file.write(status(["a", "b", "c", "d"]))
        _ = try await backend.load(request(.refresh))
        let next = try await backend.load(request(.more, cursor: mine.cursor))
        #expect(try names(next) == ["d"])
        #expect(next.cursor == nil)
        await #expect(throws: LoadFailure.self) {
            try await backend.load(request(.more, cursor: "x"))
        }
        // The backend keeps only the latest lists that it has read. After some more refreshes, the
        // first list is dropped, and the cursor leads to the same position in the newest list.
        for count in 5...9 {
            try file.write(status((0..<count).map { "p\($0)" }))
            _ = try await backend.load(request(.refresh))
        }
        let late = try await backend.load(request(.more, cursor: mine.cursor))
        #expect(try names(late) == ["p2", "p3"])
    }

    @Test("A `more` without a preceding refresh reads the file")
    func moreFirst() async throws {
        let file = try TemporaryFile("status", status(["a", "b", "c"]))
        let backend = try DemoBackend(statusFile: file.path, fallback: bundled)
        #expect(try names(try await backend.load(request(.more, 2))) == ["c"])
    }

    @Test("The bundled list is served until a status file exists")
    func fallback() async throws {
        let file = try TemporaryFile("status")
        let backend = try DemoBackend(statusFile: file.path, fallback: bundled)
        let page = try await backend.load(request(.refresh))
        #expect(try names(page) == ["bundled", "two"])
        #expect((page.more, page.total) == (false, 2))
        try file.write(status(["a"]))
        #expect(try names(try await backend.load(request(.refresh))) == ["a"])
    }

    @Test("A bundled list that is not a JSON array is refused")
    func wrongFallback() {
        #expect(throws: BackendConfigurationError.self) {
            try DemoBackend(statusFile: "x", fallback: Array("[1".utf8))
        }
    }

    @Test(
        "The backend lists the same packages of this machine as dpkg-query",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-query")))
    func thisMachine() async throws {
        let query = Process()
        query.executableURL = URL(filePath: "/usr/bin/dpkg-query")
        query.arguments = ["-W", "-f", "${Status}|${Package}|${Version}|${Installed-Size}\\n"]
        query.environment = ["LC_ALL": "C.UTF-8"]
        let pipe = Foundation.Pipe()
        query.standardOutput = pipe
        try query.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        query.waitForStatus()
        let prefix = "install ok installed|"
        let expected = String(decoding: output, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        let backend = try DemoBackend(statusFile: "/var/lib/dpkg/status", fallback: bundled)
        let page = try await backend.load(request(.refresh, size: 100_000))
        let value = try JSONSerialization.jsonObject(with: Data(page.items))
        let listed = try #require(value as? [[String: Any]]).map { item in
            let size = (item["installedKiB"] as? Int).map(String.init) ?? ""
            return "\(item["name"] ?? "")|\(item["version"] ?? "")|\(size)"
        }
        #expect(listed.sorted() == expected.sorted())
        #expect(!listed.isEmpty)
    }
}
