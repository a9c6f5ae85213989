/// The value of one field as encoded in a frame.
struct FieldToken: Sendable {
    enum Kind: UInt8, Sendable { case null, bool, number, string, object, array }

    var kind: Kind
    /// For a string: whether it contains an escape.
    var isEscaped = false
    /// The range of the value, for a string without its quotes. A short plain string has no range,
    /// only `short`.
    var start: UInt32 = 0
    var end: UInt32 = 0
    /// A string of at most 15 plain bytes.
    var short = PackedName.empty
    /// The value of a number; 0 or 1 for a boolean.
    var number = 0.0

    /// A string that is not stored in `short`.
    var string: JSONStringRange {
        JSONStringRange(start: Int(start), end: Int(end), isEscaped: isEscaped)
    }

    @inline(__always)
    init(kind: Kind, number: Double = 0) {
        self.kind = kind
        self.number = number
    }

    init(_ string: JSONStringRange) {
        self.kind = .string
        self.isEscaped = string.isEscaped
        self.start = UInt32(truncatingIfNeeded: string.start)
        self.end = UInt32(truncatingIfNeeded: string.end)
    }

    init(kind: Kind, at range: Range<Int>) {
        self.kind = kind
        self.start = UInt32(truncatingIfNeeded: range.lowerBound)
        self.end = UInt32(truncatingIfNeeded: range.upperBound)
    }

    /// The value of a string.
    func text(in frame: Span<UInt8>) -> String {
        short.count == 0 ? string.text(in: frame) : short.text
    }
}
