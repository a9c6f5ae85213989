internal import RefreshProtocol

/// Reads a backend's answer: a JSON array of items, or an object with `items`, `more`, `next`,
/// `total`.
///
/// The whole text is checked, and nothing is built of the items: they go to clients byte for byte.
/// Unknown fields are ignored. Source: docs/backends.md, "What an answer looks like".
package struct PageReader: ~Escapable {
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

    private var scanner: JSONScanner
    private let bytes: [UInt8]
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
    ) throws(AnswerFault) -> Answer {
        let scanner = JSONScanner(bytes.span, limits: AnswerFault.limits)
        var reader = PageReader(scanner, over: bytes, keepingElements: keepingElements)
        return try reader.read()
    }

    @_lifetime(copy scanner)
    private init(_ scanner: consuming JSONScanner, over bytes: [UInt8], keepingElements: Bool) {
        self.scanner = scanner
        self.bytes = bytes
        self.keepsElements = keepingElements
    }

    @_lifetime(self: copy self)
    private mutating func read() throws(AnswerFault) -> Answer {
        scanner.skipSpace()
        switch scanner.peek {
        case UInt8(ascii: "["): try readItems(inside: 0)
        case UInt8(ascii: "{"): try readEnvelope()
        default: _ = try scanner.takeValue(inside: 0)
        }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw AnswerFault(.malformed, at: scanner.index) }
        guard let items else { throw AnswerFault(.noItems, at: 0) }
        return Answer(
            items: items, elements: elements, count: count, more: more, next: next, total: total)
    }

    @_lifetime(self: copy self)
    private mutating func readEnvelope() throws(AnswerFault) {
        try scanner.require(UInt8(ascii: "{"))
        if scanner.take(UInt8(ascii: "}")) { return }
        repeat {
            scanner.skipSpace()
            let start = scanner.index
            let name = try scanner.takeString().text(in: scanner.bytes)
            try scanner.require(UInt8(ascii: ":"))
            scanner.skipSpace()
            try readField(name, at: start)
        } while scanner.take(UInt8(ascii: ","))
        try scanner.require(UInt8(ascii: "}"))
    }

    @_lifetime(self: copy self)
    private mutating func readField(_ name: String, at offset: Int) throws(AnswerFault) {
        switch name {
        case "items", "more", "next", "total":
            guard seen.insert(name).inserted else { throw AnswerFault(.field(name), at: offset) }
        default:
            _ = try scanner.takeValue(inside: 1)
            return
        }
        if name == "items", scanner.peek == UInt8(ascii: "[") { return try readItems(inside: 1) }
        if name == "next", scanner.peek == UInt8(ascii: "\"") { return try readNext(at: offset) }
        let value = bytes[try scanner.takeValue(inside: 1)]
        guard readScalar(name, value) else { throw AnswerFault(.field(name), at: offset) }
    }

    @_lifetime(self: copy self)
    private mutating func readNext(at offset: Int) throws(AnswerFault) {
        let cursor = try scanner.takeString()
        guard cursor.count + 2 <= Self.cursorBytesMax else {
            throw AnswerFault(.field("next"), at: offset)
        }
        next = cursor.count == 0 ? .none : .cursor(cursor.text(in: scanner.bytes))
    }

    /// False if `value`, which is well formed, does not fit the field.
    @_lifetime(self: copy self)
    private mutating func readScalar(_ name: String, _ value: ArraySlice<UInt8>) -> Bool {
        let isNull = value.elementsEqual("null".utf8)
        switch name {
        case "more":
            if value.elementsEqual("true".utf8) { more = true }
            if value.elementsEqual("false".utf8) { more = false }
            return more != nil || isNull
        case "next":
            next = .none
            return isNull
        case "total":
            total = Int(String(decoding: value, as: UTF8.self)).flatMap { $0 < 0 ? nil : $0 }
            return total != nil || isNull
        default:
            return false
        }
    }

    @_lifetime(self: copy self)
    private mutating func readItems(inside depth: Int) throws(AnswerFault) {
        let start = scanner.index
        try scanner.require(UInt8(ascii: "["))
        if !scanner.take(UInt8(ascii: "]")) {
            repeat {
                let element = try scanner.takeValue(inside: depth + 1)
                count += 1
                if keepsElements { elements.append(element) }
            } while scanner.take(UInt8(ascii: ","))
            try scanner.require(UInt8(ascii: "]"))
        }
        items = start..<scanner.index
    }
}
