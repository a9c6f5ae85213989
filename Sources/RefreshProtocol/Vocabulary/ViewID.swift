/// A client's name for one of its views: 1 to 32 bytes of UTF-8 without control characters.
///
/// The name is stored inline and zero-padded, so that naming a view on the message path allocates
/// nothing. Source: docs/protocol.md, "attach".
package struct ViewID: Hashable, Sendable {
    package static let bytesMax = 32

    @usableFromInline
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Returns nil if the name is empty, too long or contains a control character.
    package init?(_ text: some StringProtocol) {
        let utf8 = text.utf8
        guard !utf8.isEmpty, utf8.count <= Self.bytesMax else { return nil }
        var previous: UInt8 = 0
        for (index, byte) in utf8.enumerated() {
            guard !Self.isControl(byte, after: previous) else { return nil }
            set(byte, at: index)
            previous = byte
        }
    }

    /// Creates a name from printable ASCII.
    @inline(__always)
    init(_ name: PackedName) {
        words.0 = name.low
        words.1 = name.high
    }

    /// Whether `byte`, after `previous`, ends a control character: U+0000 to U+001F, or U+007F to
    /// U+009F. A control character from U+0080 on is encoded as 0xC2, followed by a byte whose
    /// value is the code point.
    @inline(__always)
    private static func isControl(_ byte: UInt8, after previous: UInt8) -> Bool {
        if byte &- 0x20 < 0x5F { return false }
        return byte < 0xA0 && (byte < 0x80 || previous == 0xC2)
    }

    private mutating func set(_ byte: UInt8, at index: Int) {
        let shifted = UInt64(byte) &<< UInt64((index & 7) * 8)
        switch index >> 3 {
        case 0: words.0 |= shifted
        case 1: words.1 |= shifted
        case 2: words.2 |= shifted
        default: words.3 |= shifted
        }
    }

    /// Calls `body` with each byte of the name, in order.
    @inline(__always)
    package func forEachByte(_ body: (UInt8) -> Void) {
        forEachWord { word in
            var rest = word
            while rest != 0 {
                body(UInt8(truncatingIfNeeded: rest))
                rest &>>= 8
            }
        }
    }

    /// Calls `body` with eight bytes of the name at a time. The first byte is the least significant
    /// one. After the last byte, the word is padded with zeros.
    @inline(__always)
    func forEachWord(_ body: (UInt64) -> Void) {
        body(words.0)
        guard words.1 != 0 else { return }
        body(words.1)
        body(words.2)
        body(words.3)
    }

    @inlinable
    package static func == (a: ViewID, b: ViewID) -> Bool {
        a.words.0 == b.words.0 && a.words.1 == b.words.1 && a.words.2 == b.words.2
            && a.words.3 == b.words.3
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension ViewID: CustomStringConvertible {
    package var description: String {
        var bytes: [UInt8] = []
        forEachByte { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ViewID: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = ViewID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a view name")
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ViewID: ExpressibleByStringLiteral {
    /// For tests and scenarios; a literal that is not a valid view name is a programming error.
    package init(stringLiteral value: String) {
        guard let id = ViewID(value) else { preconditionFailure("not a view name: \(value)") }
        self = id
    }
}
