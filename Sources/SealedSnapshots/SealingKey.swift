package import Cryptography
internal import Foundation

/// A key that seals snapshots, and the name of the key. Each snapshot contains this name in plain
/// text.
package struct SealingKey: Sendable {
    static let byteCount = AES256GCM.keyCount

    package let id: String
    package let secret: SymmetricKey

    package init(id: String, secret: SymmetricKey) {
        self.id = id
        self.secret = secret
    }

    /// Creates a key without a configured name. The name is derived from the key, but reveals
    /// nothing about the key.
    init(secret: SymmetricKey) {
        let name = HKDFSHA256.key(
            from: secret, info: Array("refreshd key name".utf8), byteCount: 4)
        id = name.bytes.map { Self.hexadecimal($0) }.joined()
        self.secret = secret
    }

    /// Reads the text of a key file: 32 bytes in base 64, optionally surrounded by spaces and line
    /// breaks. Returns nil if the text is not a key.
    package init?(text: [UInt8], id: String? = nil) {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let trimmed = text.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        guard let bytes = Data(base64Encoded: Data(trimmed)), bytes.count == Self.byteCount
        else { return nil }
        let secret = SymmetricKey(Array(bytes))
        if let id { self.init(id: id, secret: secret) } else { self.init(secret: secret) }
    }

    package static func random() -> SealingKey { SealingKey(secret: .random()) }

    /// The text for a key file.
    package var text: String { Data(secret.bytes).base64EncodedString() + "\n" }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}
