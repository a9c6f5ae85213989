import Foundation
import RefreshProtocol
import Testing

@testable import RefreshIndicator

/// Tests that docs/indicator.schema.json agrees with the reader, which is the code that reads
/// indicator files (`Programme(file:)`). `REGENERATE_DOCS=1 swift test --filter
/// IndicatorSchemaTests` writes the built-in programmes with which the schema is checked.
@Suite("Indicator schema")
struct IndicatorSchemaTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let fixtures = root.appending(
        path: "Tests/RefreshIndicatorTests/Fixtures/indicators")

    private let definitions: JSONValue

    init() throws {
        let file = Self.root.appending(path: "docs/indicator.schema.json")
        let schema = try JSONValue(parsing: String(contentsOf: file, encoding: .utf8))
        definitions = try #require(schema["$defs"])
    }

    private func definition(_ name: String) throws -> JSONValue {
        try #require(definitions[name], "no definition of \(name)")
    }

    private func members(of name: String) throws -> [String] {
        guard case .object(let members) = try definition(name)["properties"] else { return [] }
        return members.map(\.name)
    }

    private func words(of value: JSONValue?) -> [String] {
        value?["enum"]?.array?.compactMap(\.string) ?? []
    }

    // MARK: Members

    /// Each object of the schema, and a text in which it has an unknown member.
    static let objects: [(definition: String, text: String)] = [
        ("programme", #"{"zzz": 1, "layers": []}"#),
        ("pathLayer", #"{"layers": [{"path": "", "zzz": 1}]}"#),
        ("textLayer", #"{"layers": [{"text": "", "zzz": 1}]}"#),
        ("imageLayer", #"{"layers": [{"image": "", "zzz": 1}]}"#),
        ("boxLayer", #"{"layers": [{"box": {}, "zzz": 1}]}"#),
        ("box", #"{"layers": [{"name": "a", "box": {"zzz": 1}}]}"#),
        ("pull", within(#""pull": {"zzz": 1}"#)), ("run", within(#""run": {"zzz": 1}"#)),
        ("finish", within(#""finish": {"zzz": 1}"#)),
        ("clip", within(#""finish": {"success": {"zzz": 1}}"#)),
        ("layerTracks", within(#""pull": {"tracks": {"a": {"zzz": 1}}}"#)),
        ("easingFamily", within(#""pull": {"tracks": {"a": {"x": [[0, 0, {"zzz": 1}]]}}}"#)),
        ("look", within(#""states": {"idle": {"zzz": 1}}"#)),
        ("values", within(#""states": {"idle": {"set": {"a": {"zzz": 1}}}}"#)),
        ("transition", within(#""states": {"idle": {"enter": [{"zzz": 1}]}}"#)),
        ("edge", within(#""edge": {"zzz": 1}"#)),
        ("spinner", #"{"spinner": {"zzz": 1}}"#), ("indicator", #"{"indicator": {"zzz": 1}}"#),
        ("path", #"{"path": {"zzz": 1}}"#), ("letters", #"{"letters": {"zzz": 1}}"#),
        ("compass", #"{"compass": {"zzz": 1}}"#),
        ("pathPart", #"{"path": {"parts": [{"zzz": 1}]}}"#),
        ("compassHalf", #"{"compass": {"needle": {"zzz": 1}}}"#),
    ]

    private static func within(_ member: String) -> String {
        #"{"layers": [{"name": "a", "path": ""}], \#(member)}"#
    }

    @Test("The members of each object in the schema are those of the reader", arguments: objects)
    func members(definition: String, text: String) throws {
        let error = #expect(throws: ProgrammeError.self) { try Programme(text: text) }
        let unknown = try #require(error?.unknown, "\(error?.description ?? "")")
        #expect(unknown.word == "zzz")
        #expect(try Set(members(of: definition)) == Set(unknown.known))
        #expect(try self.definition(definition)["additionalProperties"] == .bool(false))
    }

    @Test("The test of the members covers every object of the schema")
    func allObjects() throws {
        guard case .object(let all) = definitions else { return }
        let objects = all.filter { $0.value["properties"] != nil }.map(\.name)
        #expect(Set(objects) == Set(Self.objects.map(\.definition)))
    }

    // MARK: Words

    @Test("For each value that is a word, the schema allows the same words as the reader")
    func words() throws {
        func expect(_ value: JSONValue?, _ known: [String]) {
            #expect(words(of: value) == known)
        }
        let programme = try definition("programme")["properties"]
        expect(programme?["place"], Programme.Place.allCases.map(\.rawValue))
        expect(
            try definition("finish")["properties"]?["ending"],
            Programme.Ending.allCases.map(\.rawValue))
        expect(
            try definition("pathLayer")["properties"]?["cap"],
            Layer.LineCap.allCases.map(\.rawValue))
        expect(try definition("state"), EdgeState.allCases.map(\.rawValue))
        expect(try definition("property"), LayerProperty.allCases.map(\.rawValue))
        expect(try definition("jump"), Easing.Jump.allCases.map(\.rawValue))
        expect(try definition("easing")["oneOf"]?.array?.first, Easing.named.map(\.name))
        expect(
            try definition("path")["properties"]?["drawBy"],
            PathIndicator.DrawBy.allCases.map(\.rawValue))
        expect(try definition("loading"), PathIndicator.Loading.allCases.map(\.rawValue))
    }

    // MARK: Bounds

    @Test("The bounds in the schema are those of the reader")
    func bounds() throws {
        func expect(
            _ value: JSONValue?, _ bound: String, _ number: Double,
            _ place: SourceLocation = #_sourceLocation
        ) {
            #expect(value?[bound]?.number == number, sourceLocation: place)
        }
        let programme = try definition("programme")["properties"]
        expect(programme?["layers"], "maxItems", Double(ProgrammeLimits.layers))
        expect(programme?["strings"], "maxProperties", Double(ProgrammeLimits.strings))
        expect(programme?["rate"], "minimum", Double(FrameSettings.rates.lowerBound))
        expect(programme?["rate"], "maximum", Double(FrameSettings.rates.upperBound))
        for keys in ["lengthKeys", "partKeys", "colorKeys"] {
            expect(try definition(keys), "maxItems", Double(ProgrammeLimits.keys))
        }
        expect(try definition("text"), "maxLength", Double(ProgrammeLimits.textBytes))
        expect(try definition("svgPath"), "maxLength", Double(ProgrammeLimits.pathBytes))
        for value in ["length", "positive"] {
            expect(try definition(value), "maximum", ProgrammeLimits.lengthMax)
        }
        expect(try definition("length"), "minimum", -ProgrammeLimits.lengthMax)
        for value in ["time", "position"] {
            expect(try definition(value), "maximum", ProgrammeLimits.timeMax)
        }
        let spinner = try definition("spinner")["properties"]
        expect(spinner?["size"], "maximum", IndicatorBounds.size)
        expect(spinner?["ticks"], "minimum", Double(IndicatorBounds.ticks.lowerBound))
        expect(spinner?["ticks"], "maximum", Double(IndicatorBounds.ticks.upperBound))
        expect(spinner?["overPull"], "maximum", IndicatorBounds.scale)
        let path = try definition("path")["properties"]
        for period in [spinner?["period"], path?["period"]] {
            expect(period, "minimum", IndicatorBounds.period.lowerBound)
            expect(period, "maximum", IndicatorBounds.period.upperBound)
        }
        expect(path?["parts"], "maxItems", Double(IndicatorBounds.parts.upperBound))
        expect(path?["smoothing"], "maximum", Double(IndicatorBounds.smoothing.upperBound))
        for colors in [
            try definition("letters")["properties"]?["colors"],
            try definition("compass")["properties"]?["colors"],
        ] {
            expect(colors, "maxItems", Double(IndicatorBounds.colors.upperBound))
        }
        let half = try definition("compassHalf")["properties"]?["width"]
        expect(half, "minimum", IndicatorBounds.width.lowerBound)
        expect(half, "maximum", IndicatorBounds.width.upperBound)
    }

    @Test("The schema has the defaults of the indicators", arguments: BuiltInIndicator.allCases)
    func defaults(_ indicator: BuiltInIndicator) throws {
        guard case .object(let members) = try definition(indicator.rawValue)["properties"] else {
            return
        }
        let options = members.compactMap { member in
            member.value["default"].map { JSONValue.Member(member.name, $0) }
        }
        let said = JSONValue.object([JSONValue.Member(indicator.rawValue, .object(options))])
        #expect(!options.isEmpty)
        #expect(try Programme(file: said) == indicator.programme)
    }

    // MARK: The cases that the schema itself is checked with

    private static func cases(_ file: String) throws -> [(name: String, json: JSONValue)] {
        let text = try String(contentsOf: fixtures.appending(path: file), encoding: .utf8)
        return try #require(try JSONValue(parsing: text).array).map { entry in
            (try #require(entry["name"]?.string), try #require(entry["indicator"]))
        }
    }

    @Test("The reader accepts the cases that the schema must accept")
    func valid() throws {
        let cases = try Self.cases("valid.json")
        #expect(cases.count > 10)
        for (name, json) in cases {
            #expect(throws: Never.self, "\(name)") {
                let programme = try Programme(file: json)
                #expect(try Programme(json: programme.json).json == programme.json)
            }
        }
    }

    @Test("The reader refuses the cases that the schema must refuse")
    func invalid() throws {
        let cases = try Self.cases("invalid.json")
        #expect(cases.count > 50)
        for (name, json) in cases {
            #expect(throws: ProgrammeError.self, "\(name)") { try Programme(file: json) }
        }
    }

    @Test("The reader accepts the examples of docs/indicators.md")
    func examples() throws {
        let page = Self.root.appending(path: "docs/indicators.md")
        let blocks = try String(contentsOf: page, encoding: .utf8)
            .components(separatedBy: "```json\n").dropFirst()
        #expect(!blocks.isEmpty)
        for block in blocks {
            let text = try #require(block.components(separatedBy: "\n```").first)
            #expect(throws: Never.self, "\(text)") { try Programme(text: text) }
        }
    }

    @Test("The file built-in.json contains the current programmes of the built-in indicators")
    func builtIn() throws {
        let file = Self.fixtures.appending(path: "built-in.json")
        let lines = BuiltInIndicator.allCases.map {
            "\"\($0.rawValue)\": \($0.programme.json.text)"
        }
        let text = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
        if ProcessInfo.processInfo.environment["REGENERATE_DOCS"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }
    }
}
