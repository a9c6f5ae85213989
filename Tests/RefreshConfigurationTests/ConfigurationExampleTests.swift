import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshConfiguration

/// A ```yaml block of a file in docs/.
struct ConfigurationExample: Sendable, CustomTestStringConvertible {
    let page: String
    /// The number of the block's first line, from 1.
    let line: Int
    let text: String

    var testDescription: String { "\(page):\(line)" }

    static func examples(of page: String) throws -> [ConfigurationExample] {
        var examples: [ConfigurationExample] = []
        var open: (line: Int, lines: [Substring])?
        let lines = try DocumentationPage.text(of: page).split(
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

    /// The example as complete files. If the example is a fragment, the missing parts are added.
    /// Abbreviated hashes are replaced by hashes of full length.
    var files: [String] {
        var text = text
        for name in ["brand.json", "ca.pem", "chain.pem", "cluster.creds", "key.pem", "keys.json"] {
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

@Suite("Examples of configurations")
struct ConfigurationExampleTests {
    static let examples: [ConfigurationExample] =
        (try? ["backends.md", "configuration.md"].flatMap {
            try ConfigurationExample.examples(of: $0)
        }) ?? []

    @Test("Every example in the documentation is a valid configuration", arguments: examples)
    func example(_ example: ConfigurationExample) throws {
        let folder = try ExampleFolder.make()
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

    @Test("The documentation has examples of every kind of backend and of most sections")
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
                "tokens", "auth", "resume", "cluster",
            ])
        #expect(Self.examples.count == 26)
    }
}
