package import RefreshProtocol

/// A colour in sRGB. Each component is 0...255, and can be fractional during an interpolation.
package struct RGBColor: Hashable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double

    package init(_ red: Double, _ green: Double, _ blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Parses `"#rrggbb"`; returns nil for any other text.
    package init?(_ text: String) {
        var digits: [Double] = []
        for (index, byte) in text.utf8.enumerated() {
            switch byte {
            case 0x23 where index == 0: continue
            case 0x30...0x39 where index > 0: digits.append(Double(byte - 0x30))
            case 0x41...0x46 where index > 0: digits.append(Double(byte - 0x37))
            case 0x61...0x66 where index > 0: digits.append(Double(byte - 0x57))
            default: return nil
            }
        }
        guard digits.count == 6, text.utf8.count == 7 else { return nil }
        self.init(
            digits[0] * 16 + digits[1], digits[2] * 16 + digits[3], digits[4] * 16 + digits[5])
    }

    /// `#rrggbb`, with each component rounded.
    package var text: String {
        var out = ByteBuffer(capacity: 8)
        write(to: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    /// Appends `#rrggbb`, with each component rounded and clamped to its range.
    package func write(to out: inout ByteBuffer) {
        out.append(0x23 as UInt8)
        Self.write(red, to: &out)
        Self.write(green, to: &out)
        Self.write(blue, to: &out)
    }

    private static func write(_ part: Double, to out: inout ByteBuffer) {
        let whole = UInt8(min(max(part.rounded(), 0), 255))
        out.append(hexDigit(whole / 16))
        out.append(hexDigit(whole % 16))
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x57 + value
    }
}
