internal import RefreshBroker
internal import RefreshProtocol

/// The members of an object of a bus message, with checks of types and ranges. Unknown members are
/// ignored, and `null` is the same as an absent member.
struct MessageMembers {
    private let object: JSONValue

    /// Throws if the value is not an object.
    init(_ value: JSONValue?) throws(BusMessageDrop) {
        guard let value, case .object = value else { throw .member }
        object = value
    }

    private subscript(name: String) -> JSONValue? {
        guard let value = object[name], value != .null else { return nil }
        return value
    }

    func object(_ name: String) throws(BusMessageDrop) -> MessageMembers {
        try MessageMembers(self[name])
    }

    /// The elements of an array; none if it is absent.
    func list(_ name: String, countMax: Int) throws(BusMessageDrop) -> [JSONValue] {
        guard let value = self[name] else { return [] }
        guard let list = value.array, list.count <= countMax else { throw .member }
        return list
    }

    /// The members of an object; none if it is absent.
    func entries(
        _ name: String, countMax: Int
    ) throws(BusMessageDrop) -> [JSONValue.Member] {
        guard let value = self[name] else { return [] }
        guard case .object(let members) = value, members.count <= countMax else { throw .member }
        return members
    }

    func optionalText(
        _ name: String, bytesMax: Int = .max
    ) throws(BusMessageDrop) -> String? {
        guard let value = self[name] else { return nil }
        return try Self.text(value, bytesMax: bytesMax)
    }

    func text(_ name: String, bytesMax: Int = .max) throws(BusMessageDrop) -> String {
        guard let text = try optionalText(name, bytesMax: bytesMax) else { throw .member }
        return text
    }

    /// The value whose name on the wire is the text.
    func named<Value: RawRepresentable<String>>(
        _ name: String, as type: Value.Type
    ) throws(BusMessageDrop) -> Value {
        guard let value = Value(rawValue: try text(name)) else { throw .member }
        return value
    }

    func optionalInteger(
        _ name: String, in range: ClosedRange<Int> = 0...BusMessageLimits.integerMax
    ) throws(BusMessageDrop) -> Int? {
        guard let value = self[name] else { return nil }
        return try Self.integer(value, in: range)
    }

    func integer(
        _ name: String, in range: ClosedRange<Int> = 0...BusMessageLimits.integerMax
    ) throws(BusMessageDrop) -> Int {
        guard let integer = try optionalInteger(name, in: range) else { throw .member }
        return integer
    }

    /// The number of a change or of a load.
    func serial(_ name: String) throws(BusMessageDrop) -> UInt64 {
        UInt64(try integer(name, in: 1...BusMessageLimits.integerMax))
    }

    func milliseconds(_ name: String) throws(BusMessageDrop) -> Int {
        try integer(name, in: 0...BusMessageLimits.timeMsMax)
    }

    func fraction(_ name: String) throws(BusMessageDrop) -> Double {
        guard let value = self[name]?.number, (0...1).contains(value) else { throw .member }
        return value
    }

    func optionalBool(_ name: String) throws(BusMessageDrop) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let bool = value.bool else { throw .member }
        return bool
    }

    // MARK: Single values

    static func text(_ value: JSONValue, bytesMax: Int) throws(BusMessageDrop) -> String {
        guard let text = value.string, text.utf8.count <= bytesMax else { throw .member }
        return text
    }

    static func integer(
        _ value: JSONValue, in range: ClosedRange<Int>
    ) throws(BusMessageDrop) -> Int {
        guard let number = value.number, let integer = Int(exactly: number),
            range.contains(integer)
        else { throw .member }
        return integer
    }

    static func serial(_ value: JSONValue) throws(BusMessageDrop) -> UInt64 {
        UInt64(try integer(value, in: 1...BusMessageLimits.integerMax))
    }

    static func node(_ value: JSONValue?) throws(BusMessageDrop) -> NodeID {
        guard let node = value?.string.flatMap(NodeID.init(text:)) else { throw .member }
        return node
    }
}
