import RefreshProtocol

/// Input of the app that the daemon cannot read: numbers that JSON cannot represent (NaN and the
/// infinities), and texts that are too long.
extension JSONValue {
    /// The path of the first number that is not finite, for example `geometry.content.height`; nil
    /// if there is none.
    var nonFiniteField: String? {
        path { value in
            guard case .number(let number) = value else { return false }
            return !number.isFinite
        }
    }

    /// The path of the first string that has more than `most` bytes as encoded in a frame; nil if
    /// there is none. The name of a member is such a string too.
    func field(longerThan most: Int) -> String? {
        path { value in
            guard case .string(let text) = value else { return false }
            return text.isEncoded(longerThan: most)
        }
    }

    /// The path of the first value, or name of a member, that is flawed; nil if there is none.
    private func path(where isFlawed: (JSONValue) -> Bool) -> String? {
        switch self {
        case .array(let values):
            for value in values {
                if let path = value.path(where: isFlawed) { return path }
            }
            return nil
        case .object(let members):
            for member in members {
                if isFlawed(.string(member.name)) { return member.name.shortened }
                guard let path = member.value.path(where: isFlawed) else { continue }
                return path.isEmpty ? member.name : "\(member.name).\(path)"
            }
            return nil
        case .null, .bool, .number, .string: return isFlawed(self) ? "" : nil
        }
    }

    /// This value with 0 in the place of numbers that are not finite.
    var finite: JSONValue {
        switch self {
        case .number(let number) where !number.isFinite: .number(0)
        case .array(let values): .array(values.map(\.finite))
        case .object(let members): .object(members.map { .init($0.name, $0.value.finite) })
        default: self
        }
    }
}

extension String {
    /// Whether the string has more than `most` bytes as JSON, without its quotes.
    fileprivate func isEncoded(longerThan most: Int) -> Bool {
        // An escape has at most six bytes.
        guard utf8.count > most / 6 else { return false }
        return utf8.count > most || JSONValue.string(self).text.utf8.count - 2 > most
    }

    /// The beginning of a name that is too long for a report.
    fileprivate var shortened: String { count > 32 ? prefix(32) + "..." : self }
}
