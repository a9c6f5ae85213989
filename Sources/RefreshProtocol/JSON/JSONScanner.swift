/// Reads JSON text from left to right and allocates nothing (RFC 8259, strictly: no byte order mark,
/// no NaN, no trailing commas; strings are checked to be UTF-8).
///
/// It never reads past the end and never traps on any input: each method leaves the scanner behind
/// what it read, or throws the fault.
package struct JSONScanner: ~Escapable {
    package let bytes: Span<UInt8>
    package private(set) var index: Int
    package let limits: JSONLimits

    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>, from start: Int = 0, limits: JSONLimits) {
        self.bytes = bytes
        self.index = start
        self.limits = limits
    }

    /// The byte at the index; nil at the end.
    @inline(__always)
    package var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    package var isAtEnd: Bool { index >= bytes.count }

    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func skipSpace() {
        while index < bytes.count, bytes[index] <= 0x20 {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index &+= 1
            default: return
            }
        }
    }

    /// Skips space, then takes `byte` if it stands there.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == byte else { return false }
        index &+= 1
        return true
    }

    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func expect(_ byte: UInt8) throws(FaultCode) {
        guard take(byte) else { throw .malformedJSON }
    }

    /// Takes the rest of a literal whose first byte was seen.
    @_lifetime(self: copy self)
    package mutating func literal(_ text: StaticString) throws(FaultCode) {
        let count = text.utf8CodeUnitCount
        guard bytes.count - index >= count else { throw .malformedJSON }
        for offset in 0..<count {
            let wanted = unsafe text.utf8Start[offset]
            guard bytes[index + offset] == wanted else { throw .malformedJSON }
        }
        index += count
    }

    /// Takes a string: the range of what stands between the quotes.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func string() throws(FaultCode) -> JSONStringRange {
        guard index < bytes.count, bytes[index] == 0x22 else { throw .malformedJSON }
        index &+= 1
        let start = index
        // Eight bytes at a time up to the quote, as long as they are plain.
        while true {
            let word = bytes.word(at: index)
            let plain = ByteLanes.firstIndex(of: 0x22, in: word)
            if ByteLanes.hasSpecial(plain, of: word) { return try stringBeyondASCII(from: start) }
            index &+= plain
            if plain < 8 { break }
        }
        let range = JSONStringRange(start: start, end: index, isEscaped: false)
        index &+= 1
        guard range.count <= limits.stringBytesMax else { throw .stringTooLong }
        return range
    }

    /// The rest of a string that holds an escape or a byte beyond ASCII.
    @_lifetime(self: copy self)
    private mutating func stringBeyondASCII(
        from start: Int
    ) throws(FaultCode) -> JSONStringRange {
        var isEscaped = false
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x22:
                let range = JSONStringRange(start: start, end: index, isEscaped: isEscaped)
                index += 1
                guard range.count <= limits.stringBytesMax else { throw .stringTooLong }
                return range
            case 0x5C:
                isEscaped = true
                guard let length = JSONEscape.length(in: bytes, at: index) else {
                    throw .malformedJSON
                }
                index += length
            case 0..<0x20: throw .malformedJSON
            case 0x20..<0x80: index += 1
            default:
                guard let length = UTF8Sequence.length(in: bytes, at: index) else {
                    throw .malformedJSON
                }
                index += length
            }
        }
        throw .malformedJSON
    }

    /// Takes a number.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func number() throws(FaultCode) -> Double {
        try NumberText.read(bytes, at: &index)
    }

    /// Takes any value and drops it; returns where it stood. `depth` counts the containers around it.
    @_lifetime(self: copy self)
    package mutating func skipValue(depth: Int) throws(FaultCode) -> Range<Int> {
        skipSpace()
        let start = index
        guard let byte = peek else { throw .malformedJSON }
        switch byte {
        case 0x22: _ = try string()
        case 0x7B: try skipObject(depth: depth + 1)
        case 0x5B: try skipArray(depth: depth + 1)
        case 0x74: try literal("true")
        case 0x66: try literal("false")
        case 0x6E: try literal("null")
        default: _ = try number()
        }
        return start..<index
    }

    @_lifetime(self: copy self)
    private mutating func skipObject(depth: Int) throws(FaultCode) {
        guard depth <= limits.depthMax else { throw .depthExceeded }
        try expect(0x7B)
        if take(0x7D) { return }
        repeat {
            skipSpace()
            _ = try string()
            try expect(0x3A)
            _ = try skipValue(depth: depth)
        } while take(0x2C)
        try expect(0x7D)
    }

    @_lifetime(self: copy self)
    private mutating func skipArray(depth: Int) throws(FaultCode) {
        guard depth <= limits.depthMax else { throw .depthExceeded }
        try expect(0x5B)
        if take(0x5D) { return }
        repeat {
            _ = try skipValue(depth: depth)
        } while take(0x2C)
        try expect(0x5D)
    }
}
