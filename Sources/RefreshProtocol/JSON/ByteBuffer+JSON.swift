extension ByteBuffer {
    /// Appends a finite number in its shortest form.
    @inline(__always)
    package mutating func append(_ value: Double) {
        unsafe appendUninitialized(atMost: JSONNumber.bytesMax) { out in
            unsafe JSONNumber.write(value, to: out)
        }
    }

    @inline(__always)
    package mutating func append(_ value: UInt64) {
        unsafe appendUninitialized(atMost: 20) { out in unsafe JSONNumber.write(value, to: out) }
    }

    package mutating func append(_ value: Int) {
        if value < 0 { append(0x2D as UInt8) }
        append(UInt64(value.magnitude))
    }

    package mutating func append(_ value: Bool) {
        value ? append(literal: "true") : append(literal: "false")
    }

    /// Appends a JSON string.
    package mutating func appendQuoted(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            append(0x22 as UInt8)
            if unsafe bytes.allSatisfy({ !$0.needsEscape }) {
                unsafe append(bytes)
            } else {
                unsafe bytes.forEach { appendEscaped($0) }
            }
            append(0x22 as UInt8)
        }
    }

    /// Appends literal text of the daemon as a JSON string. The text must not need escapes.
    @inline(__always)
    package mutating func appendQuoted(literal text: StaticString) {
        append(0x22 as UInt8)
        append(literal: text)
        append(0x22 as UInt8)
    }

    /// Appends a JSON string.
    @inline(__always)
    package mutating func appendQuoted(_ id: ViewID) {
        append(0x22 as UInt8)
        appendEscaped(id)
        append(0x22 as UInt8)
    }

    /// Appends the content of a JSON string, without its quotes.
    @inline(__always)
    mutating func appendEscaped(_ id: ViewID) {
        id.forEachWord { word in
            if ByteLanes.has(0x22, in: word) || ByteLanes.has(0x5C, in: word) {
                appendEscaped(word)
            } else {
                append(plain: word)
            }
        }
    }

    /// Appends the bytes of `word` before its trailing zeros. None of these bytes may need an
    /// escape.
    @inline(__always)
    private mutating func append(plain word: UInt64) {
        unsafe appendUninitialized(atMost: 8) { out in
            unsafe UnsafeMutableRawPointer(out).storeBytes(
                of: word.littleEndian, as: UInt64.self)
            return 8 &- word.leadingZeroBitCount / 8
        }
    }

    private mutating func appendEscaped(_ word: UInt64) {
        var rest = word
        while rest != 0 {
            appendEscaped(UInt8(truncatingIfNeeded: rest))
            rest &>>= 8
        }
    }

    /// Appends one byte of a string, escaped if JSON requires it. Source: RFC 8259, section 7.
    @inline(__always)
    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5C:
            append(0x5C as UInt8)
            append(byte)
        case 0..<0x20: appendControl(byte)
        default: append(byte)
        }
    }

    private mutating func appendControl(_ byte: UInt8) {
        switch byte {
        case 0x0A: append(literal: "\\n")
        case 0x0D: append(literal: "\\r")
        case 0x09: append(literal: "\\t")
        default:
            append(literal: "\\u00")
            append(0x30 + byte >> 4)
            append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
        }
    }
}

extension UInt8 {
    /// Whether JSON requires this byte of a string to be escaped. Source: RFC 8259, section 7.
    @inline(__always)
    fileprivate var needsEscape: Bool { self < 0x20 || self == 0x22 || self == 0x5C }
}

/// Writes the commas between the members of an object.
package struct MemberSeparator {
    private var isFirst = true

    package init() {}

    @inline(__always)
    package mutating func appendSeparator(to out: inout ByteBuffer) {
        if isFirst { isFirst = false } else { out.append(0x2C as UInt8) }
    }
}
