/// The words that a client may use, ready to be found in a frame.
struct Vocabulary: Sendable {
    let fields = KeywordTable<Field>()
    let types = KeywordTable<MessageType>()
    let phases = KeywordTable<ScrollPhase>()
    let causes = KeywordTable<Cause>()
    let edges = KeywordTable<Edge>()
    let triggers = KeywordTable<TriggerStyle>()
    let modes = KeywordTable<LoadMoreMode>()
    let styles = KeywordTable<PagingStyle>()
    let results = KeywordTable<LoadResult>()

    /// Reads the known fields of the object at the scanner's index; unknown ones are checked and
    /// dropped.
    @inline(__always)
    func readObject(
        _ scanner: inout JSONScanner, into table: inout FieldTable, depth: Int
    ) throws(FaultCode) {
        guard depth <= scanner.limits.depthMax else { throw .depthExceeded }
        try scanner.expect(0x7B)
        if scanner.take(0x7D) { return }
        var isDuplicate = false
        repeat {
            scanner.skipSpace()
            let name = try scanner.string()
            try scanner.expect(0x3A)
            scanner.skipSpace()
            guard let field = fields.keyword(name, in: scanner.bytes) else {
                _ = try scanner.skipValue(depth: depth)
                continue
            }
            let token = try readToken(&scanner, depth: depth)
            if !table.insert(token, for: field) { isDuplicate = true }
        } while scanner.take(0x2C)
        try scanner.expect(0x7D)
        if isDuplicate { throw .duplicateField }
    }

    @inline(__always)
    private func readToken(
        _ scanner: inout JSONScanner, depth: Int
    ) throws(FaultCode) -> FieldToken {
        guard let byte = scanner.peek else { throw .malformedJSON }
        switch byte {
        case 0x22:
            let string = try scanner.string()
            return FieldToken(
                kind: .string, isEscaped: string.isEscaped,
                start: UInt32(truncatingIfNeeded: string.start),
                end: UInt32(truncatingIfNeeded: string.end))
        case 0x7B, 0x5B:
            let range = try scanner.skipValue(depth: depth)
            return FieldToken(
                kind: byte == 0x7B ? .object : .array,
                start: UInt32(truncatingIfNeeded: range.lowerBound),
                end: UInt32(truncatingIfNeeded: range.upperBound))
        case 0x74:
            try scanner.literal("true")
            return FieldToken(kind: .bool, number: 1)
        case 0x66:
            try scanner.literal("false")
            return FieldToken(kind: .bool, number: 0)
        case 0x6E:
            try scanner.literal("null")
            return FieldToken(kind: .null)
        default: return FieldToken(kind: .number, number: try scanner.number())
        }
    }
}
