internal import RefreshProtocol

/// Searches a server's frames for pongs and error codes. A frame is parsed as JSON only if its text
/// indicates an `error` message, or if `isReadable` is called.
enum ReplyReader {
    private static let pong = Array(#""pong""#.utf8)
    private static let error = Array(#""error""#.utf8)
    private static let time = Array(#""t""#.utf8)

    /// Returns the `t` of the last pong in a frame; nil if there is none. The search starts at the
    /// end, because the `pong` that answers the last message of a batch is at the end.
    static func lastPong(in frame: Span<UInt8>) -> Int? {
        var end = frame.count
        return previousPong(in: frame, before: &end)
    }

    /// Returns the `t` of every pong in a frame, in order. If a server could not write for some
    /// time, one frame can contain several answers.
    static func pongs(in frame: Span<UInt8>) -> [Int] {
        var end = frame.count
        var numbers: [Int] = []
        while let number = previousPong(in: frame, before: &end) { numbers.append(number) }
        return numbers.reversed()
    }

    /// Returns the `t` of the last pong before `end`, and sets `end` to the position of this pong.
    private static func previousPong(in frame: Span<UInt8>, before end: inout Int) -> Int? {
        while let place = lastType(pong, in: frame, before: end) {
            end = place
            if let number = pongTime(around: place, in: frame) { return number }
        }
        return nil
    }

    /// Returns whether a frame is a message or a batch of messages: objects with a `type`.
    static func isReadable(_ frame: Span<UInt8>) -> Bool {
        guard let value = try? JSONValue(parsing: frame, limits: .generous) else { return false }
        return (value.array ?? [value]).allSatisfy { $0["type"]?.string != nil }
    }

    /// Returns the codes of all `error` messages in a frame. The frame is parsed only if it
    /// contains the text `"error"` as the value of a `type`.
    static func errors(in frame: Span<UInt8>) -> [String] {
        guard lastType(error, in: frame, before: frame.count) != nil,
            let value = try? JSONValue(parsing: frame, limits: .generous)
        else { return [] }
        return (value.array ?? [value]).compactMap { message in
            message["type"]?.string == "error" ? message["code"]?.string ?? "?" : nil
        }
    }

    /// Returns the last position before `end` at which the text is the value of a `type`.
    private static func lastType(
        _ text: [UInt8], in frame: Span<UInt8>, before end: Int
    ) -> Int? {
        var end = end
        while let place = lastIndex(of: text, in: frame, before: end) {
            if isType(at: place, in: frame) { return place }
            end = place
        }
        return nil
    }

    /// Returns whether the text at `place` is the value of a `type`.
    private static func isType(at place: Int, in frame: Span<UInt8>) -> Bool {
        var index = place - 1
        while index >= 0, isSpace(frame[index]) { index -= 1 }
        guard index >= 0, frame[index] == 0x3A else { return false }
        index -= 1
        while index >= 0, isSpace(frame[index]) { index -= 1 }
        let type = Array(#""type""#.utf8)
        guard index >= type.count - 1 else { return false }
        return type.indices.allSatisfy { frame[index - type.count + 1 + $0] == type[$0] }
    }

    /// Returns the `t` of the object around `place`. The object contains no other objects.
    private static func pongTime(around place: Int, in frame: Span<UInt8>) -> Int? {
        var start = place
        while start > 0, frame[start] != 0x7B { start -= 1 }
        var end = place
        while end < frame.count, frame[end] != 0x7D { end += 1 }
        var from = end
        while let found = lastIndex(of: time, in: frame, before: from), found > start {
            var index = found + time.count
            while index < end, isSpace(frame[index]) { index += 1 }
            if index < end, frame[index] == 0x3A {
                index += 1
                while index < end, isSpace(frame[index]) { index += 1 }
                return wholeNumber(at: index, in: frame)
            }
            from = found
        }
        return nil
    }

    private static func wholeNumber(at start: Int, in frame: Span<UInt8>) -> Int? {
        var index = start
        var value = 0
        while index < frame.count, index - start < 16, (0x30...0x39).contains(frame[index]) {
            value = value * 10 + Int(frame[index] - 0x30)
            index += 1
        }
        return index > start ? value : nil
    }

    /// Returns the position of the last `text` that lies completely before `end`. The search runs
    /// backwards, so that a long frame with items is read only once.
    private static func lastIndex(
        of text: [UInt8], in frame: Span<UInt8>, before end: Int
    ) -> Int? {
        var index = end - text.count
        let first = text[0]
        let second = text[1]
        while index >= 0 {
            if frame[index] == first, frame[index + 1] == second,
                text.indices.allSatisfy({ frame[index + $0] == text[$0] })
            {
                return index
            }
            index -= 1
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
