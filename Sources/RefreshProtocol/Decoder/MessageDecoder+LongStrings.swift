/// Two strings of a `hello` may exceed the usual limit: `token`, and the `snapshot` of `resume`.
///
/// A frame is searched for these two strings only if a string in it is too long. Frames without
/// such a string have no additional cost.
extension MessageDecoder {
    /// Decodes the `hello` at the beginning of the frame. Of all strings of the frame, only the
    /// token and the snapshot of this `hello` may be longer than usual.
    @inline(never)
    mutating func decodeLongHello(
        in frame: Span<UInt8>, at position: inout FramePosition
    ) -> DecodedMessage {
        let usual = jsonLimits
        jsonLimits = JSONLimits(
            depthMax: usual.depthMax,
            stringBytesMax: max(limits.tokenBytesMax, limits.snapshotBytesMax))
        defer { jsonLimits = usual }
        do throws(FaultCode) {
            return try readLongHello(in: frame, at: &position, usual: usual)
        } catch {
            position.stage = .end
            return .fault(Fault(error))
        }
    }

    private mutating func readLongHello(
        in frame: Span<UInt8>, at position: inout FramePosition, usual: JSONLimits
    ) throws(FaultCode) -> DecodedMessage {
        var scanner = JSONScanner(frame, limits: jsonLimits)
        scanner.skipSpace()
        let isBatch = scanner.peek == 0x5B
        if isBatch {
            guard try batchCount(&scanner) > 0 else { throw .stringTooLong }
            try scanner.expect(0x5B)
            scanner.skipSpace()
        }
        let start = scanner.index
        let element = try scanner.skipValue(depth: isBatch ? 1 : 0)
        if !isBatch {
            scanner.skipSpace()
            guard scanner.isAtEnd else { throw .malformedJSON }
        } else if scanner.consumeByte(0x2C) {
            position.stage = .inBatch
            position.index = scanner.index
        }
        var object = JSONScanner(frame, from: start, limits: jsonLimits)
        try readFields(&object, depth: isBatch ? 2 : 1)
        let long = Self.strings(longerThan: usual.stringBytesMax, in: frame)
        let allowed = try longStringsAllowed(in: frame)
        guard long.allSatisfy({ element.contains($0.lowerBound) && allowed.contains($0) }) else {
            throw .stringTooLong
        }
        return message(in: frame)
    }

    /// Looks at the object whose fields are in the table, and returns the ranges of its strings
    /// that may be long.
    private func longStringsAllowed(
        in frame: Span<UInt8>
    ) throws(FaultCode) -> [Range<Int>] {
        guard let type = table[.type], type.kind == .string,
            vocabulary.types.keyword(type, in: frame) == .hello
        else { return [] }
        var scanner = JSONScanner(frame, from: objectStart, limits: jsonLimits)
        let own = try NameTable(reading: &scanner, vocabulary.helloFields, depth: 2)
        var strings = [own[.token]]
        if let resume = own[.resume], resume.kind == .object {
            var inner = JSONScanner(frame, from: Int(resume.start), limits: jsonLimits)
            let fields = try NameTable(reading: &inner, vocabulary.helloFields, depth: 2)
            strings.append(fields[.snapshot])
        }
        return strings.compactMap { token in
            guard let token, token.kind == .string, token.start < token.end else { return nil }
            return Int(token.start)..<Int(token.end)
        }
    }

    /// The ranges of all strings with more than `most` bytes in a well-formed text. The ranges
    /// exclude the quotes.
    private static func strings(
        longerThan most: Int, in frame: Span<UInt8>
    ) -> [Range<Int>] {
        var strings: [Range<Int>] = []
        var start: Int?
        var index = 0
        while index < frame.count {
            switch frame[index] {
            case 0x5C: index += 1
            case 0x22:
                if let begun = start {
                    if index - begun > most { strings.append(begun..<index) }
                    start = nil
                } else {
                    start = index + 1
                }
            default: break
            }
            index += 1
        }
        return strings
    }
}
