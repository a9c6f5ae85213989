import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

/// One ```yaml block of a page of docs/.
struct ConfigurationExample: Sendable, CustomTestStringConvertible {
    let page: String
    /// Of the block's first line, from 1.
    let line: Int
    let text: String

    var testDescription: String { "\(page):\(line)" }

    static func examples(of page: String) throws -> [ConfigurationExample] {
        var examples: [ConfigurationExample] = []
        var open: (line: Int, lines: [Substring])?
        let lines = try ServerDocumentationTests.page(page).split(
            separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line == "```yaml" {
                open = (index + 2, [])
            } else if line == "```", let block = open {
                examples.append(
                    ConfigurationExample(
                        page: page, line: block.line, text: block.lines.joined(separator: "\n")))
                open = nil
            } else {
                open?.lines.append(line)
            }
        }
        return examples
    }

    /// Whole files: a fragment gets what it needs around it, and hashes that the page cuts short
    /// are put in.
    var files: [String] {
        var text = text
        for name in ["brand.json", "chain.pem", "key.pem", "keys.json"] {
            text = text.replacing("/etc/refreshd/\(name)", with: name)
        }
        for (index, short) in ["5e88…42d8", "…"].enumerated() {
            let hash = String(repeating: "\(index + 1)", count: 64)
            text = text.replacing("\"\(short)\"", with: "\"\(hash)\"")
        }
        if text.hasPrefix("parameters:") {
            return text.split(separator: "\n").map {
                "feeds:\n  a:\n    backend: worker\n    paging: none\n    \($0)"
            }
        }
        if text.contains("feeds: [songs]"), !text.contains("\nfeeds:") {
            text += "\nfeeds: { songs: { backend: worker, paging: none } }"
        }
        return [text]
    }
}

@Suite("Examples of the configuration")
struct ConfigurationExampleTests {
    static let examples: [ConfigurationExample] =
        (try? ["backends.md", "configuration.md"].flatMap {
            try ConfigurationExample.examples(of: $0)
        }) ?? []

    /// The public key of RFC 7515, A.3.
    private static let publicKeys =
        #"{"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
        + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}"#

    /// A folder with the files that examples name.
    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["hello.json", "brand.json"] {
            try Data(#"{"letters":{"text":"HELLO"}}"#.utf8)
                .write(to: folder.appendingPathComponent(name))
        }
        try Data(Self.publicKeys.utf8).write(to: folder.appendingPathComponent("keys.json"))
        let pair = try pair.get()
        try Data(pair.certificate).write(to: folder.appendingPathComponent("chain.pem"))
        try Data(pair.key).write(to: folder.appendingPathComponent("key.pem"))
        return folder
    }

    /// Made once: examples are read at the same time.
    private static let pair = Result {
        let pair = try CertificateFolder().make("own")
        return (certificate: try pair.certificateBytes, key: try pair.keyBytes)
    }

    @Test("every example of the documentation is understood", arguments: examples)
    func example(_ example: ConfigurationExample) throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for text in example.files {
            do throws(ConfigurationError) {
                let file = try ConfigurationFile(text: text, path: folder.path + "/refreshd.yaml")
                _ = try Configuration(file: file)
                #expect(
                    file != (try ConfigurationFile(text: "", path: folder.path + "/refreshd.yaml")))
            } catch {
                Issue.record("\(error)\n\(text)")
            }
        }
    }

    @Test("every kind of backend, and every section of a file, has an example")
    func coverage() throws {
        var kinds: Set<BackendKind> = []
        var sections: Set<String> = []
        for text in Self.examples.flatMap(\.files)
        where !text.contains(".json") && !text.contains("indicators:") && !text.contains("tls:") {
            let file = try ConfigurationFile(text: text, path: "refreshd.yaml")
            kinds.formUnion(file.feeds.map(\.backend.kind))
            for line in text.split(separator: "\n") where line.first?.isLetter == true {
                sections.insert(String(line.prefix { $0 != ":" }))
            }
        }
        #expect(kinds == Set(BackendKind.allCases))
        #expect(
            sections == [
                "listen", "loops", "demo", "origins", "limits", "log", "feeds", "backends",
                "tokens", "auth", "resume",
            ])
        #expect(Self.examples.count == 21)
    }
}
