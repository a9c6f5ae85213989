internal import RefreshBroker
internal import RefreshProtocol

/// The members of an object of a bus message, with checks of types and ranges. Unknown members are
/// ignored, and `null` is the same as an absent member.
struct MessageMembers {
    private let members: JSONMembers

    /// Reads the first `count` bytes, which must be an object.
    ///
    /// - Throws: `malformed`
    init(
        reading bytes: [UInt8], count: Int, limits: JSONLimits
    ) throws(BusMessageDrop) {
        members = try Self.checked { () throws(FaultCode) in
            try JSONMembers(reading: bytes, in: 0..<count, limits: limits)
        }
    }

    private init(_ members: JSONMembers) { self.members = members }

    private static func checked<Value>(
        _ read: () throws(FaultCode) -> Value
    ) throws(BusMessageDrop) -> Value {
        do throws(FaultCode) { return try read() } catch { throw .malformed }
    }

    /// Returns the value of a member; nil if the member is absent. `value` is nil if the member is
    /// absent or has another type.
    private func present<Value>(
        _ value: Value?, _ name: StaticString
    ) throws(BusMessageDrop) -> Value? {
        guard value != nil || !members.contains(name) else { throw .member }
        return value
    }

    func object(_ name: StaticString) throws(BusMessageDrop) -> MessageMembers {
        let object = try Self.checked { () throws(FaultCode) in try members.object(name) }
        guard let object else { throw .member }
        return MessageMembers(object)
    }

    /// The objects of an array; none if it is absent.
    func objects(
        _ name: StaticString, countMax: Int
    ) throws(BusMessageDrop) -> [MessageMembers] {
        let list = try Self.checked { () throws(FaultCode) in
            try members.objects(name, countMax: countMax + 1)
        }
        var objects: [MessageMembers] = []
        for object in try present(list, name) ?? [] {
            guard let object, objects.count < countMax else { throw .member }
            objects.append(MessageMembers(object))
        }
        return objects
    }

    private func container(_ name: StaticString) throws(BusMessageDrop) -> JSONValue? {
        let value = try Self.checked { () throws(FaultCode) in try members.container(name) }
        return try present(value, name)
    }

    /// The elements of an array; none if it is absent.
    func list(_ name: StaticString, countMax: Int) throws(BusMessageDrop) -> [JSONValue] {
        guard let value = try container(name) else { return [] }
        guard let list = value.array, list.count <= countMax else { throw .member }
        return list
    }

    /// The members of an object; none if it is absent.
    func entries(
        _ name: StaticString, countMax: Int
    ) throws(BusMessageDrop) -> [JSONValue.Member] {
        guard let value = try container(name) else { return [] }
        guard case .object(let members) = value, members.count <= countMax else { throw .member }
        return members
    }

    func optionalText(
        _ name: StaticString, bytesMax: Int = .max
    ) throws(BusMessageDrop) -> String? {
        guard let text = try present(members.text(name), name) else { return nil }
        guard text.utf8.count <= bytesMax else { throw .member }
        return text
    }

    func text(_ name: StaticString, bytesMax: Int = .max) throws(BusMessageDrop) -> String {
        guard let text = try optionalText(name, bytesMax: bytesMax) else { throw .member }
        return text
    }

    /// The value whose name on the wire is the text.
    func named<Value: RawRepresentable<String>>(
        _ name: StaticString, as type: Value.Type
    ) throws(BusMessageDrop) -> Value {
        guard let value = Value(rawValue: try text(name)) else { throw .member }
        return value
    }

    func node(_ name: StaticString) throws(BusMessageDrop) -> NodeID {
        try Self.node(try text(name))
    }

    func optionalInteger(
        _ name: StaticString, in range: ClosedRange<Int> = 0...BusMessageLimits.integerMax
    ) throws(BusMessageDrop) -> Int? {
        guard let number = try present(members.number(name), name) else { return nil }
        return try Self.integer(number, in: range)
    }

    func integer(
        _ name: StaticString, in range: ClosedRange<Int> = 0...BusMessageLimits.integerMax
    ) throws(BusMessageDrop) -> Int {
        guard let integer = try optionalInteger(name, in: range) else { throw .member }
        return integer
    }

    /// The number of a change or of a load.
    func serial(_ name: StaticString) throws(BusMessageDrop) -> UInt64 {
        UInt64(try integer(name, in: 1...BusMessageLimits.integerMax))
    }

    func milliseconds(_ name: StaticString) throws(BusMessageDrop) -> Int {
        try integer(name, in: 0...BusMessageLimits.timeMsMax)
    }

    func fraction(_ name: StaticString) throws(BusMessageDrop) -> Double {
        guard let value = members.number(name), (0...1).contains(value) else { throw .member }
        return value
    }

    func optionalBool(_ name: StaticString) throws(BusMessageDrop) -> Bool? {
        try present(members.bool(name), name)
    }

    // MARK: Single values

    static func text(_ value: JSONValue, bytesMax: Int) throws(BusMessageDrop) -> String {
        guard let text = value.string, text.utf8.count <= bytesMax else { throw .member }
        return text
    }

    static func integer(
        _ value: JSONValue, in range: ClosedRange<Int>
    ) throws(BusMessageDrop) -> Int {
        guard let number = value.number else { throw .member }
        return try integer(number, in: range)
    }

    private static func integer(
        _ number: Double, in range: ClosedRange<Int>
    ) throws(BusMessageDrop) -> Int {
        guard let integer = Int(exactly: number), range.contains(integer) else { throw .member }
        return integer
    }

    static func serial(_ value: JSONValue) throws(BusMessageDrop) -> UInt64 {
        UInt64(try integer(value, in: 1...BusMessageLimits.integerMax))
    }

    static func node(_ value: JSONValue) throws(BusMessageDrop) -> NodeID {
        try node(try text(value, bytesMax: .max))
    }

    private static func node(_ text: String) throws(BusMessageDrop) -> NodeID {
        guard let node = NodeID(text: text) else { throw .member }
        return node
    }
}
