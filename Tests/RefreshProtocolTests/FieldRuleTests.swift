import RefreshProtocol
import Testing

/// Every field of every message, damaged in every way that suits its kind.
@Suite struct FieldRuleTests {
    @Test("Every message type has a `MessageRule`")
    func catalogueIsComplete() {
        #expect(MessageRule.all.map(\.type) == MessageType.allCases)
    }

    @Test("A message with all its fields decodes", arguments: MessageRule.all)
    func full(_ rule: MessageRule) {
        var random = SeededGenerator("full \(rule.type)", seed: 1)
        let outcomes = decode(rule.full(&random))
        #expect(outcomes.count == 1 && outcomes[0].message != nil, "\(outcomes)")
    }

    @Test("The fault for a wrong type or value names the field", arguments: MessageRule.all)
    func wrongValues(_ rule: MessageRule) {
        var random = SeededGenerator("wrong values \(rule.type)", seed: 2)
        let full = rule.full(&random)
        for (path, field) in rule.fields.paths {
            for (value, code) in field.kind.wrong {
                let broken = full.replacing(path, with: value)
                expectFault(code, at: path, in: broken)
            }
        }
    }

    @Test("A value at the bound of its field is accepted", arguments: MessageRule.all)
    func bounds(_ rule: MessageRule) {
        var random = SeededGenerator("bounds \(rule.type)", seed: 3)
        let full = rule.full(&random)
        for (path, field) in rule.fields.paths {
            for value in field.kind.edges {
                let outcomes = decode(full.replacing(path, with: value))
                #expect(outcomes.first?.message != nil, "\(path) \(value): \(outcomes)")
            }
        }
    }

    /// Whether the field belongs to an object within a geometry. In such an object, `null` sets the
    /// default, and a missing field keeps its value.
    private static func isMerged(_ path: [String]) -> Bool {
        !path.dropLast().allSatisfy {
            !["viewport", "content", "insets", "safeArea", "bars"].contains($0)
        }
    }

    @Test("A missing or null field is a fault if it is required", arguments: MessageRule.all)
    func missingValues(_ rule: MessageRule) {
        var random = SeededGenerator("missing values \(rule.type)", seed: 4)
        let full = rule.full(&random)
        for (path, field) in rule.fields.paths {
            let missing = full.replacing(path, with: nil)
            let null = full.replacing(path, with: .null)
            guard !field.isRequired else {
                expectFault(.missingField, at: path, in: missing)
                expectFault(.missingField, at: path, in: null)
                continue
            }
            let outcomes = decode(missing)
            #expect(outcomes.first?.message != nil, "\(path): \(outcomes)")
            if field.saysSomethingByNull || Self.isMerged(path) {
                #expect(decode(null).first?.message != nil && decode(null) != outcomes, "\(path)")
            } else {
                #expect(decode(null) == outcomes, "\(path)")
            }
        }
    }

    @Test(
        "A known field that occurs twice is a fault, even if its name has escapes",
        arguments: MessageRule.all)
    func duplicates(_ rule: MessageRule) {
        var random = SeededGenerator("duplicates \(rule.type)", seed: 5)
        let full = rule.full(&random)
        for path in rule.fields.paths.map(\.path) + [["type"]] {
            let parent = Array(path.dropLast())
            let broken = full.editing(parent) { object in
                guard case .object(let members) = object, let name = path.last else { return nil }
                return .object(members + [JSONValue.Member(name, object[name] ?? .null)])
            }
            let container = parent.last { $0 != "0" }
            for wire in [broken.text, broken.escapedText] {
                let fault = decode(wire).first?.fault
                #expect(fault?.code == .duplicateField, "\(path)")
                #expect(fault?.fieldName == container, "\(path)")
            }
        }
    }

    @Test("Escaped names and values decode like plain ones", arguments: MessageRule.all)
    func escapes(_ rule: MessageRule) {
        var random = SeededGenerator("escapes \(rule.type)", seed: 6)
        for _ in 0..<20 {
            let sample = rule.sample(&random)
            #expect(
                decode(sample.escapedText).map(\.withPlainOperation) == decode(sample),
                "\(sample.text)")
        }
    }

    @Test("Unknown fields have no effect at any position", arguments: MessageRule.all)
    func unknownFields(_ rule: MessageRule) {
        var random = SeededGenerator("unknown fields \(rule.type)", seed: 7)
        let unknown = [
            JSONValue.Member("x", .null), JSONValue.Member("", .array([.object([]), .number(1)])),
            JSONValue.Member("Type", .string("bye")), JSONValue.Member("seq ", .bool(true)),
            JSONValue.Member("aNameOfMoreThanSixteenBytes", .string("\u{1F600}")),
            JSONValue.Member("x", .number(-2.5e-7)),
        ]
        let full = rule.full(&random)
        let plain = decode(full)
        for path in [[]] + rule.fields.paths.filter(\.rule.isObject).map(\.path) {
            let added = full.editing(path) { object in
                guard case .object(let members) = object else { return object }
                return .object(unknown + members + unknown)
            }
            #expect(decode(added) == plain, "\(path)")
        }
    }

    @Test("The order of fields does not matter", arguments: MessageRule.all)
    func order(_ rule: MessageRule) {
        var random = SeededGenerator("order \(rule.type)", seed: 8)
        let full = rule.full(&random)
        let plain = decode(full)
        for _ in 0..<10 {
            let shuffled = full.editingObjects { $0.shuffled(using: &random) }
            let withParametersInPlace = shuffled.editingParameters(like: full)
            #expect(decode(withParametersInPlace) == plain)
        }
    }

    /// Expects one fault. It must contain this code, the last field of `path`, and the `seq` and
    /// `view` of the message.
    private func expectFault(_ code: FaultCode, at path: [String], in message: JSONValue) {
        let outcomes = decode(message)
        let fault = outcomes.first?.fault
        #expect(outcomes.count == 1 && fault?.code == code, "\(message.text): \(outcomes)")
        #expect(fault?.fieldName == path.last, "\(message.text): \(outcomes)")
        if path != ["seq"], let seq = message["seq"]?.number {
            #expect(fault?.seq == UInt64(seq), "\(message.text)")
        }
        if path != ["view"], let view = message["view"]?.string {
            #expect(fault?.view?.description == view, "\(message.text)")
        }
    }
}

extension FieldRule {
    fileprivate var saysSomethingByNull: Bool {
        switch kind {
        case .setting, .nullable: true
        default: name == "bars"
        }
    }

    fileprivate var isObject: Bool {
        switch kind {
        case .object, .setting: true
        default: false
        }
    }
}

extension JSONValue {
    /// The value with its parameters in the order of `other`. The decoder keeps the order of
    /// parameters.
    fileprivate func editingParameters(like other: JSONValue) -> JSONValue {
        [["headers"], ["parameters"], ["views", "0", "parameters"]].reduce(self) { value, path in
            var theirs: JSONValue?
            _ = other.editing(path) { found in
                theirs = found
                return found
            }
            guard let theirs else { return value }
            return value.replacing(path, with: theirs)
        }
    }
}
