/// Any JSON value, for use outside the message path: scenarios, reports, tests.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// The members have the order of the JSON text, and their names are distinct.
    case object([Member])

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        /// The name of the member.
        public var name: String
        /// The value of the member.
        public var value: JSONValue

        /// Creates a member.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the member with that name. Nil if this value is not an object, or has no such
    /// member.
    ///
    /// Setting a new member appends it, and setting nil removes the member. If this value is not an
    /// object, it stays unchanged.
    public subscript(name: String) -> JSONValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.first { $0.name == name }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name, value))
            case (nil, nil): return
            }
            self = .object(members)
        }
    }

    /// The text; nil if this value is not a string.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number; nil if this value is not a number.
    public var number: Double? {
        guard case .number(let value) = self else { return nil }
        return value
    }

    /// The truth value; nil if this value is not a boolean.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements; nil if this value is not an array.
    public var array: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }
}
