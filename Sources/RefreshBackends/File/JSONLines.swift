internal import RefreshBroker
internal import RefreshProtocol

/// A parser of JSON Lines: one JSON value per line. Empty lines are skipped.
enum JSONLines {
    /// Parses the items in `bytes`. A last line without a line end is ignored if it is not JSON,
    /// because it is probably still being written.
    static func items(
        in bytes: [UInt8], for cancellation: CancellationFlag = CancellationFlag()
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
            let isMarked: Bool
            do throws(AnswerFault) {
                let item = try value(in: bytes, at: position)
                isMarked = marks.append(item.lowerBound)
                position = item.upperBound
            } catch {
                guard bytes[position...].contains(0x0A) else {
                    return ItemList(bytes: bytes, marks: marks)
                }
                throw LoadFailure(
                    .backendAnswerMalformed, "Line \(line) of the file is \(error.message).")
            }
            if isMarked { try cancellation.checkCancellation() }
        }
    }

    /// Returns the range of the value at `start`. Only whitespace may follow it on its line.
    private static func value(in bytes: [UInt8], at start: Int) throws(AnswerFault) -> Range<Int> {
        var scanner = JSONScanner(bytes.span, from: start, limits: AnswerFault.limits)
        let value = try scanner.skipAnswerValue(inside: 0)
        // JSON allows a line feed as whitespace inside a value. JSON Lines requires one line per
        // value.
        guard !bytes[value].contains(0x0A) else { throw AnswerFault(.malformed, at: start) }
        let end = blanksEnd(bytes, from: value.upperBound)
        guard end == bytes.count || bytes[end] == 0x0A else {
            throw AnswerFault(.malformed, at: end)
        }
        return value
    }

    /// Returns the end of the whitespace within a line.
    private static func blanksEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x0D || bytes[end] == 0x09 {
            end += 1
        }
        return end
    }
}
