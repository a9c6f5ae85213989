/// The fields of `attach` and `configure` that only clients with features have. Source:
/// docs/protocol.md, "Features".
///
/// The names of these fields belong to `OptionField`. The fields are therefore read in a second
/// pass over their object. The first pass has counted them as unknown.
extension MessageDecoder {
    /// Reads the `initial` of the `attach` object that begins at `start`.
    func initial(at start: Int, in frame: Span<UInt8>) throws(Fault) -> FirstItems {
        guard features != nil, table.ignored.unknownFields > 0 else { return .none }
        let fields = try featureFields(at: start, in: frame)
        guard let token = fields[.initial] else { return .none }
        table.ignored.unknownFields &-= 1
        return try keyword(token, .initial, from: vocabulary.firstItems, in: frame) ?? .none
    }

    /// Reads the new query of the `configure` message in the table. Returns nil if the message has
    /// none, or if the client does not have the feature `query`.
    func query(in frame: Span<UInt8>) throws(Fault) -> QueryChange? {
        guard features?.contains(.query) == true else { return nil }
        let hasParameters = table.has(.parameters)
        guard hasParameters || table.ignored.unknownFields > 0 else { return nil }
        let fields = try featureFields(at: objectStart, in: frame)
        let own = fields.count { $0 == .debounceMs || $0 == .shown }
        table.ignored.unknownFields &-= own
        guard hasParameters || own > 0 else { return nil }
        var query = QueryChange()
        if table[.parameters] != nil { query.parameters = try parameters(table, in: frame) }
        query.debounceMs = try fields[.debounceMs].flatMap { token throws(Fault) in
            try whole(token, in: 0...QueryChange.debounceMsMax, .debounceMs)
        }
        if let token = fields[.shown] {
            query.shown =
                try keyword(token, .shown, from: vocabulary.shownItems, in: frame) ?? .keep
        }
        return query
    }

    /// Reads the fields of the object that begins at `start`, by their names in `OptionField`.
    func featureFields(
        at start: Int, in frame: Span<UInt8>
    ) throws(Fault) -> NameTable<OptionField> {
        var scanner = JSONScanner(frame, from: start, limits: jsonLimits)
        do throws(FaultCode) {
            return try NameTable(
                reading: &scanner, vocabulary.options(with: features), depth: 2)
        } catch {
            throw Fault(error)
        }
    }

    /// Reads a keyword. Returns nil if the field is `null`.
    private func keyword<Keyword>(
        _ token: FieldToken, _ field: OptionField, from keywords: KeywordTable<Keyword>,
        in frame: Span<UInt8>
    ) throws(Fault) -> Keyword? {
        if token.kind == .null { return nil }
        guard token.kind == .string, let keyword = keywords.keyword(token.string, in: frame) else {
            throw Fault(.invalidField, option: field)
        }
        return keyword
    }
}
