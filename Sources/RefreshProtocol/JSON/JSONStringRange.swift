/// The position of a JSON string in the text, without its quotes.
package struct JSONStringRange: Hashable, Sendable {
    package var start: Int
    package var end: Int
    /// Whether the string contains a backslash.
    package var isEscaped: Bool

    package var range: Range<Int> { start..<end }
    package var count: Int { end - start }

    package init(start: Int, end: Int, isEscaped: Bool) {
        self.start = start
        self.end = end
        self.isEscaped = isEscaped
    }

    /// The string's value.
    package func text(in bytes: Span<UInt8>) -> String {
        guard isEscaped else {
            return unsafe bytes.extracting(range).withUnsafeBufferPointer { bytes in
                unsafe String(decoding: bytes, as: UTF8.self)
            }
        }
        var value: [UInt8] = []
        value.reserveCapacity(count)
        var index = start
        while index < end {
            guard bytes[index] == 0x5C else {
                value.append(bytes[index])
                index += 1
                continue
            }
            guard let escape = JSONEscape(in: bytes, at: index) else { break }
            value.append(contentsOf: String(escape.scalar).utf8)
            index += escape.length
        }
        return String(decoding: value, as: UTF8.self)
    }
}
