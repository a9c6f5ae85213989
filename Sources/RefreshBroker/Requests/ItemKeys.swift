internal import RefreshProtocol

/// The identities of a page's items: the range of each item, and a hash of its key.
package struct ItemKeys: Hashable, Sendable, Codable {
    /// The range of each item in the page's bytes.
    package var elements: [Range<Int>]
    /// The hash of the JSON text of each item's key, in the same order. The hash of an item without
    /// a key is nil. Hashes can be compared only if they were made with the same secret hash key.
    package var hashes: [UInt64?]

    package init(elements: [Range<Int>], hashes: [UInt64?]) {
        self.elements = elements
        self.hashes = hashes
    }
}

extension ItemKeys {
    /// Reads the range and the key of each item of the page in one scan. The key is the value at
    /// `pointer` in the item. An item without such a value, or with `null`, has no key. If a member
    /// name is repeated, the last member counts.
    ///
    /// Returns nil if the items are not a JSON array.
    package init?(of page: Page, at pointer: JSONPointer, hashedBy hash: SipHash) {
        let path = pointer.tokens.map { Array($0.utf8) }
        var elements: [Range<Int>] = []
        var hashes: [UInt64?] = []
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
                    hashes.append(key.map { hash.hash(bytes, in: $0) })
                } while scanner.consumeByte(UInt8(ascii: ","))
                try scanner.expect(UInt8(ascii: "]"))
            }
        } catch {
            return nil
        }
        self.init(elements: elements, hashes: hashes)
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
