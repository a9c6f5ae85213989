/// Strings between JSON and text.
enum JSONString {
    /// Appends `text` as a JSON string with its quotes.
    static func append(_ text: some Sequence<UInt8>, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                json.append(UInt8(ascii: "\\"))
                json.append(byte)
            case 0x0A: json.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
            case 0x0D: json.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
            case 0x09: json.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
            case 0..<0x20:
                json.append(contentsOf: "\\u00".utf8)
                json.append(hexDigits[Int(byte >> 4)])
                json.append(hexDigits[Int(byte & 15)])
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }

    /// The text of a JSON string that `JSONText` has checked, given with its quotes.
    static func text(of string: ArraySlice<UInt8>) -> String {
        let content = string.dropFirst().dropLast()
        guard content.contains(UInt8(ascii: "\\")) else {
            return String(decoding: content, as: UTF8.self)
        }
        var units: [UInt16] = []
        var index = content.startIndex
        while index < content.endIndex {
            let next = content[index...].firstIndex(of: UInt8(ascii: "\\")) ?? content.endIndex
            units.append(contentsOf: String(decoding: content[index..<next], as: UTF8.self).utf16)
            guard next < content.endIndex else { break }
            index = next + 2
            switch content[next + 1] {
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "u"):
                index += 4
                let digits = String(decoding: content[next + 2..<index], as: UTF8.self)
                units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
            case let byte: units.append(UInt16(byte))
            }
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
