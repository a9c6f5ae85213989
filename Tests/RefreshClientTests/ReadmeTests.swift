import Foundation
import RefreshClientDialer
import Testing

/// The page of the client, Sources/RefreshClient/README.md.
struct ReadmeTests {
    private static func text(_ path: String) throws -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: tests.appending(path: path), encoding: .utf8)
    }

    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("Each sample of the page, but for the recipes, is one that compiles")
    func samples() throws {
        let page = try Self.text("../../Sources/RefreshClient/README.md")
        let compiled = Self.lines(try Self.text("ReadmeSamples.swift"))
        let end = try #require(page.range(of: "## UIKit")).lowerBound
        let samples = page[..<end].components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
            .filter { !$0.contains(".package(") }
        #expect(samples.count == 6)
        for sample in samples {
            let lines = Self.lines(sample)
            let imports = lines.filter { $0.hasPrefix("import ") }
            #expect(imports.allSatisfy(compiled.contains))
            let rest = lines.filter { !$0.hasPrefix("import ") }
            let start = try #require(compiled.firstIndex(of: rest[0]), "\(rest[0])")
            #expect(Array(compiled[start...].prefix(rest.count)) == rest)
        }
    }

    @Test(
        "A failed connection names what to check",
        arguments: [
            (
                "ws://127.0.0.1:1/v1/session",
                ["ws://127.0.0.1:1/v1/session", "at this host and port?"]
            ),
            ("wss://127.0.0.1:1/v1/session", ["wss://127.0.0.1:1/v1/session", "begins with ws."]),
            (
                "ws://name.invalid/v1/session",
                ["ws://name.invalid/v1/session", "cannot be reached"]
            ),
            ("ws://127.0.0.1:port/v1/session", ["is not a valid ws or wss URL"]),
        ])
    func failures(_ url: String, _ parts: [String]) async throws {
        let transport = try DialerTransport()
        let failure = await #expect(throws: ConnectionFailure.self) {
            _ = try await transport.connect(to: url, subprotocol: "refresh.v1")
        }
        let text = failure?.description ?? ""
        for part in parts { #expect(text.contains(part), "\(text)") }
    }
}
