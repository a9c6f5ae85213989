internal import Foundation

/// The encoding base64url without padding. Its text needs no escapes in JSON or URLs. Source: RFC
/// 4648, section 5.
package enum Base64URL {
    package static func text(of bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedData()
        let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
        return String(
            decoding: text[..<end].map { byte in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: byte
                }
            }, as: UTF8.self)
    }

    /// Decodes `text`. Returns nil if `text` is not exactly the text that `text(of:)` returns for
    /// the decoded bytes.
    package static func bytes(of text: Substring) -> [UInt8]? {
        var standard = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        guard let data = Data(base64Encoded: Data(standard)) else { return nil }
        let bytes = Array(data)
        // The comparison rejects a text whose last character has unused bits that are set. It also
        // rejects `+` and `/`, which belong to another alphabet.
        guard self.text(of: bytes).utf8.elementsEqual(text.utf8) else { return nil }
        return bytes
    }
}
