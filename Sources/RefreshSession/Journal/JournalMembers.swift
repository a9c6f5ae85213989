internal import Foundation
internal import RefreshProtocol

/// Typed access to the members of one JSON object in a journal.
struct JournalMembers {
    private let object: JSONValue

    init(_ object: JSONValue) { self.object = object }

    func value(_ name: String) throws(JournalLineError) -> JSONValue {
        guard let value = object[name] else { throw JournalLineError("has no `\(name)`") }
        return value
    }

    func text(_ name: String) throws(JournalLineError) -> String {
        guard let text = try textIfAny(name) else { throw JournalLineError("has no `\(name)`") }
        return text
    }

    func textIfAny(_ name: String) throws(JournalLineError) -> String? {
        try member(name, \.string)
    }

    func boolean(_ name: String) throws(JournalLineError) -> Bool {
        guard let value = try booleanIfAny(name) else {
            throw JournalLineError("has no `\(name)`")
        }
        return value
    }

    func booleanIfAny(_ name: String) throws(JournalLineError) -> Bool? {
        try member(name, \.bool)
    }

    func integer(_ name: String) throws(JournalLineError) -> Int {
        guard let value = try integerIfAny(name) else {
            throw JournalLineError("has no `\(name)`")
        }
        return value
    }

    func number(_ name: String) throws(JournalLineError) -> Double {
        guard let value = try member(name, \.number) else {
            throw JournalLineError("has no `\(name)`")
        }
        return value
    }

    /// Returns a time of a daemon's clock. The time can be before the clock's origin. Values beyond
    /// ±2^53 µs are invalid, because doubles cannot represent all of them. Within ±2^53 µs, the
    /// difference of two moments cannot overflow.
    func moment(_ name: String) throws(JournalLineError) -> Instant {
        let microseconds = try integer(name)
        guard (-Self.momentMax...Self.momentMax).contains(microseconds) else {
            throw JournalLineError("has an invalid time in `\(name)`: beyond 2^53 µs")
        }
        return Instant(microseconds: Int64(microseconds))
    }

    func momentIfAny(_ name: String) throws(JournalLineError) -> Instant? {
        try integerIfAny(name) == nil ? nil : try moment(name)
    }

    private static let momentMax = 1 << 53

    /// Returns an integer. Integers are exact up to 2^53, and all values in journals are smaller. A
    /// larger integer becomes the nearest double, as in a session.
    func integerIfAny(_ name: String) throws(JournalLineError) -> Int? {
        guard let number = try member(name, \.number) else { return nil }
        guard number.rounded() == number else {
            throw JournalLineError("has a `\(name)` that is not an integer")
        }
        return Int(exactly: number) ?? (number < 0 ? .min : .max)
    }

    func choice<Value: RawRepresentable<String>>(
        _ name: String
    ) throws(JournalLineError) -> Value {
        guard let value: Value = try choiceIfAny(name) else {
            throw JournalLineError("has no `\(name)`")
        }
        return value
    }

    func choiceIfAny<Value: RawRepresentable<String>>(
        _ name: String
    ) throws(JournalLineError) -> Value? {
        guard let text = try textIfAny(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw JournalLineError("has an unknown `\(name)`: `\(text)`")
        }
        return value
    }

    func listIfAny(_ name: String) throws(JournalLineError) -> [JSONValue]? {
        try member(name, \.array)
    }

    func objectIfAny(_ name: String) throws(JournalLineError) -> JournalMembers? {
        try member(name) { if case .object = $0 { JournalMembers($0) } else { nil } }
    }

    func load() throws(JournalLineError) -> LoadID {
        guard let load = LoadID(try text("load")) else {
            throw JournalLineError("has an invalid `load`")
        }
        return load
    }

    func view() throws(JournalLineError) -> ViewID {
        guard let view = ViewID(try text("view")) else {
            throw JournalLineError("has an invalid `view`")
        }
        return view
    }

    func tokenIfAny() throws(JournalLineError) -> ResumeToken? {
        guard let text = try textIfAny("token") else { return nil }
        guard let token = ResumeToken(text) else {
            throw JournalLineError("has an invalid `token`")
        }
        return token
    }

    /// Returns the bytes stored as `text` or as `base64`.
    func bytes() throws(JournalLineError) -> [UInt8] {
        if let text = try textIfAny("text") { return Array(text.utf8) }
        guard let data = Data(base64Encoded: try text("base64")) else {
            throw JournalLineError("has an invalid `base64`")
        }
        return Array(data)
    }

    private func member<Value>(
        _ name: String, _ kind: (JSONValue) -> Value?
    ) throws(JournalLineError) -> Value? {
        guard let value = object[name] else { return nil }
        guard let value = kind(value) else {
            throw JournalLineError("has a `\(name)` of the wrong type")
        }
        return value
    }
}
