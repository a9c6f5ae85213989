/// One field's value as it stands in a frame.
struct FieldToken: Sendable {
    enum Kind: UInt8, Sendable { case null, bool, number, string, object, array }

    var kind: Kind
    /// A string: whether it holds an escape.
    var isEscaped = false
    /// Where it stands; a string without its quotes.
    var start: UInt32 = 0
    var end: UInt32 = 0
    /// A number's value; a boolean's as 0 or 1.
    var number = 0.0

    var range: Range<Int> { Int(start)..<Int(end) }

    var string: JSONStringRange {
        JSONStringRange(start: Int(start), end: Int(end), isEscaped: isEscaped)
    }
}
