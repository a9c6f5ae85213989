/// Typed access to fields. The value of an absent or `null` field is nil. `required` throws a fault
/// instead of returning nil.
extension FieldTable {
    @inline(__always)
    func number(_ field: Field) throws(Fault) -> Double? {
        guard let token = self[field] else { return nil }
        guard token.kind == .number else { throw Fault(.invalidField, field: field) }
        return token.number
    }

    /// A number between `-bound` and `bound`.
    @inline(__always)
    func number(_ field: Field, within bound: Int) throws(Fault) -> Double? {
        guard let value = try number(field) else { return nil }
        guard value.magnitude <= Double(bound) else {
            throw Fault(.valueOutOfRange, field: field)
        }
        return value
    }

    /// A whole number in `range`.
    @inline(__always)
    func integer(_ field: Field, in range: ClosedRange<Int>) throws(Fault) -> Int? {
        guard let value = try number(field) else { return nil }
        guard value >= Double(range.lowerBound), value <= Double(range.upperBound) else {
            throw Fault(.valueOutOfRange, field: field)
        }
        let whole = Int(value)
        guard Double(whole) == value else { throw Fault(.invalidField, field: field) }
        return whole
    }

    func bool(_ field: Field) throws(Fault) -> Bool? {
        guard let token = self[field] else { return nil }
        guard token.kind == .bool else { throw Fault(.invalidField, field: field) }
        return token.number != 0
    }

    func text(_ field: Field, in frame: Span<UInt8>) throws(Fault) -> String? {
        guard let token = self[field] else { return nil }
        guard token.kind == .string else { throw Fault(.invalidField, field: field) }
        return token.text(in: frame)
    }

    /// A keyword of a vocabulary.
    @inline(__always)
    func keyword<Keyword>(
        _ field: Field, from table: KeywordTable<Keyword>, in frame: Span<UInt8>
    ) throws(Fault) -> Keyword? {
        guard let token = self[field] else { return nil }
        guard token.kind == .string, let keyword = table.keyword(token, in: frame) else {
            throw Fault(.invalidField, field: field)
        }
        return keyword
    }

    /// A view's name.
    @inline(__always)
    func viewID(in frame: Span<UInt8>) throws(Fault) -> ViewID? {
        guard let token = self[.view] else { return nil }
        guard token.kind == .string else { throw Fault(.invalidField, field: .view) }
        if token.short.count != 0 { return ViewID(token.short) }
        guard let id = ViewID(token.string.text(in: frame)) else {
            throw Fault(.invalidField, field: .view)
        }
        return id
    }

    func loadID(in frame: Span<UInt8>) throws(Fault) -> LoadID? {
        guard let text = try text(.load, in: frame) else { return nil }
        guard let id = LoadID(text) else { throw Fault(.invalidField, field: .load) }
        return id
    }
}

/// Returns `value`, or throws the fault for a missing field.
@inline(__always)
func required<Value>(_ value: Value?, _ field: Field) throws(Fault) -> Value {
    guard let value else { throw Fault(.missingField, field: field) }
    return value
}

extension KeywordTable {
    /// The keyword that a string names.
    @inline(__always)
    func keyword(_ token: FieldToken, in frame: Span<UInt8>) -> Keyword? {
        token.short.count != 0 ? keyword(named: token.short) : keyword(token.string, in: frame)
    }

    func keyword(_ string: JSONStringRange, in frame: Span<UInt8>) -> Keyword? {
        guard string.isEscaped else { return keyword(in: frame, at: string.range) }
        let bytes = Array(string.text(in: frame).utf8)
        return keyword(in: bytes.span, at: 0..<bytes.count)
    }
}
