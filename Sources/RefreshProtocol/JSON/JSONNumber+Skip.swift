extension JSONNumber {
    /// The end of the number at `start`. A number too small for a double is accepted, as in
    /// `JSON.parse`.
    ///
    /// - Throws: `malformedJSON`; `numberOutOfRange` if the number rounds to an infinity.
    package static func skip(_ bytes: Span<UInt8>, at start: Int) throws(FaultCode) -> Int {
        let isNegative = start < bytes.count && bytes[start] == 0x2D
        let firstDigit = isNegative ? start + 1 : start
        var digitsEnd = try digitsEnd(bytes, from: firstDigit)
        guard digitsEnd == firstDigit + 1 || bytes[firstDigit] != 0x30 else {
            throw .malformedJSON
        }
        if digitsEnd < bytes.count, bytes[digitsEnd] == 0x2E {
            digitsEnd = try self.digitsEnd(bytes, from: digitsEnd + 1)
        }
        let end = try exponentEnd(bytes, from: digitsEnd)
        // The largest double has 309 digits.
        guard end > digitsEnd || end - start > 300 else { return end }
        do {
            _ = try readExactly(bytes, from: start, to: end)
        } catch {
            // The number can be too large or too small. Such numbers are infrequent, so creating a
            // string is acceptable.
            let text = unsafe bytes.withUnsafeBufferPointer { all in
                unsafe String(decoding: all[start..<end], as: UTF8.self)
            }
            guard let value = Double(text), value.isFinite else { throw error }
        }
        return end
    }

    /// The end of the optional exponent at `start`.
    static func exponentEnd(_ bytes: Span<UInt8>, from start: Int) throws(FaultCode) -> Int {
        guard start < bytes.count, bytes[start] | 0x20 == 0x65 else { return start }
        let hasSign =
            start + 1 < bytes.count && (bytes[start + 1] == 0x2B || bytes[start + 1] == 0x2D)
        return try digitsEnd(bytes, from: hasSign ? start + 2 : start + 1)
    }

    /// The end of the digits at `start`, of which there must be at least one.
    private static func digitsEnd(
        _ bytes: Span<UInt8>, from start: Int
    ) throws(FaultCode) -> Int {
        var end = start
        while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1 }
        guard end > start else { throw .malformedJSON }
        return end
    }
}
