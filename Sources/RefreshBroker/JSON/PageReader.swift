/// Reads a backend's answer: a JSON array of items, or an object with `items`, `more`, `next`,
/// `total`.
///
/// The whole text is checked, and nothing is built of the items: they go to clients byte for byte.
/// Unknown fields are ignored. Source: docs/backends.md, "What an answer looks like".
package struct PageReader {
    /// What an answer said.
    package struct Answer: Hashable, Sendable {
        /// Where the array stands, from `[` to `]`.
        package var items: Range<Int>
        /// Where each element stands; empty unless asked for.
        package var elements: [Range<Int>] = []
        package var count: Int
        package var more: Bool?
        package var next: Next = .unsaid
        package var total: Int?
    }

    /// What an answer said of the page after it.
    package enum Next: Hashable, Sendable {
        /// The field is absent.
        case unsaid
        /// `null` or empty.
        case none
        case cursor(String)
    }

    /// A cursor cannot be longer, bytes of its JSON form.
    package static var cursorBytesMax: Int { 4096 }

    private var text: JSONText
    private let keepsElements: Bool

    private var items: Range<Int>?
    private var elements: [Range<Int>] = []
    private var count = 0
    private var more: Bool?
    private var next = Next.unsaid
    private var total: Int?
    private var seen: Set<String> = []

    /// Reads `bytes`, all of them. `keepingElements` also notes where each item stands.
    package static func read(
        _ bytes: [UInt8], keepingElements: Bool = false
    ) throws(JSONFault) -> Answer {
        var reader = PageReader(bytes, keepingElements: keepingElements)
        return try reader.read()
    }

    private init(_ bytes: [UInt8], keepingElements: Bool) {
        self.text = JSONText(bytes)
        self.keepsElements = keepingElements
    }

    private mutating func read() throws(JSONFault) -> Answer {
        text.skipWhitespace()
        switch text.byte {
        case UInt8(ascii: "["): try readItems(inside: 0)
        case UInt8(ascii: "{"): try readEnvelope()
        default: try text.skipValue(inside: 0)
        }
        text.skipWhitespace()
        guard text.isAtEnd else { throw text.malformed() }
        guard let items else { throw JSONFault(.noItems, at: 0) }
        return Answer(
            items: items, elements: elements, count: count, more: more, next: next, total: total)
    }

    private mutating func readEnvelope() throws(JSONFault) {
        _ = text.skip(UInt8(ascii: "{"))
        text.skipWhitespace()
        if text.skip(UInt8(ascii: "}")) { return }
        repeat {
            text.skipWhitespace()
            let start = text.position
            let key = try text.skipKey()
            try readField(JSONString.text(of: text.bytes[key]), at: start)
            text.skipWhitespace()
        } while text.skip(UInt8(ascii: ","))
        guard text.skip(UInt8(ascii: "}")) else { throw text.malformed() }
    }

    private mutating func readField(_ name: String, at offset: Int) throws(JSONFault) {
        switch name {
        case "items", "more", "next", "total":
            guard seen.insert(name).inserted else { throw JSONFault(.field(name), at: offset) }
        default:
            return try text.skipValue(inside: 1)
        }
        if name == "items", text.byte == UInt8(ascii: "[") { return try readItems(inside: 1) }
        let start = text.position
        try text.skipValue(inside: 1)
        let value = text.bytes[start..<text.position]
        guard readScalar(name, value) else { throw JSONFault(.field(name), at: offset) }
    }

    /// False if `value`, which is well formed, does not fit the field.
    private mutating func readScalar(_ name: String, _ value: ArraySlice<UInt8>) -> Bool {
        let isNull = value.elementsEqual("null".utf8)
        switch name {
        case "more":
            if value.elementsEqual("true".utf8) { more = true }
            if value.elementsEqual("false".utf8) { more = false }
            return more != nil || isNull
        case "next":
            if !isNull {
                guard value.first == UInt8(ascii: "\""), value.count <= Self.cursorBytesMax else {
                    return false
                }
            }
            next = isNull || value.count == 2 ? .none : .cursor(JSONString.text(of: value))
            return true
        case "total":
            total = Int(String(decoding: value, as: UTF8.self)).flatMap { $0 < 0 ? nil : $0 }
            return total != nil || isNull
        default:
            return false
        }
    }

    private mutating func readItems(inside depth: Int) throws(JSONFault) {
        let start = text.position
        _ = text.skip(UInt8(ascii: "["))
        text.skipWhitespace()
        if !text.skip(UInt8(ascii: "]")) {
            repeat {
                text.skipWhitespace()
                let element = text.position
                try text.skipValue(inside: depth + 1)
                count += 1
                if keepsElements { elements.append(element..<text.position) }
                text.skipWhitespace()
            } while text.skip(UInt8(ascii: ","))
            guard text.skip(UInt8(ascii: "]")) else { throw text.malformed() }
        }
        items = start..<text.position
    }
}
