/// The known fields of an infrequent JSON object: options, and the members that only `hello` has.
struct NameTable<Name: Hashable & CaseIterable & WireNamed & Sendable> {
    private var tokens: [Name: FieldToken] = [:]
    /// The number of members with unknown names.
    private(set) var unknownCount = 0

    /// Reads the object at the scanner's index. The syntax of unknown members is checked, and the
    /// members are dropped.
    init(
        reading scanner: inout JSONScanner, _ names: KeywordTable<Name>, depth: Int
    ) throws(FaultCode) {
        try scanner.expect(0x7B)
        if scanner.consumeByte(0x7D) { return }
        var isDuplicate = false
        repeat {
            scanner.skipSpace()
            let name = names.keyword(try scanner.readString(), in: scanner.bytes)
            try scanner.expect(0x3A)
            scanner.skipSpace()
            let token = try FieldToken(reading: &scanner, depth: depth)
            if let name {
                if tokens.updateValue(token, forKey: name) != nil { isDuplicate = true }
            } else {
                unknownCount += 1
            }
        } while scanner.consumeByte(0x2C)
        try scanner.expect(0x7D)
        if isDuplicate { throw .duplicateField }
    }

    /// The value, also if it is `null`; nil if the field is absent.
    subscript(name: Name) -> FieldToken? { tokens[name] }

    /// The number of present known names that satisfy the condition.
    func count(where condition: (Name) -> Bool) -> Int {
        tokens.keys.count(where: condition)
    }
}
