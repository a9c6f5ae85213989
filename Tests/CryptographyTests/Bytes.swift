import Foundation

/// Parses bytes that are written as in the sources of the test vectors.
enum Bytes {
    static func hexadecimal(_ text: String) -> [UInt8] {
        let digits = text.filter(\.isHexDigit).compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    /// Parses base64url without padding.
    static func base64URL(_ text: String) -> [UInt8] {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
        return Array(Data(base64Encoded: standard + padding) ?? Data())
    }

    static func counting(_ range: ClosedRange<UInt8>) -> [UInt8] { Array(range) }
}
