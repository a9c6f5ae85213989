/// The words that have a meaning in client messages: names of fields, types and options, and
/// keywords. They are prepared for lookup in a frame.
final class Vocabulary: Sendable {
    let fields = KeywordTable<Field>()
    /// The types that every client may use.
    let types = KeywordTable<MessageType> { !$0.needsFeatures }
    let typesWithFeatures = KeywordTable<MessageType>()
    let phases = KeywordTable<ScrollPhase>()
    let causes = KeywordTable<Cause>()
    let edges = KeywordTable<Edge>()
    let results = KeywordTable<LoadResult>()
    let axes = KeywordTable<Axis>()
    let attentions = KeywordTable<EvaluationTrigger>()
    let directions = KeywordTable<LayoutDirection>()
    /// The options that every client may use.
    let options = KeywordTable<OptionField> { !$0.needsFeatures }
    /// With those of `visibleRange`. The decoder checks their feature where it reads them.
    let optionsWithFeatures = KeywordTable<OptionField> {
        $0.feature == nil || $0.feature == .visibleRange
    }
    let optionsWithLive = KeywordTable<OptionField>()
    let helloFields = KeywordTable<HelloField>()
    let intents = KeywordTable<Intent>()
    let features = KeywordTable<Feature>()
    let styles = KeywordTable<PagingStyle>()
    let accesses = KeywordTable<PagingAccess>()
    let firstItems = KeywordTable<FirstItems>()
    let shownItems = KeywordTable<ShownItems>()
    let operationMembers = KeywordTable<OperationMember>()
    let predictions = KeywordTable<Prediction>()

    /// The options that a client with these features may use.
    func options(with features: ClientFeatures?) -> KeywordTable<OptionField> {
        guard let features else { return options }
        return features.uses(.live) ? optionsWithLive : optionsWithFeatures
    }

    /// Reads the known fields of the object at the scanner's index. The syntax of unknown fields is
    /// checked, and the fields are dropped.
    @inline(__always)
    func readObject(
        _ scanner: inout JSONScanner, into table: FieldTable, depth: Int
    ) throws(FaultCode) {
        guard depth <= scanner.limits.depthMax else { throw .depthExceeded }
        try scanner.expect(0x7B)
        if scanner.consumeByte(0x7D) { return }
        // Bit 0: a field occurs twice. Other bits: the number of unknown names.
        var irregularities = 0
        repeat {
            scanner.skipSpace()
            let field: Field?
            if let name = scanner.shortBytes, let known = fields.keyword(named: name) {
                field = known
                scanner.consumeShortString(name)
            } else {
                var slow = scanner
                field = fields.keyword(try slow.readString(), in: scanner.bytes)
                scanner.move(to: slow.index)
            }
            try scanner.expect(0x3A)
            scanner.skipSpace()
            let isFirst: Bool
            if let field, let byte = scanner.peek, byte &- 0x30 <= 9 || byte == 0x2D {
                isFirst = table.insert(number: try scanner.readNumber(), for: field)
            } else if let field, let text = scanner.shortBytes, text.isPlain {
                scanner.consumeShortString(text)
                isFirst = table.insert(short: text, for: field)
            } else {
                var slow = scanner
                let token = try FieldToken(reading: &slow, depth: depth)
                scanner.move(to: slow.index)
                if let field {
                    isFirst = table.insert(token, for: field)
                } else {
                    isFirst = true
                    irregularities &+= 2
                }
            }
            if !isFirst { irregularities |= 1 }
        } while scanner.consumeByte(0x2C)
        try scanner.expect(0x7D)
        if irregularities != 0 { try Self.recordIrregularities(irregularities, of: table) }
    }

    @inline(never)
    private static func recordIrregularities(_ irregularities: Int, of table: FieldTable)
        throws(FaultCode)
    {
        table.ignored.unknownFields &+= irregularities &>> 1
        if irregularities & 1 != 0 { throw .duplicateField }
    }
}
