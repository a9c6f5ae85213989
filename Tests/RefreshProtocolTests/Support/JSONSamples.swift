import RefreshProtocol

/// Generated JSON text, valid and damaged.
enum JSONSamples {
    /// The text of a number. It is valid JSON, but may be out of the range of a double.
    static func number(_ random: inout SeededGenerator) -> String {
        var text = random.once(in: 3) ? "-" : ""
        text += random.once(in: 4) ? "0" : digits(1 + random.below(size(&random)), &random)
        if random.once(in: 2) {
            text += "." + digits(1 + random.below(size(&random)), &random, leadingZero: true)
        }
        if random.once(in: 3) {
            text += random.element(of: ["e", "E"]) + random.element(of: ["", "+", "-"])
            text += String(random.below(random.once(in: 4) ? 400 : 30))
        }
        return text
    }

    /// The text of any value, with random white space.
    static func value(_ random: inout SeededGenerator, depth: Int = 0) -> String {
        let text =
            switch random.below(depth < 6 ? 10 : 7) {
            case 0: "null"
            case 1: "true"
            case 2: "false"
            case 3, 4: number(&random)
            case 5, 6: string(&random)
            case 7, 8: object(&random, depth: depth + 1)
            default: array(&random, depth: depth + 1)
            }
        return space(&random) + text + space(&random)
    }

    /// The text of a string.
    static func string(_ random: inout SeededGenerator) -> String {
        var text = "\""
        for _ in 0..<random.below(random.once(in: 20) ? 200 : 8) {
            text += random.element(of: pieces)
        }
        return text + "\""
    }

    /// A frame: a message or a batch of them, as a client may send it.
    static func frame(_ random: inout SeededGenerator) -> JSONValue {
        guard random.once(in: 6) else { return message(&random) }
        return .array((0..<random.below(4)).map { _ in message(&random) })
    }

    /// A message of any type. More than half of the messages are `scroll` or `pan`.
    static func message(_ random: inout SeededGenerator) -> JSONValue {
        let rule =
            random.once(in: 2)
            ? random.element(of: [MessageRule.all[4], MessageRule.all[5]])
            : random.element(of: MessageRule.all)
        return rule.sample(&random)
    }

    /// The text with one to four small changes.
    static func mutated(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = text
        for _ in 0...random.below(4) { damage(&bytes, &random) }
        return bytes
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let place = random.below(bytes.count + 1)
        let length = min(random.below(random.once(in: 4) ? 40 : 4), bytes.count - place)
        switch random.below(8) {
        case 0: bytes.removeSubrange(place..<place + length)
        case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        case 2 where place < bytes.count:
            bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
        case 4: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
        case 5: bytes.removeSubrange(place...)
        case 6: bytes.insert(contentsOf: Array(random.element(of: tokens).utf8), at: place)
        default:
            let other = random.below(bytes.count + 1)
            let moved = bytes[place..<place + length]
            bytes.insert(contentsOf: Array(moved), at: other)
        }
    }

    private static func object(_ random: inout SeededGenerator, depth: Int) -> String {
        let members = (0..<random.below(4)).map { _ in
            let name = random.once(in: 3) ? string(&random) : "\"k\(random.below(30))\""
            return space(&random) + name + space(&random) + ":" + value(&random, depth: depth)
        }
        return "{" + (members.isEmpty ? space(&random) : members.joined(separator: ",")) + "}"
    }

    private static func array(_ random: inout SeededGenerator, depth: Int) -> String {
        let values = (0..<random.below(4)).map { _ in value(&random, depth: depth) }
        return "[" + (values.isEmpty ? space(&random) : values.joined(separator: ",")) + "]"
    }

    private static func space(_ random: inout SeededGenerator) -> String {
        random.once(in: 8) ? random.element(of: [" ", "\n", "\t", "\r\n", "  "]) : ""
    }

    private static func digits(
        _ count: Int, _ random: inout SeededGenerator, leadingZero: Bool = false
    ) -> String {
        let first = leadingZero ? random.below(10) : 1 + random.below(9)
        return String(first) + (1..<max(count, 1)).map { _ in String(random.below(10)) }.joined()
    }

    private static func size(_ random: inout SeededGenerator) -> Int {
        random.element(of: [2, 6, 12, 20, 36])
    }

    private static let pieces = [
        "a", "Z", "0", " ", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0041",
        "\\u00e9", "\\u0000", "\\uFFFF", "\\ud83d\\ude00", "é", "e\u{301}", "日", "😀", "\u{7F}",
        "\u{2028}", "\u{FEFF}", "k1",
    ]

    /// The tokens of hostile input.
    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\udc00", "\\u0000", "null",
        "true", "false", "NaN", "Infinity", "-", "+", ".", "e", "0", "00", "1e400", "1e-400",
        "-0", "9007199254740993", "18446744073709551616", "0x10", "\u{FEFF}", "\u{0}", "\u{B}",
        " ", "\n", "//", "/**/", "'", "[[[[[[[[[[[[[[[[[", "]]]]]]]]]]]]]]]]]", "{\"a\":",
        "\"type\":\"bye\",", "\"seq\":1,", ",\"view\":null", "{}", "[]", "é", "😀",
    ]
}
