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

    /// Reads a value of any kind.
    @_lifetime(scanner: copy scanner)
    init(reading scanner: inout JSONScanner, depth: Int) throws(FaultCode) {
        switch scanner.peek {
        case 0x22: self.init(try scanner.readString())
        case 0x7B: self.init(kind: .object, at: try scanner.skipValue(depth: depth))
        case 0x5B: self.init(kind: .array, at: try scanner.skipValue(depth: depth))
        case 0x74:
            try scanner.consumeLiteral("true")
            self.init(kind: .bool, number: 1)
        case 0x66:
            try scanner.consumeLiteral("false")
            self.init(kind: .bool, number: 0)
        case 0x6E:
            try scanner.consumeLiteral("null")
            self.init(kind: .null)
        default: self.init(kind: .number, number: try scanner.readNumber())
        }
    }

    /// Returns the value of a string.
    func text(in frame: Span<UInt8>) -> String {
        short.count == 0 ? string.text(in: frame) : short.text
    }
}
