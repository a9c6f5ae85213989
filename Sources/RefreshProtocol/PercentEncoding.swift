/// Percent-encoding of URLs. Source: RFC 3986, sections 2.1 and 2.3.
package enum PercentEncoding {
    /// Encodes all bytes as `%XX`, except unreserved characters and the ASCII characters of `kept`.
    package static func encoded(_ text: String, keeping kept: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            case _ where kept.utf8.contains(byte): bytes.append(byte)
            default:
                bytes.append(contentsOf: [
                    UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)],
                ])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
