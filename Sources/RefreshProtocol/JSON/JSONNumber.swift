internal import CNumberText

/// Exact conversion between JSON numbers and text. Written text reads back as the same double, and
/// a read number is the double nearest to the text. The conversions do not allocate. See
/// docs/decisions/0002-number-text.md.
package enum JSONNumber {
    /// Reads the number at `start`. Returns the number and the index after its end.
    ///
    /// - Throws: `malformedJSON`; `numberOutOfRange` if the number underflows, or rounds to
    ///   an infinity.
    @inline(__always)
    package static func read(
        _ bytes: Span<UInt8>, at start: Int
    ) throws(FaultCode) -> (value: Double, end: Int) {
        var position = start
        let isNegative = position < bytes.count && bytes[position] == 0x2D
        if isNegative { position &+= 1 }
        let firstDigit = position
        var mantissa: UInt64 = 0
        while position < bytes.count, case let digit = bytes[position] &- 0x30, digit <= 9 {
            mantissa = mantissa &* 10 &+ UInt64(digit)
            position &+= 1
        }
        var digits = position &- firstDigit
        guard digits > 0, digits == 1 || bytes[firstDigit] != 0x30 else { throw .malformedJSON }
        var divisor = 1.0
        if position < bytes.count, bytes[position] == 0x2E {
            position &+= 1
            let firstFraction = position
            while position < bytes.count, case let digit = bytes[position] &- 0x30, digit <= 9 {
                mantissa = mantissa &* 10 &+ UInt64(digit)
                divisor *= 10
                position &+= 1
            }
            guard position > firstFraction else { throw .malformedJSON }
            digits &+= position &- firstFraction
        }
        // Up to 15 digits and a power of ten up to 22 are both exact doubles, so one division
        // rounds correctly (W. D. Clinger, "How to read floating point numbers accurately", 1990).
        guard digits <= 15, position >= bytes.count || bytes[position] | 0x20 != 0x65 else {
            return try readExactly(bytes, from: start, digitsEnd: position)
        }
        let magnitude = Double(mantissa) / divisor
        return (isNegative ? -magnitude : magnitude, position)
    }

    /// Reads the number at `start`. Its digits end at `digitsEnd`, where an exponent can follow.
    private static func readExactly(
        _ bytes: Span<UInt8>, from start: Int, digitsEnd: Int
    ) throws(FaultCode) -> (value: Double, end: Int) {
        let end = try exponentEnd(bytes, from: digitsEnd)
        return (try readExactly(bytes, from: start, to: end), end)
    }

    static func readExactly(
        _ bytes: Span<UInt8>, from start: Int, to end: Int
    ) throws(FaultCode) -> Double {
        var value = 0.0
        let isRead = unsafe bytes.withUnsafeBufferPointer { all in
            guard let base = all.baseAddress else { return false }
            return unsafe number_text_read(base + start, end - start, &value)
        }
        guard isRead, value.isFinite else { throw .numberOutOfRange }
        return value
    }

    /// The maximum number of bytes that `write` needs.
    static let bytesMax = 25

    /// Writes the shortest text that reads back as `value`, which must be finite. Returns the
    /// length of the text.
    @inline(__always)
    static func write(_ value: Double, to out: UnsafeMutablePointer<UInt8>) -> Int {
        // Six decimals are enough for most values that are sent. The scaled value is rounded. If
        // the rounded number divided by a million is `value` again, its digits (at most 15) are the
        // shortest text.
        let scaled = value * 1_000_000
        if scaled.magnitude < 1e15 {
            // Truncation is one instruction; rounding would be a call.
            let millionths = Int64(scaled + (scaled < 0 ? -0.5 : 0.5))
            if Double(millionths) / 1_000_000 == value, millionths != 0 || value.sign == .plus {
                return unsafe writeMillionths(millionths, to: out)
            }
        }
        return unsafe number_text_write(value, out, bytesMax)
    }

    @inline(__always)
    private static func writeMillionths(
        _ millionths: Int64, to out: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var length = 0
        if millionths < 0 {
            unsafe out[0] = 0x2D
            length = 1
        }
        let whole = millionths.magnitude / 1_000_000
        var fraction = millionths.magnitude % 1_000_000
        unsafe length += write(whole, to: out + length)
        guard fraction != 0 else { return length }
        unsafe out[length] = 0x2E
        length &+= 1
        while fraction != 0 {
            fraction &*= 10
            let digit = fraction / 1_000_000
            unsafe out[length] = 0x30 &+ UInt8(truncatingIfNeeded: digit)
            length &+= 1
            fraction &-= digit &* 1_000_000
        }
        return length
    }

    /// Writes a number of ten-thousandths as the shortest decimal text. Returns the length of the
    /// text, which is at most 12 bytes.
    @inline(__always)
    static func write(tenThousandths value: Int32, to out: UnsafeMutablePointer<UInt8>) -> Int {
        var length = 0
        if value < 0 {
            unsafe out[0] = 0x2D
            length = 1
        }
        let whole = value.magnitude / 10_000
        let fraction = value.magnitude % 10_000
        if whole < 10 {
            unsafe out[length] = 0x30 &+ UInt8(truncatingIfNeeded: whole)
            length &+= 1
        } else {
            unsafe length &+= write(UInt64(whole), to: out + length)
        }
        guard fraction != 0 else { return length }
        unsafe out[length] = 0x2E
        // The first step computes both halves at once, in sixteen bits each. The second step
        // computes the digits, in one byte each, with the first digit in the lowest byte.
        let hundreds = fraction / 100
        let halves = hundreds | (fraction &- hundreds &* 100) &<< 16
        let tens = ((halves &* 103) &>> 10) & 0x000F_000F
        let digits = tens | (halves &- tens &* 10) &<< 8
        unsafe UnsafeMutableRawPointer(out + length + 1).storeBytes(
            of: (digits | 0x3030_3030).littleEndian, as: UInt32.self)
        return length &+ 5 &- digits.leadingZeroBitCount / 8
    }

    /// Writes a whole number. Returns the length of the text, which is at most 20 bytes.
    @inline(__always)
    static func write(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        var length = 1
        var bound: UInt64 = 10
        while length < 20, value >= bound {
            length &+= 1
            bound = bound &* 10
        }
        var rest = value
        var position = length
        repeat {
            let quotient = rest / 10
            position &-= 1
            unsafe out[position] = 0x30 &+ UInt8(truncatingIfNeeded: rest &- quotient &* 10)
            rest = quotient
        } while rest != 0
        return length
    }
}
