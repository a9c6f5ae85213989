import RefreshProtocol

/// Properties of a JSON text that Foundation accepts, found without the project's scanner. Each
/// property is a reason for which the project's reader may refuse the text.
struct JSONTextFacts {
    private(set) var depth = 0
    /// The number of bytes between the quotes of the longest string.
    private(set) var longestString = 0
    private(set) var hasDuplicateName = false
    private(set) var hasTrailingComma = false
    /// Whether a number rounds to an infinity, or a nonzero number rounds to 0.
    private(set) var hasNumberOutOfRange = false
    /// Whether the text has a byte order mark, or is UTF-16 or UTF-32, which Foundation detects by
    /// the zeros.
    private(set) var isOtherEncoding = false

    init(_ bytes: [UInt8]) {
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
        isOtherEncoding = bytes.contains(0) || marks.contains { bytes.starts(with: $0) }
        var names: [Set<String>] = []
        var last: UInt8 = 0
        var index = 0
        while index < bytes.count {
            let start = index
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0x20, 0x0A, 0x0D, 0x09: continue
            case 0x22:
                while index < bytes.count, bytes[index] != 0x22 {
                    index += bytes[index] == 0x5C ? 2 : 1
                }
                index = min(index + 1, bytes.count)
                longestString = max(longestString, index - start - 2)
                let next = bytes[index...].first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
                if next == 0x3A, let name = FoundationJSON.read(Array(bytes[start..<index]))?.string
                {
                    let isNew = names.last.map { !$0.contains(name) } ?? true
                    if !isNew { hasDuplicateName = true }
                    if !names.isEmpty { names[names.count - 1].insert(name) }
                }
            case 0x7B, 0x5B:
                names.append([])
                depth = max(depth, names.count)
            case 0x7D, 0x5D:
                _ = names.popLast()
                if last == 0x2C { hasTrailingComma = true }
            case 0x2D, 0x30...0x39:
                while index < bytes.count, Self.numberBytes.contains(bytes[index]) { index += 1 }
                readNumber(String(decoding: bytes[start..<index], as: UTF8.self))
            default: break
            }
            last = byte
        }
    }

    private mutating func readNumber(_ text: String) {
        guard let value = Double(text) else { return }
        let significand = text.prefix { $0 != "e" && $0 != "E" }
        if value.isInfinite || (value == 0 && significand.contains { ("1"..."9").contains($0) }) {
            hasNumberOutOfRange = true
        }
    }

    private static let numberBytes = Set("0123456789+-.eE".utf8)
}
