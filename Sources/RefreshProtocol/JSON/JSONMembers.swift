/// The members of a JSON object, by their positions in the text. Strings, arrays and objects are
/// created only when they are asked for. The value `null` is the same as an absent member.
package struct JSONMembers: Sendable {
    private struct Member: Sendable {
        let name: JSONStringRange
        /// The name, if it contains an escape; otherwise nil.
        let unescapedName: String?
        /// The first eight bytes of the name in the text.
        let nameStart: UInt64
        let value: FieldToken
    }

    private let bytes: [UInt8]
    private let limits: JSONLimits
    private let members: [Member]

    /// The number of members that most objects do not exceed.
    private static let usualCount = 12

    /// Reads an object. The range contains only the object and space around it.
    ///
    /// - Throws: `malformedJSON`, `depthExceeded`, `stringTooLong`, `numberOutOfRange` or
    ///   `duplicateField`. Repeated names in a nested object are found when it is read.
    package init(
        reading bytes: [UInt8], in range: Range<Int>, limits: JSONLimits
    ) throws(FaultCode) {
        guard range.upperBound <= UInt32.max else { throw .malformedJSON }
        self.bytes = bytes
        self.limits = limits
        var scanner = JSONScanner(
            bytes.span.extracting(0..<range.upperBound), from: range.lowerBound, limits: limits)
        members = try Self.members(&scanner)
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw .malformedJSON }
    }

    @_lifetime(scanner: copy scanner)
    private static func members(_ scanner: inout JSONScanner) throws(FaultCode) -> [Member] {
        try scanner.expect(0x7B)
        if scanner.consumeByte(0x7D) { return [] }
        var members: [Member] = []
        members.reserveCapacity(usualCount)
        // All names, if there are more than `comparedMembersMax`.
        var names: Set<Bytewise<String>> = []
        repeat {
            scanner.skipSpace()
            let name = try scanner.readString()
            try scanner.expect(0x3A)
            scanner.skipSpace()
            let member = Member(
                name: name, unescapedName: name.isEscaped ? name.text(in: scanner.bytes) : nil,
                nameStart: ByteLanes.lowest(name.count, of: scanner.bytes.word(at: name.start)),
                value: try FieldToken(reading: &scanner, depth: 1))
            guard isNew(member, among: members, &names, in: scanner.bytes) else {
                throw .duplicateField
            }
            members.append(member)
        } while scanner.consumeByte(0x2C)
        try scanner.expect(0x7D)
        return members
    }

    private static func isNew(
        _ new: Member, among members: [Member], _ names: inout Set<Bytewise<String>>,
        in bytes: Span<UInt8>
    ) -> Bool {
        guard members.count > JSONValue.comparedMembersMax else {
            for member in members where haveSameName(member, new, in: bytes) { return false }
            return true
        }
        if names.isEmpty {
            for member in members { names.insert(name(of: member, in: bytes)) }
        }
        return names.insert(name(of: new, in: bytes)).inserted
    }

    private static func name(of member: Member, in bytes: Span<UInt8>) -> Bytewise<String> {
        Bytewise(wrappedValue: member.unescapedName ?? member.name.text(in: bytes))
    }

    private static func haveSameName(_ a: Member, _ b: Member, in bytes: Span<UInt8>) -> Bool {
        guard a.unescapedName == nil, b.unescapedName == nil else {
            return name(of: a, in: bytes) == name(of: b, in: bytes)
        }
        guard a.nameStart == b.nameStart, a.name.count == b.name.count else { return false }
        for offset in 0..<a.name.count
        where bytes[a.name.start + offset] != bytes[b.name.start + offset] { return false }
        return true
    }

    // MARK: Values

    private subscript(name: StaticString) -> FieldToken? {
        for member in members where isNamed(name, member) {
            return member.value.kind == .null ? nil : member.value
        }
        return nil
    }

    private func isNamed(_ name: StaticString, _ member: Member) -> Bool {
        let count = name.utf8CodeUnitCount
        if let unescaped = member.unescapedName {
            return unescaped.utf8.count == count && unescaped.hasBytes(of: "\(name)")
        }
        guard member.name.count == count else { return false }
        for offset in 0..<count
        where unsafe bytes[member.name.start + offset] != name.utf8Start[offset] { return false }
        return true
    }

    /// Whether the object has the member.
    package func contains(_ name: StaticString) -> Bool { self[name] != nil }

    /// The member's text; nil if it is not a string.
    package func text(_ name: StaticString) -> String? {
        guard let value = self[name], value.kind == .string else { return nil }
        return value.text(in: bytes.span)
    }

    /// The member's number; nil if it is not a number.
    package func number(_ name: StaticString) -> Double? {
        guard let value = self[name], value.kind == .number else { return nil }
        return value.number
    }

    /// The member's truth value; nil if it is not a boolean.
    package func bool(_ name: StaticString) -> Bool? {
        guard let value = self[name], value.kind == .bool else { return nil }
        return value.number != 0
    }

    /// The members of an object; nil if the value is not an object.
    ///
    /// - Throws: `duplicateField`
    package func object(_ name: StaticString) throws(FaultCode) -> JSONMembers? {
        guard let value = self[name], value.kind == .object else { return nil }
        return try JSONMembers(reading: bytes, in: value.string.range, limits: limits)
    }

    /// The first `countMax` elements of an array; nil if the value is not an array. An element is
    /// nil if it is not an object.
    ///
    /// - Throws: `duplicateField`
    package func objects(
        _ name: StaticString, countMax: Int
    ) throws(FaultCode) -> [JSONMembers?]? {
        guard let value = self[name], value.kind == .array else { return nil }
        var scanner = JSONScanner(
            bytes.span.extracting(0..<value.string.end), from: value.string.start,
            limits: limits)
        try scanner.expect(0x5B)
        if scanner.consumeByte(0x5D) { return [] }
        var objects: [JSONMembers?] = []
        repeat {
            let range = try scanner.skipValue(depth: 1)
            objects.append(
                bytes[range.lowerBound] == 0x7B
                    ? try JSONMembers(reading: bytes, in: range, limits: limits) : nil)
        } while objects.count < countMax && scanner.consumeByte(0x2C)
        return objects
    }

    /// The value of an array or object; nil if the value is neither.
    ///
    /// - Throws: `duplicateField`
    package func container(_ name: StaticString) throws(FaultCode) -> JSONValue? {
        guard let value = self[name], value.kind == .array || value.kind == .object else {
            return nil
        }
        return try JSONValue(parsing: bytes.span.extracting(value.string.range), limits: limits)
    }
}
