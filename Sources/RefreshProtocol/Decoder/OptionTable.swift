/// The known options of one JSON object.
struct OptionTable {
    private var tokens: [OptionField: FieldToken] = [:]

    /// Reads the object at the scanner's index; unknown names are checked and dropped.
    init(
        reading scanner: inout JSONScanner, _ vocabulary: Vocabulary, depth: Int
    ) throws(FaultCode) {
        try scanner.expect(0x7B)
        if scanner.take(0x7D) { return }
        var isDuplicate = false
        repeat {
            scanner.skipSpace()
            let field = vocabulary.options.keyword(try scanner.string(), in: scanner.bytes)
            try scanner.expect(0x3A)
            scanner.skipSpace()
            let token = try vocabulary.readToken(&scanner, depth: depth)
            if let field, tokens.updateValue(token, forKey: field) != nil { isDuplicate = true }
        } while scanner.take(0x2C)
        try scanner.expect(0x7D)
        if isDuplicate { throw .duplicateField }
    }

    /// The option as it stands there, also as `null`; nil if it does not.
    subscript(field: OptionField) -> FieldToken? { tokens[field] }
}
