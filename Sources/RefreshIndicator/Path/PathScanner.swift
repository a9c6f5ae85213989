/// Reads path data byte by byte: separators, command letters, numbers and flags.
struct PathScanner {
    private let bytes: [UInt8]
    /// The position of the next byte.
    private(set) var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    var isAtEnd: Bool { position == bytes.count }

    /// Whether the next token can only be another value. A comma may precede the value.
    var isBeforeValue: Bool {
        guard let next else { return false }
        return next == UInt8(ascii: ",") || Self.beginsNumber(next)
    }

    mutating func skipSpaces() {
        while let next, Self.isSpace(next) { position += 1 }
    }

    /// Skips white space and at most one comma.
    mutating func skipSeparator() {
        skipSpaces()
        guard next == UInt8(ascii: ",") else { return }
        position += 1
        skipSpaces()
    }

    mutating func readCommand() throws(SVGPathError) -> PathCommand {
        guard let next else { throw error(.commandExpected) }
        guard let command = PathCommand(letter: next) else {
            let isValue = Self.beginsNumber(next) || next == UInt8(ascii: ",")
            throw error(isValue ? .commandExpected : .unknownCommand)
        }
        position += 1
        return command
    }

    /// Reads an SVG number. Digits can be missing before or after the decimal point. An `e` without
    /// digits is not part of the number.
    mutating func readNumber() throws(SVGPathError) -> Double {
        let start = position
        if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { position += 1 }
        var digits = skipDigits()
        if next == UInt8(ascii: ".") {
            position += 1
            digits += skipDigits()
        }
        guard digits > 0 else { throw error(.numberExpected, at: start) }
        skipExponent()
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Double(text) else { throw error(.numberExpected, at: start) }
        guard value.magnitude <= PathLimits.coordinateMax else {
            throw error(.numberOutOfRange, at: start)
        }
        return value
    }

    /// Reads a flag: the digit 0 or 1. The next value can follow without a separator.
    mutating func readFlag() throws(SVGPathError) -> Bool {
        guard let next, next == UInt8(ascii: "0") || next == UInt8(ascii: "1") else {
            throw error(.flagExpected)
        }
        position += 1
        return next == UInt8(ascii: "1")
    }

    /// An error at byte `place`. If `place` is nil, the error is at the current position.
    func error(_ reason: SVGPathError.Reason, at place: Int? = nil) -> SVGPathError {
        // The position is the number of scalars before the error. Each byte that is not a
        // continuation byte begins a scalar.
        let scalars = bytes[..<(place ?? position)].count { $0 & 0xC0 != 0x80 }
        return SVGPathError(position: scalars, reason: reason)
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let next, Self.isDigit(next) { position += 1 }
        return position - start
    }

    private mutating func skipExponent() {
        guard let next, next | 0x20 == UInt8(ascii: "e") else { return }
        let start = position
        position += 1
        if self.next == UInt8(ascii: "-") || self.next == UInt8(ascii: "+") { position += 1 }
        if skipDigits() == 0 { position = start }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

    private static func beginsNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: ".")
    }

    /// Whether the byte is a tab, a line feed, a form feed, a carriage return or a space.
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }
}
