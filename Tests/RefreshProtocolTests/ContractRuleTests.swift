import RefreshProtocol
import Testing
import WireContract

/// Compares the registry of messages with the rules by which the decoder is tested. The two are
/// written independently.
@Suite("The schema of messages and the rules of the decoder")
struct ContractRuleTests {
    private static let check = MessageCheck(SchemaStyle(isClosed: true, limits: Limits()))

    @Test("A message that follows the rules is valid in the schema", arguments: MessageRule.all)
    func samples(_ rule: MessageRule) {
        var random = SeededGenerator("schema samples \(rule.type)", seed: 8)
        for message in [rule.full(&random)] + (0..<30).map({ _ in rule.sample(&random) }) {
            let sensible = message.withSensibleOptions()
            let finding = Self.check.violation(in: sensible, from: .client)
            #expect(finding == nil, "\(sensible.text)")
        }
    }

    @Test("The schema refuses every message that the decoder refuses", arguments: MessageRule.all)
    func wrongValues(_ rule: MessageRule) {
        var random = SeededGenerator("schema wrong values \(rule.type)", seed: 9)
        let full = rule.full(&random).withSensibleOptions()
        for (path, field) in rule.fields.paths {
            for (value, _) in field.kind.wrong {
                let broken = full.replacing(path, with: value)
                if Self.isBeyondSchemas(path, value) { continue }
                let finding = Self.check.violation(in: broken, from: .client)
                #expect(finding != nil, "\(path) \(value.text)")
            }
            if field.isRequired {
                let missing = full.replacing(path, with: nil)
                #expect(
                    Self.check.violation(in: missing, from: .client) != nil,
                    "a message without \(path) is accepted")
            }
        }
    }

    /// Whether the schema cannot express a limit. The maximum of `received` depends on the limit of
    /// views, and an identifier's number is below 2^32.
    private static func isBeyondSchemas(_ path: [String], _ value: JSONValue) -> Bool {
        path.last == "received" && (value.array?.count ?? 0) > 32
            || value == .string("4294967296.1")
    }
}

extension JSONValue {
    /// Makes the options valid for the engine. The engine and the schema refuse negative lengths
    /// and times, but the decoder and its samples do not.
    fileprivate func withSensibleOptions() -> JSONValue {
        editingObjects { members in
            members.map { member in
                guard Self.options.contains(member.name) || member.name == "floor" else {
                    return member
                }
                return Member(member.name, member.value.withPositiveNumbers())
            }
        }
    }

    private static let options = ["top", "bottom", "leading", "trailing", "pan"]

    private func withPositiveNumbers() -> JSONValue {
        switch self {
        case .number(let value): .number(value == 0 ? 1 : value.magnitude)
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.withPositiveNumbers()) })
        default: self
        }
    }
}
