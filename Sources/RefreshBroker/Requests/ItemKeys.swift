package import RefreshProtocol

/// The identities of a page's items: the range of each item, and a hash of its key.
package struct ItemKeys: Hashable, Sendable, Codable {
    /// The range of each item in the page's bytes.
    package var elements: [Range<Int>]
    /// The hash of the JSON text of each item's key, in the same order. The hash of an item without
    /// a key is nil. Hashes can be compared only if they were made with the same secret hash key.
    package var hashes: [UInt64?]
    /// The items for a comparison with another list. Nil if an item has no key, if two items have
    /// the same key, or if a key is neither a string without escapes nor an integer of at most 15
    /// digits. For all other keys, equal JSON values have equal texts.
    package var list: HashedItems?

    package init(elements: [Range<Int>], hashes: [UInt64?], list: HashedItems? = nil) {
        self.elements = elements
        self.hashes = hashes
        self.list = list
    }
}

extension ItemKeys {
    /// Reads the range and the key of each item of the page in one scan. The key is the value at
    /// `pointer` in the item. An item without such a value, or with `null`, has no key. If a member
    /// name is repeated, the last member counts.
    ///
    /// If `hasList` is false, `list` is nil, and the bytes of the items are not hashed.
    ///
    /// Returns nil if the items are not a JSON array.
    package init?(
        of page: Page, at pointer: JSONPointer, hashedBy hash: SipHash, hasList: Bool = true
    ) {
        let path = pointer.tokens.map { Array($0.utf8) }
        var elements: [Range<Int>] = []
        var hashes: [UInt64?] = []
        var keys: [UInt64] = []
        var contents: [UInt64] = []
        elements.reserveCapacity(page.count)
        hashes.reserveCapacity(page.count)
        let bytes = page.items.span
        var scanner = JSONScanner(bytes, limits: Page.jsonLimits)
        do throws(FaultCode) {
            try scanner.expect(UInt8(ascii: "["))
            if !scanner.consumeByte(UInt8(ascii: "]")) {
                repeat {
                    scanner.skipSpace()
                    let start = scanner.index
                    let key = try Self.scanKey(&scanner, at: path[...], depth: 1)
                    elements.append(start..<scanner.index)
                    let keyHash = key.map { hash.hash(bytes, in: $0) }
                    hashes.append(keyHash)
                    guard hasList, let key, let keyHash, keys.count + 1 == hashes.count,
                        Self.isPlain(key, in: bytes)
                    else { continue }
                    keys.append(keyHash)
                    contents.append(hash.hash(bytes, in: start..<scanner.index))
                } while scanner.consumeByte(UInt8(ascii: ","))
                try scanner.expect(UInt8(ascii: "]"))
            }
        } catch {
            return nil
        }
        self.init(
            elements: elements, hashes: hashes,
            list: hasList && keys.count == hashes.count
                ? HashedItems(keys: keys, contents: contents) : nil)
    }

    /// Returns the range of the key in an item of a page; nil if the item has no key.
    package static func keyRange(
        ofItemAt element: Range<Int>, in bytes: Span<UInt8>, at pointer: JSONPointer
    ) -> Range<Int>? {
        var scanner = JSONScanner(bytes, from: element.lowerBound, limits: Page.jsonLimits)
        return try? scanKey(&scanner, at: pointer.tokens.map { Array($0.utf8) }[...], depth: 1)
    }

    /// Whether a key is a string without escapes, or an integer of at most 15 digits. Two such keys
    /// are equal JSON values only if their texts are equal, in any language.
    static func isPlain(_ key: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard let first = key.first else { return false }
        if bytes[first] == UInt8(ascii: "\"") {
            for index in key where bytes[index] == UInt8(ascii: "\\") { return false }
            return true
        }
        let isNegative = bytes[first] == UInt8(ascii: "-")
        let digits = isNegative ? key.dropFirst() : key
        guard digits.count <= 15 else { return false }
        for index in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else {
                return false
            }
        }
        return !isNegative || bytes[digits.lowerBound] != UInt8(ascii: "0")
    }

    /// Skips one value. Returns the range of the part of the value to which `path` leads. Returns
    /// nil if there is no such part.
    private static func scanKey(
        _ scanner: inout JSONScanner, at path: ArraySlice<[UInt8]>, depth: Int
    ) throws(FaultCode) -> Range<Int>? {
        scanner.skipSpace()
        guard let token = path.first else {
            let isNull = scanner.peek == UInt8(ascii: "n")
            let value = try scanner.skipValue(depth: depth, allowingUnderflow: true)
            return isNull ? nil : value
        }
        switch scanner.peek {
        case UInt8(ascii: "{"):
            return try scanMember(&scanner, named: token, path.dropFirst(), depth: depth + 1)
        case UInt8(ascii: "["):
            return try scanElement(
                &scanner, number: index(token), path.dropFirst(), depth: depth + 1)
        default:
            _ = try scanner.skipValue(depth: depth, allowingUnderflow: true)
            return nil
        }
    }

    private static func scanMember(
        _ scanner: inout JSONScanner, named token: [UInt8], _ path: ArraySlice<[UInt8]>,
        depth: Int
    ) throws(FaultCode) -> Range<Int>? {
        try scanner.expect(UInt8(ascii: "{"))
        if scanner.consumeByte(UInt8(ascii: "}")) { return nil }
        var key: Range<Int>?
        repeat {
            scanner.skipSpace()
            let name = try scanner.readString()
            try scanner.expect(UInt8(ascii: ":"))
            if isName(name, token, in: scanner.bytes) {
                key = try scanKey(&scanner, at: path, depth: depth)
            } else {
                _ = try scanner.skipValue(depth: depth, allowingUnderflow: true)
            }
        } while scanner.consumeByte(UInt8(ascii: ","))
        try scanner.expect(UInt8(ascii: "}"))
        return key
    }

    private static func scanElement(
        _ scanner: inout JSONScanner, number: Int?, _ path: ArraySlice<[UInt8]>, depth: Int
    ) throws(FaultCode) -> Range<Int>? {
        try scanner.expect(UInt8(ascii: "["))
        if scanner.consumeByte(UInt8(ascii: "]")) { return nil }
        var key: Range<Int>?
        var position = 0
        repeat {
            if position == number {
                key = try scanKey(&scanner, at: path, depth: depth)
            } else {
                _ = try scanner.skipValue(depth: depth, allowingUnderflow: true)
            }
            position += 1
        } while scanner.consumeByte(UInt8(ascii: ","))
        try scanner.expect(UInt8(ascii: "]"))
        return key
    }

    private static func isName(
        _ name: JSONStringRange, _ token: [UInt8], in bytes: Span<UInt8>
    ) -> Bool {
        guard !name.isEscaped else { return name.text(in: bytes).utf8.elementsEqual(token) }
        guard name.count == token.count else { return false }
        for offset in 0..<name.count where bytes[name.start + offset] != token[offset] {
            return false
        }
        return true
    }

    /// Returns the array index that a pointer's token denotes, or nil if it denotes none. An index
    /// consists of digits without a leading zero. Source: RFC 6901, section 4.
    private static func index(_ token: [UInt8]) -> Int? {
        guard let first = token.first, first != UInt8(ascii: "0") || token.count == 1,
            token.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
        else { return nil }
        return Int(String(decoding: token, as: UTF8.self))
    }
}
