/// Reads JSON text from left to right without allocating. The scanner is strict (RFC 8259): it
/// rejects a byte order mark, NaN and trailing commas. Strings must be valid UTF-8.
///
/// The scanner never reads past the end, and never traps on any input. Each reading method either
/// moves the scanner to the end of the text that it has read, or throws a fault.
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

    /// Skips space. Then, if `byte` is next, consumes `byte` and returns true.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func consumeByte(_ byte: UInt8) -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == byte else { return false }
        index &+= 1
        return true
    }

    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func expect(_ byte: UInt8) throws(FaultCode) {
        guard consumeByte(byte) else { throw .malformedJSON }
    }

    /// Consumes a literal whose first byte was already seen.
    @_lifetime(self: copy self)
    package mutating func consumeLiteral(_ text: StaticString) throws(FaultCode) {
        let count = text.utf8CodeUnitCount
        guard bytes.count - index >= count else { throw .malformedJSON }
        for offset in 0..<count {
            let expected = unsafe text.utf8Start[offset]
            guard bytes[index + offset] == expected else { throw .malformedJSON }
        }
        index += count
    }

    /// The bytes of the string at the index, which are not validated. Nil if there is no string, or
    /// if its length is not 1 to 15 bytes. Nothing is consumed.
    @inline(__always)
    var shortBytes: PackedName? {
        guard index < bytes.count, bytes[index] == 0x22 else { return nil }
        let low = bytes.word(at: index &+ 1)
        let first = ByteLanes.firstIndex(of: 0x22, in: low)
        // This single comparison tests that `first` is 1 to 7.
        if UInt(bitPattern: first &- 1) < 7 {
            return PackedName(
                low: ByteLanes.lowest(first, of: low), high: 0, count: first)
        }
        guard first == 8 else { return nil }
        let high = bytes.word(at: index &+ 9)
        let second = ByteLanes.firstIndex(of: 0x22, in: high)
        guard second < 8 else { return nil }
        return PackedName(
            low: low, high: ByteLanes.lowest(second, of: high), count: second &+ 8)
    }

    /// Consumes the string that `shortBytes` returned.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func consumeShortString(_ string: PackedName) { index &+= string.count &+ 2 }

    /// Consumes a string and returns the range of its content between the quotes.
    @_lifetime(self: copy self)
    package mutating func readString() throws(FaultCode) -> JSONStringRange {
        guard index < bytes.count, bytes[index] == 0x22 else { throw .malformedJSON }
        let start = index &+ 1
        let plain = ByteLanes.plainCount(in: bytes.word(at: start))
        let end = start &+ plain
        guard plain < 8, end < bytes.count, bytes[end] == 0x22, plain <= limits.stringBytesMax
        else { return try readRestOfString(from: start, plain) }
        index = end &+ 1
        return JSONStringRange(start: start, end: end, isEscaped: false)
    }

    /// Consumes a string, of which the first `plain` bytes are known to be plain. If it throws, the
    /// index is that of the fault.
    @_lifetime(self: copy self)
    private mutating func readRestOfString(
        from start: Int, _ plain: Int
    ) throws(FaultCode) -> JSONStringRange {
        var isEscaped = false
        index = start &+ plain
        while index < bytes.count {
            let plain = ByteLanes.plainCount(in: bytes.word(at: index))
            index &+= plain
            if plain == 8 { continue }
            guard index < bytes.count else { break }
            let byte = bytes[index]
            switch byte {
            case 0x22:
                let range = JSONStringRange(start: start, end: index, isEscaped: isEscaped)
                index &+= 1
                guard range.count <= limits.stringBytesMax else { throw .stringTooLong }
                return range
            case 0x5C:
                isEscaped = true
                guard let length = JSONEscape.length(in: bytes, at: index) else {
                    throw .malformedJSON
                }
                index &+= length
            case 0..<0x20: throw .malformedJSON
            default:
                guard let length = UTF8Sequence.length(in: bytes, at: index) else {
                    throw .malformedJSON
                }
                index &+= length
            }
        }
        throw .malformedJSON
    }

    /// Consumes a number.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func readNumber() throws(FaultCode) -> Double {
        let (value, end) = try JSONNumber.read(bytes, at: index)
        index = end
        return value
    }

    /// Consumes a number. One that is too small for a double is 0.
    @_lifetime(self: copy self)
    mutating func readForwardedNumber() throws(FaultCode) -> Double {
        do throws(FaultCode) {
            return try readNumber()
        } catch {
            guard error == .numberOutOfRange else { throw error }
            index = try JSONNumber.skip(bytes, at: index)
            return 0
        }
    }

    /// Moves to the position of another scanner of the same text. Infrequent work uses a copy of
    /// this scanner, and this scanner then moves to the position of the copy. In this way, this
    /// scanner can stay in registers.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func move(to position: Int) { index = position }

    /// Skips any value and returns its range. `depth` is the number of containers around the value.
    /// Numbers must fit a double. With `allowingUnderflow`, numbers that are too small are
    /// accepted, and only numbers that are too large are rejected. This option is used for values
    /// that are forwarded unchanged.
    @_lifetime(self: copy self)
    package mutating func skipValue(
        depth: Int, allowingUnderflow: Bool = false
    ) throws(FaultCode) -> Range<Int> {
        skipSpace()
        let start = index
        guard let byte = peek else { throw .malformedJSON }
        switch byte {
        case 0x22: _ = try readString()
        case 0x7B: try skipObject(depth: depth + 1, allowingUnderflow)
        case 0x5B: try skipArray(depth: depth + 1, allowingUnderflow)
        case 0x74: try consumeLiteral("true")
        case 0x66: try consumeLiteral("false")
        case 0x6E: try consumeLiteral("null")
        default:
            if allowingUnderflow {
                index = try JSONNumber.skip(bytes, at: index)
            } else {
                _ = try readNumber()
            }
        }
        return start..<index
    }

    @_lifetime(self: copy self)
    private mutating func skipObject(
        depth: Int, _ allowingUnderflow: Bool
    ) throws(FaultCode) {
        guard depth <= limits.depthMax else { throw .depthExceeded }
        try expect(0x7B)
        if consumeByte(0x7D) { return }
        repeat {
            skipSpace()
            _ = try readString()
            try expect(0x3A)
            _ = try skipValue(depth: depth, allowingUnderflow: allowingUnderflow)
        } while consumeByte(0x2C)
        try expect(0x7D)
    }

    @_lifetime(self: copy self)
    private mutating func skipArray(
        depth: Int, _ allowingUnderflow: Bool
    ) throws(FaultCode) {
        guard depth <= limits.depthMax else { throw .depthExceeded }
        try expect(0x5B)
        if consumeByte(0x5D) { return }
        repeat {
            _ = try skipValue(depth: depth, allowingUnderflow: allowingUnderflow)
        } while consumeByte(0x2C)
        try expect(0x5D)
    }
}

/// The limits of a JSON text.
package struct JSONLimits: Hashable, Sendable {
    /// The maximum nesting of containers.
    package var depthMax: Int
    /// The maximum length of each string as encoded in the text, in bytes.
    package var stringBytesMax: Int
    /// Whether the text contains what a backend has sent, unchanged. Then a member may occur twice,
    /// of which the last one counts, and a number may be too small for a double.
    package private(set) var areForwarded = false

    package init(depthMax: Int, stringBytesMax: Int) {
        self.depthMax = depthMax
        self.stringBytesMax = stringBytesMax
    }

    package init(_ limits: Limits) {
        self.init(depthMax: limits.jsonDepthMax, stringBytesMax: limits.stringBytesMax)
    }

    /// The limits for texts that are trusted or were already checked.
    package static let generous = JSONLimits(depthMax: 64, stringBytesMax: .max)

    /// The limits for a frame of the daemon. Items are nested up to 64 deep, and are in a message.
    package static var frameOfDaemon: JSONLimits {
        var limits = JSONLimits(depthMax: 72, stringBytesMax: .max)
        limits.areForwarded = true
        return limits
    }
}
