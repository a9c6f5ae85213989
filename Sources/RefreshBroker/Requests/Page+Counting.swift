internal import RefreshProtocol

extension Page {
    /// Returns the number of elements of a JSON array. Returns nil if the bytes are not exactly one
    /// well-formed array, from `[` to `]`, within the limits of a backend's answer.
    package static func itemCount(of items: [UInt8]) -> Int? {
        guard items.first == UInt8(ascii: "[") else { return nil }
        var scanner = JSONScanner(items.span, limits: jsonLimits)
        var count = 0
        do throws(FaultCode) {
            try scanner.expect(UInt8(ascii: "["))
            if !scanner.consumeByte(UInt8(ascii: "]")) {
                repeat {
                    scanner.skipSpace()
                    _ = try scanner.skipValue(depth: 1, allowingUnderflow: true)
                    count += 1
                } while scanner.consumeByte(UInt8(ascii: ","))
                try scanner.expect(UInt8(ascii: "]"))
            }
        } catch {
            return nil
        }
        return scanner.isAtEnd ? count : nil
    }
}
