internal import RefreshBroker
internal import RefreshProtocol

/// A parser of the answer to an edit: nothing, or an object that may have an `item`. Unknown fields
/// are ignored. Source: docs/backends.md, "Edits".
enum EditAnswer {
    /// Returns the JSON text of the item, byte for byte; nil if the answer has none.
    static func item(in answer: [UInt8]) throws(LoadFailure) -> [UInt8]? {
        guard answer.contains(where: { !isSpace($0) }) else { return nil }
        do throws(AnswerFault) {
            return try read(answer).map { Array(answer[$0]) }
        } catch {
            throw LoadFailure(.backendAnswerMalformed, "The backend's answer is \(error.message).")
        }
    }

    private static func read(_ answer: [UInt8]) throws(AnswerFault) -> Range<Int>? {
        var scanner = JSONScanner(answer.span, limits: AnswerFault.limits)
        var item: Range<Int>?
        var isKnown = false
        scanner.skipSpace()
        try scanner.require(UInt8(ascii: "{"))
        if !scanner.consumeByte(UInt8(ascii: "}")) {
            repeat {
                scanner.skipSpace()
                let start = scanner.index
                let name = try scanner.readAnswerString().text(in: scanner.bytes)
                try scanner.require(UInt8(ascii: ":"))
                scanner.skipSpace()
                let value = try scanner.skipAnswerValue(inside: 1)
                guard name == "item" else { continue }
                let first = answer[value.lowerBound]
                guard !isKnown, first == UInt8(ascii: "{") || first == UInt8(ascii: "n") else {
                    throw AnswerFault(.field(name), at: start)
                }
                isKnown = true
                item = first == UInt8(ascii: "{") ? value : nil
            } while scanner.consumeByte(UInt8(ascii: ","))
            try scanner.require(UInt8(ascii: "}"))
        }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw AnswerFault(.malformed, at: scanner.index) }
        return item
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
