import Foundation
import RefreshIndicator
import RefreshProtocol
import RefreshSession
import Testing

@testable import RefreshConfiguration

/// `indicators` of a configuration, and the files of the indicators.
@Suite("Configured indicators")
struct ConfiguredIndicatorTests {
    /// Reads the configuration `yaml` from a folder that also contains `files`.
    private static func read(
        _ yaml: String, beside files: [String: Data]
    ) throws -> ConfigurationFile {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "indicators-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, data) in files { try data.write(to: folder.appending(path: name)) }
        return try ConfigurationFile(
            text: yaml, path: folder.appending(path: "refreshd.yaml").path())
    }

    private static func mistakes(_ yaml: String, _ files: [String: Data] = [:]) -> [String] {
        let error = #expect(throws: ConfigurationError.self) { try read(yaml, beside: files) }
        #expect(error?.exitStatus == .configuration)
        return error?.problems.map { problem in
            // The folder has a different name each time.
            var problem = problem
            problem.location?.file = "refreshd.yaml"
            return problem.description
        } ?? []
    }

    @Test("An indicator file contains a programme, or new values for a built-in programme")
    func files() throws {
        let file = try Self.read(
            """
            indicators:
              hello: { file: hello.json }
              own: { file: own.json }
            """,
            beside: [
                "hello.json": Data(#"{"letters": {"text": "HELLO"}}"#.utf8),
                "own.json": Data(#"{"layers": [{"name": "a", "path": "M0 0H1"}]}"#.utf8),
            ])
        #expect(file.indicators.map(\.name) == ["hello", "own"])
        #expect(file.indicators[0].programme.layers.count == 10)
        #expect(try Configuration(file: file).indicators == file.indicators)
        #expect(
            IndicatorCatalogue(file.indicators).programmes.map(\.name)
                == BuiltInIndicator.allCases.map(\.rawValue) + ["hello", "own"])
    }

    @Test("Without configured indicators, only the built-in indicators exist")
    func builtIn() throws {
        #expect(try Configuration().indicators.isEmpty)
        let catalogue = IndicatorCatalogue()
        #expect(catalogue.programmes.map(\.name) == BuiltInIndicator.allCases.map(\.rawValue))
    }

    @Test("Each mistake in an indicator file is reported in one line", arguments: indicatorMistakes)
    func mistake(_ mistake: IndicatorMistake) {
        let lines = Self.mistakes(
            "indicators: { hello: { file: hello.json } }", ["hello.json": Data(mistake.text.utf8)])
        #expect(lines.count == 1)
        let line = lines.first ?? ""
        if mistake.message == "not JSON" {
            // The rest of the line is the message of Foundation's parser.
            #expect(line.hasPrefix("indicator hello: hello.json: not JSON"))
        } else {
            #expect(line == "indicator hello: hello.json: \(mistake.message)")
        }
    }

    @Test("A file that is missing, too large, a folder or not UTF-8 is reported")
    func unreadable() {
        let yaml = "indicators: { hello: { file: hello.json } }"
        #expect(
            Self.mistakes(yaml)
                == ["indicator hello: hello.json: cannot be read: there is no such file"])
        #expect(
            Self.mistakes(yaml, ["hello.json": Data(repeating: 0x20, count: 65_537)])
                == ["indicator hello: hello.json: larger than 65536 bytes"])
        #expect(
            Self.mistakes(yaml, ["hello.json": Data([0x22, 0xFF, 0x22])])
                == ["indicator hello: hello.json: not UTF-8"])
        let folder = Self.mistakes("indicators: { hello: { file: / } }")
        #expect(folder.first?.hasPrefix("indicator hello: /: cannot be read") == true)
    }

    @Test(
        "A mistake in the configuration file itself is reported with line, column and key",
        arguments: [
            ("indicators: []", "1:13: indicators: expected a mapping, found a list"),
            ("indicators: { a: x }", "1:18: indicators.a: expected a mapping, found a string"),
            ("indicators: { a: {} }", "1:15: indicators.a: `file` is missing"),
            (
                "indicators: { a: { fiel: x } }",
                "1:20: indicators.a.fiel: unknown key; did you mean `file`?"
            ),
            (
                "indicators: { a: { file: [] } }",
                "1:26: indicators.a.file: expected a string, found a list"
            ),
            (
                "indicators: { letters: { file: x } }",
                "1:15: indicators.letters: the name is already in use"
            ),
            (
                "indicators: { \"a b\": { file: x } }",
                "1:15: indicators.a b: a name has 1 to 64 letters, digits, `-`, `_` and `.`"
            ),
        ])
    func configurationMistakes(yaml: String, message: String) {
        #expect(Self.mistakes(yaml).first == "refreshd.yaml:\(message)")
    }

    @Test("The mistakes of all files are reported together")
    func allMistakes() {
        let lines = Self.mistakes(
            "indicators:\n  a: { file: a.json }\n  b: { file: b.json }\nloops: 0",
            ["a.json": Data("{}".utf8)])
        #expect(
            lines == [
                "refreshd.yaml:4:8: loops: 0 is out of range; 1 to 256",
                "indicator a: a.json: layers is missing",
                "indicator b: b.json: cannot be read: there is no such file",
            ])
    }
}
