import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import WireContract

/// Compares this project's schema validator with Python's `jsonschema`. Both validate copies of
/// every example. Each copy is damaged at one place. Both must give the verdicts that are stored in
/// the tree.
/// `scripts/checks --only schema` runs Python's validator.
@Suite("Verdicts of the schema")
struct SchemaVerdictTests {
    /// The values that replace one value of an example. Nil removes that value. The stored verdicts
    /// are in the same sequence.
    private static let replacements: [JSONValue?] = [
        nil, .null, .bool(true), .number(0), .number(0.5), .number(-1), .number(1_000_000_000),
        .string(""), .string("no such word"), .array([]), .object([]), .array([.null]),
        .object([JSONValue.Member("x", .number(1))]),
    ]

    @Test("Each damaged example has the stored verdict, which is also that of Python's validator")
    func verdicts() throws {
        let validator = try SchemaValidator(Contract.schema())
        var kept: [JSONValue.Member] = []
        var refused = 0
        for message in Contract.messages {
            for (index, example) in message.examples.enumerated() {
                let value = try JSONValue(parsing: example)
                var verdicts = ""
                for damaged in Self.damaged(value) {
                    let isValid =
                        validator.mismatch(in: damaged, definition: message.name) == nil
                    verdicts += isValid ? "1" : "0"
                    refused += isValid ? 0 : 1
                }
                kept.append(.init("\(message.name) \(index)", .string(verdicts)))
            }
        }
        #expect(refused > 2000)
        try ContractFiles.hold(
            "Tests/WireContractTests/Fixtures/verdicts.json", to: JSONValue.object(kept).lines)
    }

    /// Returns damaged copies of the value. In each copy, one of the replacements is at one place.
    /// All replacements are used at every place. An outer place precedes the places inside it.
    private static func damaged(_ value: JSONValue) -> [JSONValue] {
        switch value {
        case .object(let members):
            members.indices.flatMap { index in
                places(members[index].value) { replacement in
                    var members = members
                    if let replacement {
                        members[index].value = replacement
                    } else {
                        members.remove(at: index)
                    }
                    return .object(members)
                }
            }
        case .array(let values):
            values.indices.flatMap { index in
                places(values[index]) { replacement in
                    var values = values
                    if let replacement {
                        values[index] = replacement
                    } else {
                        values.remove(at: index)
                    }
                    return .array(values)
                }
            }
        default: []
        }
    }

    private static func places(
        _ value: JSONValue, _ placed: (JSONValue?) -> JSONValue
    ) -> [JSONValue] {
        replacements.map(placed) + damaged(value).map { placed($0) }
    }

    // MARK: Schemas that are not understood

    @Test(
        "A schema with a part that the validator does not support is refused",
        arguments: [
            #"{"multipleOf":2}"#, #"{"properties":{"a":{"format":"date"}}}"#,
            ##"{"anyOf":[{"$ref":"#/$defs/none"}]}"##, #"{"$ref":"other.json"}"#,
            ##"{"pattern":"["}"##,
            #"{"items":{"if":{}}}"#, #"{"$defs":{"a":{"contains":{}}}}"#, "1",
        ])
    func unusable(_ schema: String) throws {
        let value = try JSONValue(parsing: schema)
        #expect(throws: SchemaValidator.Unusable.self) { try SchemaValidator(value) }
    }

    @Test("The validator judges the indicator fixtures by their schema as Python's validator does")
    func indicators() throws {
        let schema = try JSONValue(parsing: ContractFiles.text("docs/indicator.schema.json"))
        let validator = try SchemaValidator(schema)
        let fixtures = "Tests/RefreshIndicatorTests/Fixtures/indicators/"
        for (file, isValid) in [("valid.json", true), ("invalid.json", false)] {
            let cases = try #require(
                try JSONValue(parsing: ContractFiles.text(fixtures + file)).array)
            #expect(cases.count > 10)
            for entry in cases {
                let value = try #require(entry["indicator"])
                #expect(
                    (validator.mismatch(in: value) == nil) == isValid,
                    "\(entry["name"]?.string ?? "")")
            }
        }
    }
}
