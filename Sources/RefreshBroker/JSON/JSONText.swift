/// A cursor over bytes that shall be JSON (RFC 8259), strictly: it steps over values and checks
/// them, and builds nothing.
///
/// Stricter than the RFC asks where a client's parser might be: lone surrogates, numbers beyond a
/// double, and nesting beyond `depthMax` are refused. Iterative: depth costs a bit, not a stack
/// frame.
struct JSONText {
    /// Arrays and objects within each other.
    static let depthMax = 64

    let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// The byte here; nil at the end.
    var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    func malformed() -> JSONFault { JSONFault(.malformed, at: position) }

    mutating func skipWhitespace() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    /// White space within a line.
    mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Steps over `expected`, or stays.
    mutating func skip(_ expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        position += 1
        return true
    }

    /// Steps over the value that begins here; `depth` containers are open around it.
    mutating func skipValue(inside depth: Int) throws(JSONFault) {
        // One bit per open container, the innermost lowest: 1 is an object.
        var objects: UInt64 = 0
        var open = 0
        repeat {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth + open < Self.depthMax else { throw JSONFault(.tooDeep, at: position) }
                let isObject = skip(UInt8(ascii: "{"))
                if !isObject { position += 1 }
                skipWhitespace()
                if skip(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { break }
                objects = objects &<< 1 | (isObject ? 1 : 0)
                open += 1
                if isObject { try skipKey() }
                continue
            default:
                try skipScalar()
            }
            // A value ended; close what ends with it.
            while open > 0 {
                skipWhitespace()
                let isObject = objects & 1 == 1
                if skip(UInt8(ascii: ",")) {
                    skipWhitespace()
                    if isObject { try skipKey() }
                    break
                }
                guard skip(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw malformed()
                }
                objects &>>= 1
                open -= 1
            }
        } while open > 0
    }

    /// Steps over `"key" :` to the value; the range is the key with its quotes.
    @discardableResult
    mutating func skipKey() throws(JSONFault) -> Range<Int> {
        let key = try skipString()
        skipWhitespace()
        guard skip(UInt8(ascii: ":")) else { throw malformed() }
        skipWhitespace()
        return key
    }

    private mutating func skipScalar() throws(JSONFault) {
        switch byte {
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try skipLiteral("true")
        case UInt8(ascii: "f"): try skipLiteral("false")
        case UInt8(ascii: "n"): try skipLiteral("null")
        default: try skipNumber()
        }
    }

    private mutating func skipLiteral(_ text: StaticString) throws(JSONFault) {
        let start = position
        for index in 0..<text.utf8CodeUnitCount {
            guard skip(unsafe text.utf8Start[index]) else { throw JSONFault(.malformed, at: start) }
        }
    }

    // MARK: - Numbers

    private mutating func skipNumber() throws(JSONFault) {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try skipDigits() }
        if skip(UInt8(ascii: ".")) { try skipDigits() }
        var mayOverflow = position - start > 300
        if let byte, byte | 0x20 == UInt8(ascii: "e") {
            mayOverflow = true
            position += 1
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try skipDigits()
        }
        guard mayOverflow else { return }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw JSONFault(.numberOutOfRange, at: start)
        }
    }

    private mutating func skipDigits() throws(JSONFault) {
        let start = position
        while let byte, byte &- UInt8(ascii: "0") < 10 { position += 1 }
        guard position > start else { throw malformed() }
    }

    // MARK: - Strings

    /// Steps over the string that begins here; the range is with its quotes.
    @discardableResult
    mutating func skipString() throws(JSONFault) -> Range<Int> {
        let start = position
        guard skip(UInt8(ascii: "\"")) else { throw malformed() }
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return start..<position
            case UInt8(ascii: "\\"):
                try skipEscape()
            case 0x20..<0x80:
                position += 1
            case 0x80...:
                let length = UTF8Sequence.length(in: bytes, at: position)
                guard length > 0 else { throw malformed() }
                position += length
            default:
                throw malformed()
            }
        }
        throw malformed()
    }

    private mutating func skipEscape() throws(JSONFault) {
        let start = position
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            let unit = try skipUnit()
            guard unit & 0xF800 == 0xD800 else { return }
            // A leading surrogate must be followed by a trailing one.
            guard unit & 0xFC00 == 0xD800, skip(UInt8(ascii: "\\")), byte == UInt8(ascii: "u"),
                try skipUnit() & 0xFC00 == 0xDC00
            else { throw JSONFault(.malformed, at: start) }
        default:
            throw malformed()
        }
    }

    /// `uXXXX`, from the `u`.
    private mutating func skipUnit() throws(JSONFault) -> UInt16 {
        position += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte, let digit = Self.hexDigit(byte) else { throw malformed() }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }

    private static func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
