internal import RefreshProtocol

/// A parser of a backend's answer. The answer is a JSON array of items, or an object with `items`,
/// `more`, `next`, `total` and `maxAgeMs`. An `AnswerMapping` can define other places for these
/// fields.
///
/// The whole text is scanned and validated once. Items are not decoded: they are sent to clients
/// byte for byte. Unknown fields are ignored. A name on the path to a known field may occur only
/// once in its object. Source: docs/backends.md, "What an answer looks like".
package struct PageReader: ~Escapable {
    /// The contents of an answer.
    struct Answer: Hashable, Sendable {
        /// The range of the array of items, from `[` to `]`.
        var items: Range<Int>
        /// The range of each item; empty if `keepingElements` was false.
        var elements: [Range<Int>] = []
        var count: Int
        var more: Bool?
        var next: Next = .absent
        var total: Int?
        var maxAgeMs: Int?
    }

    /// The information of an answer about the next page.
    enum Next: Hashable, Sendable {
        /// The field is absent.
        case absent
        /// The field is `null` or empty.
        case none
        case cursor(String)
    }

    /// The maximum length of a cursor in its JSON form, in bytes.
    static var cursorBytesMax: Int { 4096 }

    /// The largest integer that an answer may contain in a field, 2^53 - 1. Some clients cannot
    /// represent larger numbers exactly.
    package static var naturalMax: Int { 9_007_199_254_740_991 }

    private var scanner: JSONScanner
    private let bytes: [UInt8]
    private let mapping: AnswerMapping
    private let keepsElements: Bool

    private var items: Range<Int>?
    private var answer = Answer(items: 0..<0, count: 0)

    /// Parses `bytes`, which must be exactly one answer. If `keepingElements` is true, also records
    /// the range of each item.
    static func read(
        _ bytes: [UInt8], by mapping: AnswerMapping = .plain, keepingElements: Bool = false
    ) throws(AnswerFault) -> Answer {
        let scanner = JSONScanner(bytes.span, limits: AnswerFault.limits)
        var reader = PageReader(scanner, over: bytes, mapping, keepingElements: keepingElements)
        return try reader.read()
    }

    @_lifetime(copy scanner)
    private init(
        _ scanner: consuming JSONScanner, over bytes: [UInt8], _ mapping: AnswerMapping,
        keepingElements: Bool
    ) {
        self.scanner = scanner
        self.bytes = bytes
        self.mapping = mapping
        self.keepsElements = keepingElements
    }

    @_lifetime(self: copy self)
    private mutating func read() throws(AnswerFault) -> Answer {
        try readValue(at: 0, inside: 0)
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw AnswerFault(.malformed, at: scanner.index) }
        guard let items else {
            throw AnswerFault(mapping.acceptsBareItems ? .noItems : .noMappedItems, at: 0)
        }
        answer.items = items
        return answer
    }

    /// Reads the value for `node` of the mapping. `depth` is the number of arrays and objects that
    /// enclose the value. If the value is not valid for its field, the fault reports the position
    /// `offset`. If `offset` is nil, the fault reports the start of the value.
    @_lifetime(self: copy self)
    private mutating func readValue(
        at node: Int, inside depth: Int, from offset: Int? = nil
    ) throws(AnswerFault) {
        scanner.skipSpace()
        let place = mapping.nodes[node]
        let start = scanner.index
        var rest = place.fields
        switch scanner.peek {
        case UInt8(ascii: "["):
            let isBare = node == 0 && mapping.acceptsBareItems
            let isItems = isBare || rest.contains(.items)
            rest.removeAll { $0 == .items }
            if isItems || !place.branches.isEmpty {
                try readArray(place, isItems: isItems, inside: depth)
            } else {
                _ = try scanner.skipAnswerValue(inside: depth)
            }
        case UInt8(ascii: "{") where !place.branches.isEmpty:
            try readObject(place, inside: depth)
        case UInt8(ascii: "\"") where rest.contains(.next):
            try readNext(at: offset ?? start)
            rest.removeAll { $0 == .next }
        default:
            _ = try scanner.skipAnswerValue(inside: depth)
        }
        guard !rest.isEmpty else { return }
        let value = bytes[start..<scanner.index]
        for field in rest where !readScalar(field, value) {
            throw AnswerFault(.field(field.rawValue), at: offset ?? start)
        }
    }

    @_lifetime(self: copy self)
    private mutating func readObject(
        _ place: AnswerMapping.Node, inside depth: Int
    ) throws(AnswerFault) {
        try open(UInt8(ascii: "{"), inside: depth)
        if scanner.consumeByte(UInt8(ascii: "}")) { return }
        var seen: Set<Int> = []
        repeat {
            scanner.skipSpace()
            let start = scanner.index
            let branch = Self.branch(
                of: place, named: try scanner.readAnswerString(), in: scanner.bytes)
            try scanner.require(UInt8(ascii: ":"))
            guard let branch else {
                _ = try scanner.skipAnswerValue(inside: depth + 1)
                continue
            }
            guard seen.insert(branch.node).inserted else {
                let name = String(decoding: branch.name, as: UTF8.self)
                throw AnswerFault(.field(name), at: start)
            }
            try readValue(at: branch.node, inside: depth + 1, from: start)
        } while scanner.consumeByte(UInt8(ascii: ","))
        try scanner.require(UInt8(ascii: "}"))
    }

    private static func branch(
        of place: AnswerMapping.Node, named name: JSONStringRange, in bytes: Span<UInt8>
    ) -> AnswerMapping.Branch? {
        // Only names of the same length are compared, and only escaped names are decoded.
        if name.isEscaped {
            let text = Array(name.text(in: bytes).utf8)
            return place.branches.first { $0.name == text }
        }
        for branch in place.branches where branch.name.count == name.count {
            var index = 0
            while index < name.count, branch.name[index] == bytes[name.start + index] { index += 1 }
            if index == name.count { return branch }
        }
        return nil
    }

    @_lifetime(self: copy self)
    private mutating func readArray(
        _ place: AnswerMapping.Node, isItems: Bool, inside depth: Int
    ) throws(AnswerFault) {
        let start = scanner.index
        try open(UInt8(ascii: "["), inside: depth)
        var count = 0
        if !scanner.consumeByte(UInt8(ascii: "]")) {
            repeat {
                let element = try readElement(count, of: place, inside: depth + 1)
                count += 1
                if isItems, keepsElements { answer.elements.append(element) }
            } while scanner.consumeByte(UInt8(ascii: ","))
            try scanner.require(UInt8(ascii: "]"))
        }
        guard isItems else { return }
        answer.count = count
        items = start..<scanner.index
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func readElement(
        _ index: Int, of place: AnswerMapping.Node, inside depth: Int
    ) throws(AnswerFault) -> Range<Int> {
        guard !place.branches.isEmpty,
            let branch = place.branches.first(where: { $0.index == index })
        else { return try scanner.skipAnswerValue(inside: depth) }
        scanner.skipSpace()
        let start = scanner.index
        try readValue(at: branch.node, inside: depth)
        return start..<scanner.index
    }

    /// Consumes the opening bracket of an array or object. `depth` is the number of arrays and
    /// objects that enclose it.
    @_lifetime(self: copy self)
    private mutating func open(_ byte: UInt8, inside depth: Int) throws(AnswerFault) {
        guard depth < AnswerFault.limits.depthMax else {
            throw AnswerFault(.tooDeep, at: scanner.index)
        }
        try scanner.require(byte)
    }

    @_lifetime(self: copy self)
    private mutating func readNext(at offset: Int) throws(AnswerFault) {
        let cursor = try scanner.readAnswerString()
        guard cursor.count + 2 <= mapping.nextBytesMax else {
            throw AnswerFault(.field("next"), at: offset)
        }
        answer.next = cursor.count == 0 ? .none : .cursor(cursor.text(in: scanner.bytes))
    }

    /// Stores `value`, which is well-formed JSON, in the field. Returns false if the field cannot
    /// have this value.
    @_lifetime(self: copy self)
    private mutating func readScalar(
        _ field: AnswerMapping.Field, _ value: ArraySlice<UInt8>
    ) -> Bool {
        let isNull = value.elementsEqual("null".utf8)
        switch field {
        case .more:
            if value.elementsEqual("true".utf8) { answer.more = true }
            if value.elementsEqual("false".utf8) { answer.more = false }
            return answer.more != nil || isNull
        case .next:
            answer.next = isNull ? .none : Self.number(value).map { .cursor($0) } ?? .absent
            return isNull || (mapping.acceptsNumbers && answer.next != .absent)
        case .total:
            answer.total = Self.natural(value)
            return answer.total != nil || isNull
        case .maxAgeMs:
            answer.maxAgeMs = Self.natural(value)
            return answer.maxAgeMs != nil || isNull
        case .items:
            return false
        }
    }

    /// Returns the text of `value` if it is a number and not too long for a cursor, and otherwise
    /// nil.
    private static func number(_ value: ArraySlice<UInt8>) -> String? {
        guard let first = value.first, value.count <= cursorBytesMax,
            first == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
        else { return nil }
        return String(decoding: value, as: UTF8.self)
    }

    private static func natural(_ value: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: value, as: UTF8.self)).flatMap { 0...naturalMax ~= $0 ? $0 : nil }
    }
}
