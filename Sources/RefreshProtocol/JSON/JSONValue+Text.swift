extension JSONValue {
    /// Parses a whole JSON text.
    ///
    /// - Throws: `malformedJSON`, `depthExceeded`, `stringTooLong`, `numberOutOfRange` or
    ///   `duplicateField`.
    package init(
        parsing text: some StringProtocol, limits: JSONLimits = .generous
    ) throws(FaultCode) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }

    /// Parses a whole JSON text.
    package init(parsing bytes: [UInt8], limits: JSONLimits = .generous) throws(FaultCode) {
        try self.init(parsing: bytes.span, limits: limits)
    }

    /// Parses a whole JSON text.
    package init(parsing bytes: Span<UInt8>, limits: JSONLimits) throws(FaultCode) {
        var scanner = JSONScanner(bytes, limits: limits)
        self = try Self.value(&scanner, depth: 0)
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw .malformedJSON }
    }

    private static func value(
        _ scanner: inout JSONScanner, depth: Int
    ) throws(FaultCode) -> JSONValue {
        guard depth <= scanner.limits.depthMax else { throw .depthExceeded }
        scanner.skipSpace()
        guard let byte = scanner.peek else { throw .malformedJSON }
        switch byte {
        case 0x22: return .string(try scanner.readString().text(in: scanner.bytes))
        case 0x7B: return try object(&scanner, depth: depth + 1)
        case 0x5B: return try array(&scanner, depth: depth + 1)
        case 0x74:
            try scanner.consumeLiteral("true")
            return .bool(true)
        case 0x66:
            try scanner.consumeLiteral("false")
            return .bool(false)
        case 0x6E:
            try scanner.consumeLiteral("null")
            return .null
        default:
            let isForwarded = scanner.limits.areForwarded
            return .number(
                isForwarded ? try scanner.readForwardedNumber() : try scanner.readNumber())
        }
    }

    /// The number of members up to which their names are compared with a new one, and not hashed.
    static let comparedMembersMax = 16

    private static func object(
        _ scanner: inout JSONScanner, depth: Int
    ) throws(FaultCode) -> JSONValue {
        guard depth <= scanner.limits.depthMax else { throw .depthExceeded }
        try scanner.expect(0x7B)
        if scanner.consumeByte(0x7D) { return .object([]) }
        var members: [Member] = []
        // All names, if there are more members than `comparedMembersMax`.
        var names: Set<String> = []
        // By the bytes of a name, the position of its member; nil until a name is repeated.
        var positions: [[UInt8]: Int]?
        repeat {
            scanner.skipSpace()
            let name = try scanner.readString().text(in: scanner.bytes)
            let isNew: Bool
            if members.count <= Self.comparedMembersMax {
                isNew = !members.contains { $0.name == name }
            } else {
                if names.isEmpty { names = Set(members.map(\.name)) }
                isNew = names.insert(name).inserted
            }
            guard isNew || scanner.limits.areForwarded else { throw .duplicateField }
            try scanner.expect(0x3A)
            let member = Member(name, try value(&scanner, depth: depth))
            if !isNew, positions == nil { positions = Self.positions(of: members) }
            let position = positions?[Array(name.utf8)] ?? members.count
            if position < members.count {
                members[position] = member
            } else {
                members.append(member)
            }
            positions?[Array(name.utf8)] = position
        } while scanner.consumeByte(0x2C)
        try scanner.expect(0x7D)
        return .object(members)
    }

    private static func positions(of members: [Member]) -> [[UInt8]: Int] {
        var positions: [[UInt8]: Int] = [:]
        for (position, member) in members.enumerated() {
            positions[Array(member.name.utf8)] = position
        }
        return positions
    }

    private static func array(
        _ scanner: inout JSONScanner, depth: Int
    ) throws(FaultCode) -> JSONValue {
        guard depth <= scanner.limits.depthMax else { throw .depthExceeded }
        try scanner.expect(0x5B)
        if scanner.consumeByte(0x5D) { return .array([]) }
        var values: [JSONValue] = []
        repeat {
            values.append(try value(&scanner, depth: depth))
        } while scanner.consumeByte(0x2C)
        try scanner.expect(0x5D)
        return .array(values)
    }

    /// Appends the shortest JSON text of the value.
    package func write(to out: inout ByteBuffer) {
        switch self {
        case .null: out.append(literal: "null")
        case .bool(let value): out.append(value)
        case .number(let value): out.append(value)
        case .string(let text): out.appendQuoted(text)
        case .array(let values):
            out.append(0x5B as UInt8)
            for (index, value) in values.enumerated() {
                if index > 0 { out.append(0x2C as UInt8) }
                value.write(to: &out)
            }
            out.append(0x5D as UInt8)
        case .object(let members):
            out.append(0x7B as UInt8)
            for (index, member) in members.enumerated() {
                if index > 0 { out.append(0x2C as UInt8) }
                out.appendQuoted(member.name)
                out.append(0x3A as UInt8)
                member.value.write(to: &out)
            }
            out.append(0x7D as UInt8)
        }
    }

    /// The shortest JSON text of the value.
    public var text: String {
        var out = ByteBuffer()
        write(to: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }
}
