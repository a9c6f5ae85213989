package import RefreshProtocol

extension JSONValue {
    /// Returns the value with `change` merged in. Objects are merged field by field, and all other
    /// values are replaced.
    package func merged(with change: JSONValue) -> JSONValue {
        guard case .object = self, case .object(let members) = change else { return change }
        var result = self
        for member in members {
            let value = result[member.name]
            result[member.name] = value.map { $0.merged(with: member.value) } ?? member.value
        }
        return result
    }
}

extension JSONValue {
    /// The number without its fraction, clamped to the range of `Int`. Nil if this is not a number.
    package var wholeNumber: Int? {
        guard let number, !number.isNaN else { return nil }
        return Int(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
}
