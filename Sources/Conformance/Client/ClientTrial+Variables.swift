internal import RefreshProtocol
internal import ScenarioKit

/// Stores the variables of a case, and computes the values that the steps of the case describe.
extension ClientTrial {
    /// Stores a value under `name`, and each of its members under `NAME.MEMBER`. Earlier values of
    /// that name and its members are removed. If `value` is nil, nothing is stored.
    func store(_ value: JSONValue?, as name: String) {
        variables = variables.filter { $0.key != name && !$0.key.hasPrefix("\(name).") }
        guard let value else { return }
        variables[name] = value
        guard case .object(let members) = value else { return }
        for member in members { store(member.value, as: "\(name).\(member.name)") }
    }

    /// Stores a message under `name`, with three more members:
    ///
    /// - `seq`: its sequence number; 0 if the message has none.
    /// - `frame`: the number of its frame.
    /// - `receivedMs`: the time of its arrival.
    func store(_ message: ReceivedClientMessage, as name: String) {
        store(message.value, as: name)
        variables["\(name).seq"] = .number(Double(message.seq))
        variables["\(name).frame"] = .number(Double(message.frame))
        variables["\(name).receivedMs"] = .number(message.atMs)
    }

    /// Returns `text` with each `$NAME` replaced by the value of that variable. If there is no such
    /// variable, `$NAME` stays as it is.
    func filled(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            var name = rest.prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
            // The last characters after `$` can belong to the sentence, for example a full stop.
            // The name is therefore the longest prefix that is the name of a variable.
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

    /// Returns the value that a pattern without wildcards describes. An object is merged into
    /// `base` member by member. Members that the pattern marks as `absent` are removed.
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

    /// Returns the message that a step describes, completed with the default members.
    func message(_ pattern: Pattern) throws(TrialEnd) -> JSONValue {
        let hasFeatures = variables["hello.features"] != nil
        let message = try value(
            of: pattern, over: ServerMessages.defaults(of: pattern, hasFeatures: hasFeatures))
        return ServerMessages.completed(items: message ?? .object([]))
    }

    /// Returns a message of this type with the default members, the given members, and the members
    /// of `option`. `option` is an object, or a variable whose value is an object.
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
