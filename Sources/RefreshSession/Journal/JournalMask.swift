internal import RefreshBroker
internal import RefreshProtocol

/// Removes credentials from journals: the `token` of `hello`, the resume token, and the values of
/// those `headers` that usually contain secrets. It also leaves out the key with which the daemon
/// hashes item keys. Source: docs/journal.md, "Privacy".
///
/// Each secret is replaced by asterisks of the same number of bytes, so that a replayed session
/// behaves like the recorded one.
package enum JournalMask {
    /// Lower-case names of the headers whose values are masked.
    private static let secretHeaders: Set<String> = ["authorization", "cookie"]

    /// The kind of a secret text.
    private enum Kind {
        case token
        /// The text is a resume token. The decoder parses it, so another valid token replaces it.
        case resumeToken
        /// The text is the value of a header. The replacement must be a valid value of a header,
        /// too.
        case header
    }

    /// The secrets found so far, and the index at which the search ended.
    private struct Found {
        var pieces: [MaskedValue.Piece] = []
        var end = 0
    }

    /// Returns the input without its secrets.
    static func masked(_ input: SessionInput) -> SessionInput {
        switch input {
        case .frame(let bytes): return .frame(masked(bytes))
        case .begun(var checkpoint):
            checkpoint.session.headers = masked(checkpoint.session.headers)
            for index in checkpoint.session.views.indices {
                guard let headers = checkpoint.session.views[index].delivery?.headers else {
                    continue
                }
                checkpoint.session.views[index].delivery?.headers = masked(headers)
            }
            return .begun(checkpoint)
        case .resumed(var arrival, let token):
            arrival.text = masked(arrival.text)
            arrival.held = arrival.held.map { masked($0) }
            return .resumed(arrival, token.map { _ in .masked })
        case .rebuilt(var snapshot):
            snapshot.session.headers = masked(snapshot.session.headers)
            // Only the daemon's own hash key is removed. A view whose items were hashed with the
            // hash key of another daemon keeps that key.
            snapshot.itemHash = nil
            return .rebuilt(snapshot)
        case .binary, .writable, .channel, .load, .changed, .edited, .wake, .held, .end, .draining,
            .known,
            .identified,
            .lost, .refused, .sealed, .left, .closed:
            return input
        }
    }

    // MARK: Frames

    /// Returns a client's frame without its secrets, even if it is not valid JSON.
    package static func masked(_ frame: [UInt8]) -> [UInt8] { masked(frame, token: .token) }

    /// Returns a server's frame without the resume token of `welcome`, even if the frame is not
    /// valid JSON. The server can be any server of the protocol.
    package static func maskedServerFrame(_ frame: [UInt8]) -> [UInt8] {
        masked(frame, token: .resumeToken)
    }

    /// `token` is the kind of the member `token` of messages.
    private static func masked(_ frame: [UInt8], token: Kind) -> [UInt8] {
        var found = Found()
        do throws(FaultCode) {
            try findSecrets(in: frame, token: token, &found)
        } catch {
            // The decoder of messages fails at the same point of this frame. The bytes after that
            // point are searched as plain text.
            findSecretsWithoutParsing(in: frame, &found)
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

    /// Returns a mask with the length of the decoded text. A value that is invalid in a header
    /// becomes another invalid value.
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

    /// Records the value at this position as a secret, whatever its type is.
    private static func recordSecret(
        _ kind: Kind, _ scanner: inout JSONScanner, in frame: [UInt8], _ found: inout Found
    ) throws(FaultCode) {
        guard scanner.peek == UInt8(ascii: "\"") else {
            let value = try scanner.skipValue(depth: 2)
            found.pieces += MaskedValue(in: frame, at: value.lowerBound).pieces
            return
        }
        let string = try scanner.readString()
        found.pieces.append(
            MaskedValue.Piece(range: string.range, bytes: mask(string, kind, in: frame)))
    }

    /// Finds the secrets of the messages.
    private static func findSecrets(
        in frame: [UInt8], token: Kind, _ found: inout Found
    ) throws(FaultCode) {
        var scanner = JSONScanner(frame.span, limits: .generous)
        let isBatch = scanner.consumeByte(UInt8(ascii: "["))
        repeat {
            try forEachMember(of: &scanner, &found) { name, scanner, found throws(FaultCode) in
                switch name {
                case "token": try recordSecret(token, &scanner, in: frame, &found)
                case "headers", "resume":
                    guard scanner.peek == UInt8(ascii: "{") else {
                        return try recordSecret(.token, &scanner, in: frame, &found)
                    }
                    try findSecrets(of: name, &scanner, in: frame, &found)
                default: _ = try scanner.skipValue(depth: 1)
                }
            }
            found.end = scanner.index
        } while isBatch && scanner.consumeByte(UInt8(ascii: ","))
        guard !isBatch || scanner.consumeByte(UInt8(ascii: "]")) else { throw .malformedJSON }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw .malformedJSON }
    }

    /// Finds the secrets of the object `headers`, or the token of `resume`.
    private static func findSecrets(
        of object: String, _ scanner: inout JSONScanner, in frame: [UInt8], _ found: inout Found
    ) throws(FaultCode) {
        try forEachMember(of: &scanner, &found) { name, scanner, found throws(FaultCode) in
            if object == "headers", secretHeaders.contains(name.lowercased()) {
                try recordSecret(.header, &scanner, in: frame, &found)
            } else if object == "resume", name == "token" {
                try recordSecret(.resumeToken, &scanner, in: frame, &found)
            } else {
                _ = try scanner.skipValue(depth: 2)
            }
        }
    }

    /// Calls `value` for each member of the object at this position. At each call, the scanner is
    /// at the start of the member's value.
    private static func forEachMember(
        of scanner: inout JSONScanner, _ found: inout Found,
        _ value: (String, inout JSONScanner, inout Found) throws(FaultCode) -> Void
    ) throws(FaultCode) {
        try scanner.expect(UInt8(ascii: "{"))
        if scanner.consumeByte(UInt8(ascii: "}")) { return }
        repeat {
            scanner.skipSpace()
            let name = try scanner.readString().text(in: scanner.bytes)
            try scanner.expect(UInt8(ascii: ":"))
            scanner.skipSpace()
            try value(name, &scanner, &found)
            found.end = scanner.index
        } while scanner.consumeByte(UInt8(ascii: ","))
        try scanner.expect(UInt8(ascii: "}"))
    }

    /// Finds secrets in text that is not JSON. Each value that follows the name of a secret member
    /// and a colon is a secret. The secret ends where the value or the frame ends.
    private static func findSecretsWithoutParsing(in frame: [UInt8], _ found: inout Found) {
        var index = found.end
        while let (name, end) = nextString(in: frame, from: index) {
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

    /// Returns the range between the next two quotes, and the index after the second one.
    private static func nextString(in frame: [UInt8], from start: Int) -> (Range<Int>, Int)? {
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

    /// Returns a frame of the daemon with its token masked; nil if the frame does not contain the
    /// token.
    static func masked(_ frame: [UInt8], hiding token: ResumeToken) -> [UInt8]? {
        let text = Array(token.text.utf8)
        guard let place = frame.firstRange(of: text) else { return nil }
        return frame[..<place.lowerBound] + Array(ResumeToken.masked.text.utf8)
            + frame[place.upperBound...]
    }

    // MARK: Loads

    /// Returns a load's request with the values of secret headers masked.
    static func masked(_ brokerRequest: BrokerRequest) -> BrokerRequest {
        var brokerRequest = brokerRequest
        brokerRequest.request.headers = masked(brokerRequest.request.headers)
        return brokerRequest
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
