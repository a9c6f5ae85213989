import RefreshProtocol

/// One field of a message or of an object within it.
struct FieldRule: Sendable {
    let name: String
    let kind: FieldKind
    let isRequired: Bool

    init(_ name: String, _ kind: FieldKind, isRequired: Bool = false) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
    }

    static func required(_ name: String, _ kind: FieldKind) -> FieldRule {
        FieldRule(name, kind, isRequired: true)
    }
}

extension [FieldRule] {
    /// Returns an object with the required fields and some of the others.
    func sample(_ random: inout SeededGenerator) -> JSONValue {
        var members: [JSONValue.Member] = []
        for rule in self where rule.isRequired || random.once(in: 2) {
            members.append(JSONValue.Member(rule.name, rule.kind.sample(&random)))
        }
        return .object(members.shuffled(using: &random))
    }

    /// Returns an object with every field.
    func full(_ random: inout SeededGenerator) -> JSONValue {
        .object(
            map { rule in
                switch rule.kind {
                case .object(let rules), .setting(let rules):
                    JSONValue.Member(rule.name, rules.full(&random))
                case .list(let rules):
                    JSONValue.Member(rule.name, .array([rules.full(&random)]))
                default: JSONValue.Member(rule.name, rule.kind.sample(&random))
                }
            })
    }

    /// Every field, and the fields of inner objects, with the path of each. The first element of a
    /// list is `0`.
    var paths: [(path: [String], rule: FieldRule)] {
        flatMap { rule -> [(path: [String], rule: FieldRule)] in
            let own: [(path: [String], rule: FieldRule)] = [([rule.name], rule)]
            switch rule.kind {
            case .object(let rules), .setting(let rules):
                return own + rules.paths.map { ([rule.name] + $0.path, $0.rule) }
            case .list(let rules):
                return own + rules.paths.map { ([rule.name, "0"] + $0.path, $0.rule) }
            default: return own
            }
        }
    }
}
