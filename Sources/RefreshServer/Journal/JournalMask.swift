internal import RefreshBroker
internal import RefreshProtocol

/// Keeps out of journals what a client proves itself with: the `token` of `hello`, and of its
/// `headers` those that are known to hold secrets. Nor is the key there by which the daemon hashes
/// the keys of items. Source: docs/journal.md, "Privacy".
///
/// Stars stand in their place, as many as there were bytes, so that a session that is replayed
/// behaves as the one that was recorded.
enum JournalMask {
    /// Lower-case names of the headers whose values are masked.
    private static let secretHeaders: Set<String> = ["authorization", "cookie"]

    /// What a text that is a secret is.
    private enum Kind {
        case token
        /// Is read as what it is: another one stands in its place.
        case resumeToken
        /// Cannot be any text.
        case header
    }

    /// What was found so far, and where that ends.
    private struct Found {
        var pieces: [MaskedValue.Piece] = []
        var end = 0
    }

    /// What enters a session, without secrets.
    static func masked(_ input: JournalInput) -> JournalInput {
        switch input {
        case .frame(let bytes): return .frame(masked(bytes))
        case .begun(var living):
            living.headers = masked(living.headers)
            for index in living.views.indices {
                living.views[index].headers = masked(living.views[index].headers)
            }
            return .begun(living)
        case .resumed(var arrival, let token):
            arrival.text = masked(arrival.text)
            arrival.held = arrival.held.map { masked($0) }
            return .resumed(arrival, token.map { _ in .masked })
        case .rebuilt(var snapshot):
            snapshot.headers = masked(snapshot.headers)
            // Views whose items this daemon hashes otherwise have a key of their own.
            snapshot.itemHash = nil
            return .rebuilt(snapshot)
        case .binary, .writable, .channel, .load, .changed, .wake, .held, .end, .draining, .known,
            .identified,
            .lost, .refused, .sealed, .left, .closed:
            return input
        }
    }

    // MARK: Frames

    /// A frame of a client without its secrets; also one that is not JSON throughout.
    static func masked(_ frame: [UInt8]) -> [UInt8] {
        var found = Found()
        do throws(FaultCode) {
            try find(in: frame, &found)
        } catch {
            // The decoder stops here too; what stands behind is text.
            findAnything(in: frame, &found)
        }
        guard !found.pieces.isEmpty else { return frame }
        var masked: [UInt8] = []
        var copied = 0
        for piece in found.pieces {
            masked += frame[copied..<piece.range.lowerBound]
            masked += piece.bytes
            copied = piece.range.upperBound
        }
        return masked + frame[copied...]
    }

    /// As long as the text is, once it is read; of a value that no header can have another such
    /// value.
    private static func mask(
        _ string: JSONStringRange, _ kind: Kind, in frame: [UInt8]
    ) -> [UInt8] {
        let text = string.text(in: frame.span).utf8
        let own = Array(ResumeToken.masked.text.utf8)
        if kind == .resumeToken, text.count == own.count { return own }
        guard kind != .header || text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            return Array("\\u0001".utf8)
        }
        let count = string.isEscaped ? text.count : string.count
        return Array(repeating: UInt8(ascii: "*"), count: count)
    }

    /// Takes the value that stands here, which is a secret whatever it is.
    private static func take(
        _ kind: Kind, _ scanner: inout JSONScanner, in frame: [UInt8], _ found: inout Found
    ) throws(FaultCode) {
        guard scanner.peek == UInt8(ascii: "\"") else {
            let value = try scanner.skipValue(depth: 2)
            found.pieces += MaskedValue(in: frame, at: value.lowerBound).pieces
            return
        }
        let string = try scanner.string()
        found.pieces.append(
            MaskedValue.Piece(range: string.range, bytes: mask(string, kind, in: frame)))
    }

    /// Finds the secrets of the messages.
    private static func find(in frame: [UInt8], _ found: inout Found) throws(FaultCode) {
        var scanner = JSONScanner(frame.span, limits: .generous)
        let isBatch = scanner.take(UInt8(ascii: "["))
        repeat {
            try members(of: &scanner, &found) { name, scanner, found throws(FaultCode) in
                switch name {
                case "token": try take(.token, &scanner, in: frame, &found)
                case "headers", "resume":
                    guard scanner.peek == UInt8(ascii: "{") else {
                        return try take(.token, &scanner, in: frame, &found)
                    }
                    try secrets(of: name, &scanner, in: frame, &found)
                default: _ = try scanner.skipValue(depth: 1)
                }
            }
            found.end = scanner.index
        } while isBatch && scanner.take(UInt8(ascii: ","))
        guard !isBatch || scanner.take(UInt8(ascii: "]")) else { throw .malformedJSON }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw .malformedJSON }
    }

    /// Those of the object `headers`, or the token that a client comes back with.
    private static func secrets(
        of object: String, _ scanner: inout JSONScanner, in frame: [UInt8], _ found: inout Found
    ) throws(FaultCode) {
        try members(of: &scanner, &found) { name, scanner, found throws(FaultCode) in
            if object == "headers", secretHeaders.contains(name.lowercased()) {
                try take(.header, &scanner, in: frame, &found)
            } else if object == "resume", name == "token" {
                try take(.resumeToken, &scanner, in: frame, &found)
            } else {
                _ = try scanner.skipValue(depth: 2)
            }
        }
    }

    /// Calls `value` for each member of the object that stands here, in front of its value.
    private static func members(
        of scanner: inout JSONScanner, _ found: inout Found,
        _ value: (String, inout JSONScanner, inout Found) throws(FaultCode) -> Void
    ) throws(FaultCode) {
        try scanner.expect(UInt8(ascii: "{"))
        if scanner.take(UInt8(ascii: "}")) { return }
        repeat {
            scanner.skipSpace()
            let name = try scanner.string().text(in: scanner.bytes)
            try scanner.expect(UInt8(ascii: ":"))
            scanner.skipSpace()
            try value(name, &scanner, &found)
            found.end = scanner.index
        } while scanner.take(UInt8(ascii: ","))
        try scanner.expect(UInt8(ascii: "}"))
    }

    /// Of text that is no JSON: each value behind such a name and a colon, to its end or that of
    /// the frame.
    private static func findAnything(in frame: [UInt8], _ found: inout Found) {
        var index = found.end
        while let (name, end) = string(in: frame, from: index) {
            index = end
            let text = String(decoding: frame[name], as: UTF8.self).lowercased()
            let isObject = text == "headers" || text == "resume"
            guard isObject || text == "token" || secretHeaders.contains(text) else { continue }
            let isPassedOver: (UInt8) -> Bool = { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
            let start = frame[end...].firstIndex { !isPassedOver($0) } ?? frame.count
            guard start < frame.count, !isObject || frame[start] != UInt8(ascii: "{")
            else { continue }
            let value = MaskedValue(in: frame, at: start)
            found.pieces += value.pieces
            index = value.end
        }
    }

    /// What stands between the next quotes, and where it goes on behind them.
    private static func string(in frame: [UInt8], from start: Int) -> (Range<Int>, Int)? {
        let quote = UInt8(ascii: "\"")
        guard start < frame.count, let open = frame[start...].firstIndex(of: quote) else {
            return nil
        }
        var index = open + 1
        while index < frame.count, frame[index] != quote {
            index += frame[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(index, frame.count)
        return (open + 1..<end, min(end + 1, frame.count))
    }

    /// A frame of the daemon that tells a token, without it; nil if it does not tell it.
    static func masked(_ frame: [UInt8], telling token: ResumeToken) -> [UInt8]? {
        let text = Array(token.text.utf8)
        guard let place = frame.firstRange(of: text) else { return nil }
        return frame[..<place.lowerBound] + Array(ResumeToken.masked.text.utf8)
            + frame[place.upperBound...]
    }

    // MARK: Loads

    /// What a load is asked with, without the same headers' values.
    static func masked(_ wish: LoadWish) -> LoadWish {
        var wish = wish
        wish.request.headers = masked(wish.request.headers)
        return wish
    }

    private static func masked(_ headers: [HeaderField]) -> [HeaderField] {
        headers.map { header in
            guard secretHeaders.contains(header.name.lowercased()) else { return header }
            return HeaderField(
                name: header.name,
                value: String(repeating: "*", count: header.value.utf8.count))
        }
    }
}
