import RefreshProtocol

/// Numbers that JSON cannot represent: NaN and the infinities.
extension JSONValue {
    /// The path of the first such number, for example `geometry.content.height`; nil if there is
    /// none.
    var nonFiniteField: String? {
        switch self {
        case .number(let number): number.isFinite ? nil : ""
        case .array(let values): values.lazy.compactMap(\.nonFiniteField).first
        case .object(let members):
            members.lazy.compactMap { member in
                member.value.nonFiniteField.map { path in
                    path.isEmpty ? member.name : "\(member.name).\(path)"
                }
            }.first
        case .null, .bool, .string: nil
        }
    }

    /// This value with 0 in the place of such numbers.
    var finite: JSONValue {
        switch self {
        case .number(let number) where !number.isFinite: .number(0)
        case .array(let values): .array(values.map(\.finite))
        case .object(let members): .object(members.map { .init($0.name, $0.value.finite) })
        default: self
        }
    }
}
