/// The known fields of one JSON object. The decoder reuses the table for every message, so that
/// filling it allocates nothing.
///
/// The table is a class with a single reference, so that writing a field needs no uniqueness check.
@safe
final class FieldTable {
    private var present: UInt64 = 0
    /// The number of members, by kind, that the decoder has ignored since the last call of
    /// `consumeIgnored`. They were in objects that were read into this table, or in objects nested
    /// in those objects.
    var ignored = IgnoredMembers()
    private let tokens: UnsafeMutablePointer<FieldToken>

    init() {
        precondition(Field.allCases.count <= UInt64.bitWidth)
        unsafe tokens = .allocate(capacity: UInt64.bitWidth)
        unsafe tokens.initialize(
            repeating: FieldToken(kind: .null), count: UInt64.bitWidth)
    }

    deinit {
        unsafe tokens.deallocate()
    }

    /// Counts fewer fields as unknown, because the message itself has fields of these names.
    func forgetUnknown(_ count: Int) { ignored.unknownFields &-= count }

    @inline(__always)
    func removeAll() { present = 0 }

    @inline(__always)
    func has(_ field: Field) -> Bool { present & Self.bit(field) != 0 }

    /// Whether any field of the set `fields` is present.
    @inline(__always)
    func hasAny(of fields: UInt64) -> Bool { present & fields != 0 }

    /// Counts the present fields that do not belong to `members` as ignored members.
    func countMisplaced(in members: KnownMembers) {
        let inapplicable = present & ~members.mask
        guard inapplicable != 0 else { return }
        let fixed = (inapplicable & members.fixedMask).nonzeroBitCount
        ignored.notConfigurable &+= fixed
        ignored.unknownFields &+= inapplicable.nonzeroBitCount &- fixed
    }

    /// Inserts a field. Each `insert` function returns false if the field is already present.
    @inline(__always)
    func insert(number: Double, for field: Field) -> Bool {
        guard markPresent(field) else { return false }
        let place = unsafe tokens + Int(field.rawValue & 63)
        unsafe place.pointee.kind = .number
        unsafe place.pointee.number = number
        return true
    }

    @inline(__always)
    func insert(short: PackedName, for field: Field) -> Bool {
        guard markPresent(field) else { return false }
        let place = unsafe tokens + Int(field.rawValue & 63)
        unsafe place.pointee.kind = .string
        unsafe place.pointee.short = short
        return true
    }

    func insert(_ token: FieldToken, for field: Field) -> Bool {
        guard markPresent(field) else { return false }
        unsafe tokens[Int(field.rawValue & 63)] = token
        return true
    }

    @inline(__always)
    private func markPresent(_ field: Field) -> Bool {
        guard !has(field) else { return false }
        present |= Self.bit(field)
        return true
    }

    /// The field's value; nil if it is absent or `null`.
    @inline(__always)
    subscript(field: Field) -> FieldToken? {
        guard has(field) else { return nil }
        let token = unsafe tokens[Int(field.rawValue & 63)]
        return token.kind == .null ? nil : token
    }

    /// Whether the field is present and its value is `null`.
    func isNull(_ field: Field) -> Bool {
        guard has(field) else { return false }
        return unsafe tokens[Int(field.rawValue & 63)].kind == .null
    }

    @inline(__always)
    static func bit(_ field: Field) -> UInt64 { 1 &<< UInt64(field.rawValue & 63) }
}
