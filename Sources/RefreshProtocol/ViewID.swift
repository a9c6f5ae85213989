/// A client's name for one of its views: 1 to 32 bytes of UTF-8 without control characters.
///
/// Stored inline and zero-padded, so that naming a view on the message path allocates nothing.
/// Source: docs/protocol.md, "attach".
package struct ViewID: Hashable, Sendable {
    package static let bytesMax = 32

    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Nil when the name is empty, too long or holds a control character.
    package init?(_ text: some StringProtocol) {
        let utf8 = text.utf8
        guard !utf8.isEmpty, utf8.count <= Self.bytesMax else { return nil }
        for (index, byte) in utf8.enumerated() {
            guard byte >= 0x20, byte != 0x7F else { return nil }
            set(byte, at: index)
        }
    }

    /// The bytes at `range`, which hold valid UTF-8. Nil as above.
    package init?(_ bytes: Span<UInt8>, in range: Range<Int>) {
        guard !range.isEmpty, range.count <= Self.bytesMax else { return nil }
        var position = 0
        for index in range {
            let byte = bytes[index]
            guard byte >= 0x20, byte != 0x7F else { return nil }
            set(byte, at: position)
            position += 1
        }
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

    @inline(__always)
    private func forEachWord(_ body: (UInt64) -> Void) {
        body(words.0)
        guard words.1 != 0 else { return }
        body(words.1)
        body(words.2)
        body(words.3)
    }

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

extension ViewID: ExpressibleByStringLiteral {
    /// For tests and scenarios; a literal that is no view name is a mistake of ours.
    package init(stringLiteral value: String) {
        guard let id = ViewID(value) else { preconditionFailure("no view name: \(value)") }
        self = id
    }
}
