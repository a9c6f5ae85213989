internal import RefreshProtocol

/// JSON Lines: one JSON value a line. Empty lines are skipped.
enum JSONLines {
    /// The items in `bytes`. A last line without its end that is no JSON is left out: somebody is
    /// just writing it.
    static func items(in bytes: [UInt8]) throws(LoadFailure) -> ItemList {
        var text = JSONText(bytes)
        var items = ItemList(bytes: bytes)
        var line = 1
        while true {
            text.skipBlanks()
            guard let byte = text.byte else { return items }
            if byte == 0x0A {
                _ = text.skip(0x0A)
                line += 1
                continue
            }
            let start = text.position
            do throws(JSONFault) {
                try text.skipValue(inside: 0)
                let end = text.position
                // A value may hold line ends only where white space is allowed: then it is not one
                // line.
                guard !bytes[start..<end].contains(0x0A) else {
                    throw JSONFault(.malformed, at: start)
                }
                text.skipBlanks()
                guard text.isAtEnd || text.byte == 0x0A else { throw text.malformed() }
                items.elements.append(start..<end)
            } catch {
                guard bytes[start...].contains(0x0A) else { return items }
                throw LoadFailure(
                    .backendAnswerMalformed, "Line \(line) of the file is \(error.message).")
            }
        }
    }
}
