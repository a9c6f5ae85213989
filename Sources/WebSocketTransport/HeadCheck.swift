/// Reads the head of a request ahead of the library, in pieces as they come, and holds its lines to
/// their form (RFC 9112, 3 and 5): a request line, `name: value` with no blank before the colon,
/// each ended by CR and LF. Pure.
///
/// The library is laxer: it takes all up to the next colon for a name, so that a line without one
/// hides the header behind it. So does a name that is the beginning of one that it knows, with its
/// colon (`LibraryNames`). It decodes a target first and then looks for the end of the line: an
/// escaped CR or LF is malformed, as a plain one is.
struct HeadCheck {
    /// What the bytes so far are.
    enum Verdict: Equatable {
        case unfinished
        /// With so many of the bytes that were read last the head is whole.
        case whole(count: Int)
        /// No more of it needs to be read.
        case malformed
    }

    private enum Place: UInt8 {
        case method, target, version, lineFeed, lineStart, name, value, lastLineFeed, malformed
    }

    private static let versionForm: [UInt8] = Array("HTTP/0.0".utf8)
    private static let upgrade: [UInt8] = Array("upgrade".utf8)

    private var place = Place.method
    /// How many bytes of the part at hand have come; of a name, as long as it may be `upgrade`.
    private var count: UInt8 = 0
    /// Of a method or a name, what the library compares, in small letters.
    private var text: [UInt8] = []
    /// Of an escape in the target, the bytes of it that came last.
    private var escape: [UInt8] = []
    /// Whether a header `Upgrade` has come.
    private(set) var asksForUpgrade = false

    /// Reads on.
    mutating func read(_ bytes: Span<UInt8>) -> Verdict {
        for index in bytes.indices {
            let isLast = place == .lastLineFeed
            place = next(bytes[index])
            if place == .malformed { return .malformed }
            if isLast { return .whole(count: index + 1) }
        }
        return .unfinished
    }

    private mutating func next(_ byte: UInt8) -> Place {
        switch place {
        case .method:
            if byte == UInt8(ascii: " ") {
                return begin(.target, if: count > 0 && !LibraryNames.isMisread(method: text))
            }
            note(byte)
            return go(on: HeaderText.isTokenByte(byte))
        case .target:
            if byte == UInt8(ascii: " ") { return begin(.version, if: count > 0) }
            return go(on: byte > 0x20 && byte != 0x7f && !endsLineEnd(byte))
        case .version:
            let index = Int(count)
            guard index < Self.versionForm.count else {
                return begin(.lineFeed, if: byte == UInt8(ascii: "\r"))
            }
            let wanted = Self.versionForm[index]
            let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            return go(on: wanted == UInt8(ascii: "0") ? isDigit : byte == wanted)
        case .lineFeed:
            text.removeAll(keepingCapacity: true)
            return begin(.lineStart, if: byte == UInt8(ascii: "\n"))
        case .lineStart:
            if byte == UInt8(ascii: "\r") { return .lastLineFeed }
            return name(byte)
        case .name:
            if byte == UInt8(ascii: ":") {
                if Int(count) == Self.upgrade.count { asksForUpgrade = true }
                return LibraryNames.isMisread(text) ? .malformed : .value
            }
            return name(byte)
        case .value:
            if byte == UInt8(ascii: "\r") { return .lineFeed }
            return byte >= 0x20 && byte != 0x7f || byte == UInt8(ascii: "\t") ? .value : .malformed
        case .lastLineFeed:
            return byte == UInt8(ascii: "\n") ? .lineStart : .malformed
        case .malformed:
            return .malformed
        }
    }

    private mutating func begin(_ next: Place, if isAllowed: Bool) -> Place {
        count = 0
        return isAllowed ? next : .malformed
    }

    private mutating func go(on isAllowed: Bool) -> Place {
        if count < .max { count += 1 }
        return isAllowed ? place : .malformed
    }

    private mutating func note(_ byte: UInt8) {
        guard text.count < LibraryNames.countMax else { return }
        let isCapital = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        text.append(isCapital ? byte | 0x20 : byte)
    }

    /// Whether a byte of the target completes an escape of CR or LF: `%0D` or `%0A`.
    private mutating func endsLineEnd(_ byte: UInt8) -> Bool {
        switch (escape.count, byte) {
        case (_, UInt8(ascii: "%")): escape = [byte]
        case (1, UInt8(ascii: "0")): escape.append(byte)
        case (2, UInt8(ascii: "A")), (2, UInt8(ascii: "a")), (2, UInt8(ascii: "D")),
            (2, UInt8(ascii: "d")):
            return true
        default: escape = []
        }
        return false
    }

    /// One more byte of a name. Once it cannot be `upgrade` any more the count stays beyond it.
    private mutating func name(_ byte: UInt8) -> Place {
        guard HeaderText.isTokenByte(byte) else { return .malformed }
        note(byte)
        let index = Int(count)
        let isUpgrade = index < Self.upgrade.count && byte | 0x20 == Self.upgrade[index]
        count = isUpgrade ? count + 1 : .max
        return .name
    }
}
