/// The known fields of one JSON object. Kept by the decoder from message to message, so that filling
/// it allocates nothing.
struct FieldTable: Sendable {
    private var present: UInt64 = 0
    private var tokens = [FieldToken](
        repeating: FieldToken(kind: .null), count: Field.allCases.count)

    init() {
        precondition(Field.allCases.count <= UInt64.bitWidth)
    }

    @inline(__always)
    mutating func removeAll() { present = 0 }

    @inline(__always)
    func has(_ field: Field) -> Bool { present & Self.bit(field) != 0 }

    /// False if the field stands there already.
    @inline(__always)
    mutating func insert(_ token: FieldToken, for field: Field) -> Bool {
        guard !has(field) else { return false }
        present |= Self.bit(field)
        tokens[Int(field.rawValue)] = token
        return true
    }

    /// The field's value; nil if it is absent or `null`.
    @inline(__always)
    subscript(field: Field) -> FieldToken? {
        guard has(field) else { return nil }
        let token = tokens[Int(field.rawValue)]
        return token.kind == .null ? nil : token
    }

    /// Whether the field stands there as `null`.
    func isNull(_ field: Field) -> Bool {
        has(field) && tokens[Int(field.rawValue)].kind == .null
    }

    @inline(__always)
    private static func bit(_ field: Field) -> UInt64 { 1 &<< UInt64(field.rawValue) }
}
