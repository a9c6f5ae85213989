internal import RefreshProtocol

/// A parser of a JSON array, or of an object with an array `items`. Other members are ignored.
enum JSONItems {
    /// Parses the items. Returns an empty list early if the request is cancelled.
    static func items(
        in bytes: [UInt8], for cancellation: CancellationFlag = CancellationFlag()
    ) throws(AnswerFault) -> ItemList {
        var scanner = JSONScanner(bytes.span, limits: AnswerFault.limits)
        var marks: ItemMarks?
        scanner.skipSpace()
        switch scanner.peek {
        case UInt8(ascii: "["): marks = try readArray(&scanner, inside: 0, cancellation)
        case UInt8(ascii: "{"): marks = try readObject(&scanner, cancellation)
        default: _ = try scanner.skipAnswerValue(inside: 0)
        }
        if cancellation.isCancelled { return ItemList(bytes: [], marks: ItemMarks()) }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw AnswerFault(.malformed, at: scanner.index) }
        guard let marks else { throw AnswerFault(.noItems, at: 0) }
        return ItemList(bytes: bytes, marks: marks)
    }

    @_lifetime(scanner: copy scanner)
    private static func readObject(
        _ scanner: inout JSONScanner, _ cancellation: CancellationFlag
    ) throws(AnswerFault) -> ItemMarks? {
        var marks: ItemMarks?
        try scanner.require(UInt8(ascii: "{"))
        if scanner.consumeByte(UInt8(ascii: "}")) { return nil }
        repeat {
            scanner.skipSpace()
            let start = scanner.index
            let isItems = try scanner.readAnswerString().text(in: scanner.bytes) == "items"
            try scanner.require(UInt8(ascii: ":"))
            scanner.skipSpace()
            if isItems {
                guard marks == nil, scanner.peek == UInt8(ascii: "[") else {
                    _ = try scanner.skipAnswerValue(inside: 1)
                    throw AnswerFault(.field("items"), at: start)
                }
                marks = try readArray(&scanner, inside: 1, cancellation)
            } else {
                _ = try scanner.skipAnswerValue(inside: 1)
            }
            if cancellation.isCancelled { return nil }
        } while scanner.consumeByte(UInt8(ascii: ","))
        try scanner.require(UInt8(ascii: "}"))
        return marks
    }

    /// Reads an array. `depth` is the number of arrays and objects that enclose it.
    @_lifetime(scanner: copy scanner)
    private static func readArray(
        _ scanner: inout JSONScanner, inside depth: Int, _ cancellation: CancellationFlag
    ) throws(AnswerFault) -> ItemMarks {
        var marks = ItemMarks()
        try scanner.require(UInt8(ascii: "["))
        if scanner.consumeByte(UInt8(ascii: "]")) { return marks }
        repeat {
            let item = try scanner.skipAnswerValue(inside: depth + 1)
            if marks.append(item.lowerBound), cancellation.isCancelled { return marks }
        } while scanner.consumeByte(UInt8(ascii: ","))
        try scanner.require(UInt8(ascii: "]"))
        return marks
    }
}
