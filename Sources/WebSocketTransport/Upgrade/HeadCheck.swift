/// A parser that validates the head of a request before libwebsockets reads the head. It processes
/// the head in pieces, as they arrive. It checks the form of the lines (RFC 9112, 3 and 5): a
/// request line, and headers of the form `name: value` without a blank before the colon. Each line
/// must end with CR and LF.
///
/// libwebsockets is less strict, because it takes all text up to the next colon as a name. A line
/// without a colon therefore hides the following header. A name that is the beginning of a longer
/// name known to libwebsockets also hides the following header, because libwebsockets does not find
/// the colon after such a name (`LibraryNames`).
///
/// libwebsockets decodes a target before it searches for the end of the line. An escaped CR or LF
/// in the target is therefore malformed, like an unescaped one.
struct HeadCheck {
    /// The result for the bytes read so far.
    enum Verdict: Equatable {
        case unfinished
        /// The head is complete after `count` bytes of the last piece.
        case whole(count: Int)
        /// The head is malformed; no more bytes need to be read.
        case malformed
    }

    private enum Place: UInt8 {
        case method, target, version, lineFeed, lineStart, name, value, lastLineFeed, malformed
    }

    private static let versionForm: [UInt8] = Array("HTTP/0.0".utf8)
    private static let upgrade: [UInt8] = Array("upgrade".utf8)

    private var place = Place.method
    /// The number of bytes read so far of the current part of the head (`place`), such as the
    /// version. For a name, bytes are counted only while the name can still become `upgrade`.
    private var count: UInt8 = 0
    /// The part of a method or a name that libwebsockets compares, in lower case.
    private var text: [UInt8] = []
    /// The number of bytes read so far of `%0` in the target.
    private var escapeCount = 0
    /// Whether an `Upgrade` header was read.
    private(set) var asksForUpgrade = false

    /// Reads the next piece.
    mutating func read(_ bytes: Span<UInt8>) -> Verdict {
        for index in bytes.indices {
            let isLast = place == .lastLineFeed
            place = advance(bytes[index])
            if place == .malformed { return .malformed }
            if isLast { return .whole(count: index + 1) }
        }
        return .unfinished
    }

    private mutating func advance(_ byte: UInt8) -> Place {
        switch place {
        case .method:
            if byte == UInt8(ascii: " ") {
                return transition(
                    to: .target, if: count > 0 && !LibraryNames.isMisread(method: text))
            }
            appendLowercased(byte)
            return stay(if: HeaderText.isTokenByte(byte))
        case .target:
            if byte == UInt8(ascii: " ") { return transition(to: .version, if: count > 0) }
            return stay(if: byte > 0x20 && byte != 0x7f && !completesEscapedLineEnd(byte))
        case .version:
            let index = Int(count)
            guard index < Self.versionForm.count else {
                return transition(to: .lineFeed, if: byte == UInt8(ascii: "\r"))
            }
            let expected = Self.versionForm[index]
            let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            return stay(if: expected == UInt8(ascii: "0") ? isDigit : byte == expected)
        case .lineFeed:
            text.removeAll(keepingCapacity: true)
            return transition(to: .lineStart, if: byte == UInt8(ascii: "\n"))
        case .lineStart:
            if byte == UInt8(ascii: "\r") { return .lastLineFeed }
            return readNameByte(byte)
        case .name:
            if byte == UInt8(ascii: ":") {
                if Int(count) == Self.upgrade.count { asksForUpgrade = true }
                return LibraryNames.isMisread(text) ? .malformed : .value
            }
            return readNameByte(byte)
        case .value:
            if byte == UInt8(ascii: "\r") { return .lineFeed }
            return byte >= 0x20 && byte != 0x7f || byte == UInt8(ascii: "\t") ? .value : .malformed
        case .lastLineFeed:
            return byte == UInt8(ascii: "\n") ? .lineStart : .malformed
        case .malformed:
            return .malformed
        }
    }

    private mutating func transition(to next: Place, if isAllowed: Bool) -> Place {
        count = 0
        return isAllowed ? next : .malformed
    }

    private mutating func stay(if isAllowed: Bool) -> Place {
        if count < .max { count += 1 }
        return isAllowed ? place : .malformed
    }

    private mutating func appendLowercased(_ byte: UInt8) {
        guard text.count < LibraryNames.countMax else { return }
        let isCapital = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        text.append(isCapital ? byte | 0x20 : byte)
    }

    /// Returns whether a byte of the target completes an escape of CR or LF: `%0D` or `%0A`.
    private mutating func completesEscapedLineEnd(_ byte: UInt8) -> Bool {
        switch (escapeCount, byte) {
        case (_, UInt8(ascii: "%")): escapeCount = 1
        case (1, UInt8(ascii: "0")): escapeCount = 2
        case (2, UInt8(ascii: "A")), (2, UInt8(ascii: "a")), (2, UInt8(ascii: "D")),
            (2, UInt8(ascii: "d")):
            return true
        default: escapeCount = 0
        }
        return false
    }

    /// Handles one more byte of a name. If the name cannot be `upgrade`, `count` is set to its
    /// maximum.
    private mutating func readNameByte(_ byte: UInt8) -> Place {
        guard HeaderText.isTokenByte(byte) else { return .malformed }
        appendLowercased(byte)
        let index = Int(count)
        let isUpgrade = index < Self.upgrade.count && byte | 0x20 == Self.upgrade[index]
        count = isUpgrade ? count + 1 : .max
        return .name
    }
}
