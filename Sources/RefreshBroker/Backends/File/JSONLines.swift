internal import RefreshProtocol

/// JSON Lines: one JSON value a line. Empty lines are skipped.
enum JSONLines {
    /// The items in `bytes`. A last line without its end that is no JSON is left out: somebody is
    /// just writing it.
    static func items(
        in bytes: [UInt8], for wish: DiskWish = DiskWish()
    ) throws(LoadFailure) -> ItemList {
        var marks = ItemMarks()
        var line = 1
        var position = 0
        while true {
            position = blanksEnd(bytes, from: position)
            guard position < bytes.count else { return ItemList(bytes: bytes, marks: marks) }
            if bytes[position] == 0x0A {
                position += 1
                line += 1
                continue
            }
            let isNoted: Bool
            do throws(AnswerFault) {
                let item = try value(in: bytes, at: position)
                isNoted = marks.append(item.lowerBound)
                position = item.upperBound
            } catch {
                guard bytes[position...].contains(0x0A) else {
                    return ItemList(bytes: bytes, marks: marks)
                }
                throw LoadFailure(
                    .backendAnswerMalformed, "Line \(line) of the file is \(error.message).")
            }
            if isNoted { try wish.check() }
        }
    }

    /// Where the value from `start` on stands, after which its line ends.
    private static func value(in bytes: [UInt8], at start: Int) throws(AnswerFault) -> Range<Int> {
        var scanner = JSONScanner(bytes.span, from: start, limits: AnswerFault.limits)
        let value = try scanner.takeValue(inside: 0)
        // A value may hold line ends only where white space is allowed: then it is not one line.
        guard !bytes[value].contains(0x0A) else { throw AnswerFault(.malformed, at: start) }
        let end = blanksEnd(bytes, from: value.upperBound)
        guard end == bytes.count || bytes[end] == 0x0A else {
            throw AnswerFault(.malformed, at: end)
        }
        return value
    }

    /// Behind the white space within a line.
    private static func blanksEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x0D || bytes[end] == 0x09 {
            end += 1
        }
        return end
    }
}
