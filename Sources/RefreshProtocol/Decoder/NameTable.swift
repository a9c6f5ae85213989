/// The known fields of one JSON object that comes seldom: options, and what only `hello` has.
struct NameTable<Name: Hashable & CaseIterable & WireNamed & Sendable> {
    private var tokens: [Name: FieldToken] = [:]
    /// How many members have unknown names.
    private(set) var unknownCount = 0

    /// Reads the object at the scanner's index; unknown names are checked and dropped.
    init(
        reading scanner: inout JSONScanner, _ names: KeywordTable<Name>, _ vocabulary: Vocabulary,
        depth: Int
    ) throws(FaultCode) {
        try scanner.expect(0x7B)
        if scanner.take(0x7D) { return }
        var isDuplicate = false
        repeat {
            scanner.skipSpace()
            let name = names.keyword(try scanner.string(), in: scanner.bytes)
            try scanner.expect(0x3A)
            scanner.skipSpace()
            let token = try vocabulary.readToken(&scanner, depth: depth)
            if let name {
                if tokens.updateValue(token, forKey: name) != nil { isDuplicate = true }
            } else {
                unknownCount += 1
            }
        } while scanner.take(0x2C)
        try scanner.expect(0x7D)
        if isDuplicate { throw .duplicateField }
    }

    /// The value as it stands there, also as `null`; nil if it does not.
    subscript(name: Name) -> FieldToken? { tokens[name] }

    /// How many known names stand there for which that holds.
    func count(where condition: (Name) -> Bool) -> Int {
        tokens.keys.count(where: condition)
    }
}
