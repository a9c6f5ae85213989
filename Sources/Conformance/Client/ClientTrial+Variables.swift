internal import RefreshProtocol
internal import ScenarioKit

/// The variables of a case, and the values that steps name.
extension ClientTrial {
    /// Stores a value, and each of its members as `NAME.MEMBER`.
    func store(_ value: JSONValue?, as name: String) {
        variables = variables.filter { $0.key != name && !$0.key.hasPrefix("\(name).") }
        guard let value else { return }
        variables[name] = value
        guard case .object(let members) = value else { return }
        for member in members { store(member.value, as: "\(name).\(member.name)") }
    }

    /// Stores a message, with its `seq` (0 if it has none), the number of its `frame`, and the time
    /// `receivedMs`.
    func store(_ message: ReceivedClientMessage, as name: String) {
        store(message.value, as: name)
        variables["\(name).seq"] = .number(Double(message.seq))
        variables["\(name).frame"] = .number(Double(message.frame))
        variables["\(name).receivedMs"] = .number(message.atMs)
    }

    /// Compares a value with a pattern that may name variables. A match stores what it captures.
    func match(_ value: JSONValue?, _ pattern: Pattern) -> Matcher {
        var matcher = Matcher(variables: variables)
        matcher.compare(value, with: pattern)
        if matcher.isMatch {
            for (name, value) in matcher.captured { store(value, as: name) }
        }
        return matcher
    }

    /// Returns the text with the values of the variables that it names.
    func filled(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            var name = rest.prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
            // A full stop may end the sentence instead of standing before a member.
            while !name.isEmpty, variables[String(name)] == nil { name = name.dropLast() }
            guard let value = variables[String(name)] else {
                result += "$"
                continue
            }
            result += value.string ?? value.text
            rest = rest[name.endIndex...]
        }
        return result + rest
    }

    /// Returns the value of a pattern without wildcards, merged into `base`: objects member by
    /// member, and without the members that are `absent`.
    func value(
        of pattern: Pattern, over base: JSONValue? = nil
    ) throws(TrialEnd) -> JSONValue? {
        switch pattern {
        case .absent: return nil
        case .value(let value): return value
        case .sum(let amount): return .number(ServerMessages.rounded(try number(of: amount)))
        case .variable(let name):
            guard let value = variables[name] else {
                throw .failed(expected: "a value in $\(name) in the suite", came: "nothing yet")
            }
            return try self.value(of: Pattern(value), over: base)
        case .array(let elements, _):
            var values: [JSONValue] = []
            for element in elements {
                if let value = try value(of: element) { values.append(value) }
            }
            return .array(values)
        case .object(let fields):
            var result = JSONValue.object([])
            if case .object(let members)? = base { result = .object(members) }
            for field in fields {
                result[field.name] = try value(of: field.pattern, over: result[field.name])
            }
            return result
        case .near, .compared, .like, .anything, .capture, .length, .either:
            throw .failed(expected: "a value to send in the suite", came: pattern.description)
        }
    }

    func number(of amount: Amount) throws(TrialEnd) -> Double {
        do throws(Amount.NoNumber) {
            return try amount.number(in: variables)
        } catch {
            throw .failed(expected: "a number in the suite", came: error.reason)
        }
    }

    /// Returns the whole message that a step describes.
    func message(_ pattern: Pattern) throws(TrialEnd) -> JSONValue {
        let message = try value(of: pattern, over: ServerMessages.defaults(of: pattern))
        return ServerMessages.completed(items: message ?? .object([]))
    }

    /// Returns the whole message of this type, with these members and those of an option.
    func message(
        _ type: String, with members: [Pattern.Field] = [], option: Pattern? = nil
    ) throws(TrialEnd) -> JSONValue {
        var option = option
        if case .variable(let name) = option { option = variables[name].map(Pattern.init) }
        var fields = [Pattern.Field("type", .text(type))] + members
        if case .object(let more) = option { fields += more }
        return try message(.object(fields))
    }
}
