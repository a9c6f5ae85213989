internal import RefreshProtocol

/// Masks the whole value of a member that is meant for a secret, such as `token`. Texts and names
/// become asterisks, and numbers become 1. The structure of the value is unchanged. Source:
/// docs/journal.md, "Privacy".
///
/// The frame need not be JSON. If the decoder rejects the frame, it rejects the masked frame for
/// the same reason. A replayed session therefore behaves like the recorded one.
struct MaskedValue {
    /// A replacement of some bytes of the frame.
    struct Piece {
        var range: Range<Int>
        var bytes: [UInt8]
    }

    private let frame: [UInt8]
    private var index: Int
    private var depth = 0
    private(set) var pieces: [Piece] = []

    /// Masks the value that begins at `start`, up to the end of the value or of the frame.
    init(in frame: [UInt8], at start: Int) {
        self.frame = frame
        index = start
        repeat {} while consumeNext() && depth > 0
    }

    /// The index after the value.
    var end: Int { index }

    /// Consumes a bracket, text, word or number. Returns false at the end of the value.
    private mutating func consumeNext() -> Bool {
        while index < frame.count, isSeparator(frame[index]) { index += 1 }
        guard index < frame.count else { return false }
        switch frame[index] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            index += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
            guard depth > 0 else { return false }
            depth -= 1
            index += 1
        case UInt8(ascii: "\""): consumeText()
        default: consumeWord()
        }
        return true
    }

    /// Returns whether a byte separates two parts. Inside brackets, commas and colons also separate
    /// parts.
    private func isSeparator(_ byte: UInt8) -> Bool {
        if byte <= 0x20 { return true }
        return depth > 0 && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":"))
    }

    private mutating func consumeText() {
        let start = index + 1
        var end = start
        while end < frame.count, frame[end] != UInt8(ascii: "\"") {
            end += frame[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        end = min(end, frame.count)
        var scanner = JSONScanner(frame.span, from: index, limits: .generous)
        let isText = end == frame.count || (try? scanner.readString()) != nil
        index = min(end + 1, frame.count)
        guard start < end else { return }
        var mask = stars(end - start)
        // If a text is invalid in JSON, its mask is invalid too.
        if !isText { mask[0] = 0x01 }
        pieces.append(Piece(range: start..<end, bytes: mask))
    }

    private mutating func consumeWord() {
        let start = index
        while index < frame.count, !isDelimiter(frame[index]) { index += 1 }
        let word = frame[start..<index]
        if ["true", "false", "null"].contains(where: { word.elementsEqual($0.utf8) }) { return }
        pieces.append(Piece(range: start..<index, bytes: mask(ofWordAt: start, count: word.count)))
    }

    private func mask(ofWordAt start: Int, count: Int) -> [UInt8] {
        do throws(FaultCode) {
            let (_, end) = try JSONNumber.read(frame.span, at: start)
            return end == start + count ? padded("1", to: count) : stars(count)
        } catch {
            return error == .numberOutOfRange ? padded("1e999", to: count) : stars(count)
        }
    }

    private func isDelimiter(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "{}[],:\"".utf8.contains(byte)
    }

    private func stars(_ count: Int) -> [UInt8] {
        Array(repeating: UInt8(ascii: "*"), count: count)
    }

    private func padded(_ text: String, to count: Int) -> [UInt8] {
        let bytes = Array(text.utf8)
        return bytes + Array(repeating: UInt8(ascii: " "), count: max(0, count - bytes.count))
    }
}
