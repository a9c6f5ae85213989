internal import RefreshProtocol
internal import RefreshServer
internal import RefreshSession
internal import ScenarioKit

/// The part of a journal that a client needs for a replay over a socket.
struct ReplayScript {
    /// A frame from the client.
    struct ClientFrame {
        var at: Instant
        /// The text of the frame. Nil for a binary frame, whose content is not recorded.
        var text: String?
        /// The index of this frame in `frames`.
        var frame: Int
        /// The number of elements of `outputs` that were recorded before this frame.
        var outputsBefore: Int
        /// If this is the first frame after a lost connection, the time at which that connection
        /// was lost. Nil for all other frames.
        var lostAt: Instant?
    }

    let header: JournalHeader
    private(set) var clientFrames: [ClientFrame] = []
    private(set) var outputs: [ServerOutput] = []
    /// The frames of both sides, in order.
    private(set) var frames: [ReplayedFrame] = []
    /// The time of the last input, or of the header if there is no input.
    private(set) var end: Instant
    private(set) var isClosed = false
    /// The time at which the connection was lost. Nil if the connection was not lost, or if the
    /// client resumed the session afterwards.
    private(set) var lostAt: Instant?
    private(set) var tornLine: Int?
    private(set) var damage: (line: Int, reason: String)?

    /// Reads the lines after the header. The client of the replay authenticates with `token`.
    ///
    /// - Throws: `JournalUnusable` if the journal needs something that a server at a URL cannot
    ///   provide.
    init(_ header: JournalHeader, _ lines: JournalReader, token: String?) throws {
        self.header = header
        end = header.at
        var lines = lines
        while case .line(let number, let line) = lines.next {
            switch line {
            case .input(let at, let input):
                end = at
                try addInput(input, line: number, token: token)
            case .output(let output): addOutput(output, line: number)
            case .observed(let at, let output):
                end = at
                addOutput(output, line: number)
            case .end: isClosed = true
            case .header: damage = (number, "is a second header")
            }
            try lines.advance()
        }
        if case .damage(let number, let reason) = lines.next { damage = (number, "\(reason)") }
        tornLine = lines.tornLine
    }

    private mutating func addInput(_ input: SessionInput, line: Int, token: String?) throws {
        switch input {
        case .frame(let bytes):
            var text = String(decoding: bytes, as: UTF8.self)
            if clientFrames.isEmpty { text = try Self.firstFrame(text, line: line, token: token) }
            addClientFrame(text, line: line)
        case .lost: lostAt = end
        case .resumed(let handshake, _):
            var held = handshake.held.map { String(decoding: $0, as: UTF8.self) }
            var first = String(decoding: handshake.text, as: UTF8.self)
            // `held` contains the texts after `hello` that the daemon held back until the client
            // was authenticated. If the first of these texts begins with `[`, it is the rest of the
            // frame that contained `hello`. The daemon gave one answer to both parts, so both are
            // sent in one frame.
            if let rest = held.first, rest.hasPrefix("[") {
                if rest != "[]" { first = "[\(first),\(rest.dropFirst())" }
                held.removeFirst()
            }
            addClientFrame(
                try Self.firstFrame(first, isBack: true, line: line, token: token), line: line)
            for frame in held { addClientFrame(frame, line: line) }
        case .binary: addClientFrame(nil, line: line)
        case .begun:
            throw Self.unplayable(line, "`begun`: the state of a session that began earlier")
        case .changed: throw Self.unplayable(line, "`changed`: a reported change of a feed")
        case .end: throw Self.unplayable(line, "`end`: a daemon that ends the session")
        case .draining: throw Self.unplayable(line, "`draining`: a daemon that stops soon")
        case .refused, .rebuilt:
            throw Self.unplayable(line, "an older session of the client to resume")
        // The client does not send these inputs. The server produces them itself, or receives them
        // from its backends.
        case .writable, .channel, .load, .edited, .wake, .held, .known, .identified, .sealed, .left,
            .closed:
            return
        }
    }

    private mutating func addOutput(_ output: JournalOutput, line: Int) {
        switch output {
        case .frame(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            outputs += ServerOutput.all(in: text, number: frames.count)
            frames.append(frame(.daemon, line, text))
        case .close(let code, let reason):
            outputs.append(.connectionClose(code, number: frames.count))
            frames.append(frame(.daemon, line, Self.closeDescription(code, reason)))
        case .wait, .identify, .resume, .start, .edit, .cancel: return
        }
    }

    private mutating func addClientFrame(_ text: String?, line: Int) {
        clientFrames.append(
            ClientFrame(
                at: end, text: text, frame: frames.count, outputsBefore: outputs.count,
                lostAt: lostAt))
        lostAt = nil
        frames.append(frame(.client, line, text ?? "(a binary frame)"))
    }

    private func frame(_ side: Exchange.Side, _ line: Int, _ text: String) -> ReplayedFrame {
        ReplayedFrame(
            side: side, line: line,
            at: Double(end.microseconds - header.at.microseconds) / 1_000_000, text: text)
    }

    /// Returns the text that represents the close of a connection in a list of frames.
    static func closeDescription(_ code: UInt16?, _ reason: String) -> String {
        "(closes" + (code.map { " with \($0)" } ?? "") + (reason.isEmpty ? ")" : ": \(reason))")
    }

    /// Returns the first frame of a connection. Its `hello` contains `token` instead of the
    /// recorded token, and omits headers whose values the journal hides. `isBack` is true if the
    /// client resumes the session of its previous connection.
    private static func firstFrame(
        _ text: String, isBack: Bool = false, line: Int, token: String?
    ) throws -> String {
        guard let value = try? JSONValue(parsing: text) else { return text }
        let messages = value.array ?? [value]
        guard var hello = messages.first, hello["type"]?.string == "hello" else { return text }
        guard isBack || hello["resume"] == nil else {
            throw unplayable(line, "`resume`: an older session of the client to resume")
        }
        guard token != nil || !isMasked(hello["token"]) else {
            throw unplayable(line, "a token, which journals do not contain: pass it with --token")
        }
        let headers = hello["headers"]
        if let token { hello["token"] = .string(token) }
        if case .object(let members)? = headers {
            let kept = members.filter { !isMasked($0.value) }
            hello["headers"] = .object(kept)
        }
        guard hello != messages.first else { return text }
        let rest = messages.dropFirst()
        return value.array == nil ? hello.text : JSONValue.array([hello] + rest).text
    }

    /// Returns whether the journal hides this value. A recorder can be asked to hide nothing.
    private static func isMasked(_ value: JSONValue?) -> Bool {
        value?.string?.allSatisfy { $0 == "*" } == true
    }

    private static func unplayable(_ line: Int, _ what: String) -> JournalUnusable {
        JournalUnusable(
            "line \(line) needs something that a server at a URL cannot provide: \(what)")
    }
}
