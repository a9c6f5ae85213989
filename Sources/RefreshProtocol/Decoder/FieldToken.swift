/// The value of one field, as a frame encodes it.
struct FieldToken: Sendable {
    enum Kind: UInt8, Sendable { case null, bool, number, string, object, array }

    var kind: Kind
    /// Whether a string contains an escape.
    var isEscaped = false
    /// The range of the value in the frame. The range of a string excludes its quotes. A string
    /// that is stored in `short` has no range.
    var start: UInt32 = 0
    var end: UInt32 = 0
    /// The string itself, if it has at most 15 bytes and no escapes. If not, it is empty.
    var short = PackedName.empty
    /// The value of a number; 0 or 1 for a boolean.
    var number = 0.0

    /// The range of a string that is not stored in `short`.
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

    /// Returns the value of a string.
    func text(in frame: Span<UInt8>) -> String {
        short.count == 0 ? string.text(in: frame) : short.text
    }
}
