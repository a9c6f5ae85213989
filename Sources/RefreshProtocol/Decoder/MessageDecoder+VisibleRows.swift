/// The members of the feature `visibleRange`. Source: docs/protocol.md, "What is in sight".
extension MessageDecoder {
    /// Returns the `scroll` or `geometry` message in the table. If it names the rows in sight, and
    /// the client has the feature, the message contains these rows.
    ///
    /// `Field` has no room for `visible`. The member is therefore read in a second pass over the
    /// message, as the members of other features are.
    @inline(never)
    func withRows(
        _ message: ClientMessage, in frame: Span<UInt8>
    ) throws(Fault) -> ClientMessage {
        guard let features, features.contains(.visibleRange), table.ignored.unknownFields > 0,
            let token = try featureFields(at: objectStart, in: frame)[.visible]
        else { return message }
        table.ignored.unknownFields &-= 1
        guard let rows = try visibleRows(token, in: frame) else { return message }
        return .withRows(message, rows)
    }

    /// Returns nil if the member is `null`.
    private func visibleRows(
        _ token: FieldToken, in frame: Span<UInt8>
    ) throws(Fault) -> VisibleRows? {
        if token.kind == .null { return nil }
        let table = try options(of: token, Fault(.invalidField, option: .visible), in: frame)
        countMisplaced(in: table) { $0 == .first || $0 == .last }
        let first = try row(.first, in: table)
        let last = try row(.last, in: table)
        guard first <= last else { throw Fault(.valueOutOfRange, option: .last) }
        return VisibleRows(first: first, last: last)
    }

    private func row(
        _ field: OptionField, in table: NameTable<OptionField>
    ) throws(Fault) -> UInt32 {
        let row = try table[field].flatMap { token throws(Fault) in
            try whole(token, in: 0...VisibleRows.rowMax, field)
        }
        guard let row else { throw Fault(.missingField, option: field) }
        return UInt32(row)
    }

    /// Reads which pages the view requests. Returns nil if the option is absent or `null`.
    func access(
        in table: NameTable<OptionField>, _ frame: Span<UInt8>
    ) throws(Fault) -> PagingAccess? {
        guard let token = table[.access], token.kind != .null else { return nil }
        guard token.kind == .string,
            let access = vocabulary.accesses.keyword(token.string, in: frame)
        else { throw Fault(.invalidField, option: .access) }
        return access
    }
}
